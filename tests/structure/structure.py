#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the house rules that no compiler holds: who may include whom, and what every source file has.

    structure.py [--root DIR] [RULE...]     checks the named rules, or all; prints one line a violation; exit 1 on any

The rules are the functions in RULES below; each yields (file, line, what is wrong and what to do). structure_test.py
plants a violation of each rule in a tree of its own and expects it to be found.
"""
import argparse
import pathlib
import re
import sys
from typing import Iterator, NamedTuple

FOLDERS = ("capture", "dissector", "cli", "gui", "tests")
LONGEST_UNIT = 700  # lines; 600 is the habit

# Folder -> what its files may not include (a prefix of the path between the quotes), and what they may after all.
FORBIDDEN = {
    "capture/types": (("capture/", "dissector/", "cli/", "gui/"), ("capture/types/",)),
    "capture": (("dissector/", "cli/", "gui/"), ()),
    "dissector": (("capture/", "cli/", "gui/"), ("capture/types/",)),
    "cli": (("gui/",), ()),
    "gui": (("cli/",), ()),
}
# System header -> the folders that may include it.
RESERVED = {
    r"pcap(\.h$|/)": ("capture/", "tests/capture/"),
    r"Q[A-Z]|Qt|q[a-z]+\.h$": ("gui/", "tests/gui/"),
}
# The libraries neither print nor end the process.
SILENT = ("capture/", "dissector/")
LOUD_HEADERS = ("iostream", "print")
LOUD_CALLS = re.compile(r"(?<![\w.>])(?:std::|::|fmt::)?(?:f?printf|puts|putchar|perror|v?fprintf|print|println|exit|_exit|"
                        r"quick_exit|abort|terminate)\s*\(|\bstd::(?:cout|cerr|clog)\b")
LEFT_OPEN = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|\bGTEST_SKIP\b|\bDISABLED_\w|[Nn]ot implemented")


class Violation(NamedTuple):
    file: str
    line: int
    text: str


class Source:
    """One file: its path from the root, its lines, and the lines again without comments and literals."""

    def __init__(self, root: pathlib.Path, path: pathlib.Path):
        self.name = path.relative_to(root).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.code = without_comments(self.text).splitlines()

    def includes(self) -> Iterator[tuple[int, str, bool]]:
        """(line number, path, whether in quotes)"""
        for number, line in enumerate(self.lines, 1):
            found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if found:
                yield number, found[2], found[1] == '"'


def without_comments(text: str) -> str:
    """Blanks comments, string and character literals; keeps the line breaks."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
                       re.DOTALL)
    return token.sub(lambda found: '""' + "\n" * found[0].count("\n"), text)


class Tree:
    def __init__(self, root: pathlib.Path):
        self.root = root
        files = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if p.suffix in (".cpp", ".h")]
        self.sources = [Source(root, p) for p in files]


def includes_follow_the_architecture(tree: Tree) -> Iterator[Violation]:
    for source in tree.sources:
        folder = next((f for f in FORBIDDEN if source.name.startswith(f + "/")), None)
        if folder is None:
            continue
        banned, allowed = FORBIDDEN[folder]
        for line, path, _ in source.includes():
            if path.startswith(banned) and not path.startswith(allowed):
                yield Violation(source.name, line, f"{folder}/ must not include {path}")


def libpcap_and_qt_stay_in_their_folders(tree: Tree) -> Iterator[Violation]:
    for source in tree.sources:
        for line, path, _ in source.includes():
            for pattern, folders in RESERVED.items():
                if re.match(pattern, path) and not source.name.startswith(folders):
                    yield Violation(source.name, line, f"<{path}> belongs into {' and '.join(folders)} only")


def own_headers_are_included_from_the_root(tree: Tree) -> Iterator[Violation]:
    for source in tree.sources:
        for line, path, quoted in source.includes():
            # What CMake generates is not in the tree, but has a folder all the same.
            if quoted and not path.startswith(tuple(f + "/" for f in FOLDERS)):
                yield Violation(source.name, line, f'include "{path}" with its path from the root')


def libraries_do_not_print_or_exit(tree: Tree) -> Iterator[Violation]:
    for source in tree.sources:
        if not source.name.startswith(SILENT):
            continue
        for line, path, _ in source.includes():
            if path in LOUD_HEADERS:
                yield Violation(source.name, line, f"<{path}>: a library gives reasons as values, it does not print")
        for number, code in enumerate(source.code, 1):
            found = LOUD_CALLS.search(code)
            if found:
                yield Violation(source.name, number, f"{found[0].strip('( ')}: a library does not print or end the process")


def every_source_names_its_license(tree: Tree) -> Iterator[Violation]:
    for source in tree.sources:
        if not source.lines or source.lines[0] != "// SPDX-License-Identifier: Apache-2.0":
            yield Violation(source.name, 1, "the first line must be // SPDX-License-Identifier: Apache-2.0")


def every_header_is_guarded_by_pragma_once(tree: Tree) -> Iterator[Violation]:
    for source in tree.sources:
        if source.name.endswith(".h") and "#pragma once" not in source.lines:
            yield Violation(source.name, 1, "a header needs #pragma once")


def units_are_short(tree: Tree) -> Iterator[Violation]:
    for source in tree.sources:
        if len(source.lines) > LONGEST_UNIT:
            yield Violation(source.name, LONGEST_UNIT, f"{len(source.lines)} lines: more than one job in one file, split it")


def every_source_is_built(tree: Tree) -> Iterator[Violation]:
    """A .cpp stands in the CMakeLists.txt of its folder or one above; a header is included by somebody."""
    included = {path for source in tree.sources for _, path, _ in source.includes()}
    for source in tree.sources:
        if source.name.endswith(".h"):
            if source.name not in included:
                yield Violation(source.name, 1, "nothing includes this header")
        elif not listed_in_cmake(tree.root, tree.root / source.name):
            yield Violation(source.name, 1, "no CMakeLists.txt lists this file")


def listed_in_cmake(root: pathlib.Path, file: pathlib.Path) -> bool:
    folder = file.parent
    while True:
        lists = folder / "CMakeLists.txt"
        name = re.escape(file.relative_to(folder).as_posix())
        if lists.exists() and re.search(rf"(?<![\w./-]){name}(?![\w.-])", lists.read_text(encoding="utf-8")):
            return True
        if folder == root:
            return False
        folder = folder.parent


def nothing_is_left_open(tree: Tree) -> Iterator[Violation]:
    for source in tree.sources:
        for number, line in enumerate(source.lines, 1):
            found = LEFT_OPEN.search(line)
            if found:
                yield Violation(source.name, number, f"'{found[0]}': finish it, or say it in an issue")


RULES = {rule.__name__: rule for rule in (
    includes_follow_the_architecture,
    libpcap_and_qt_stay_in_their_folders,
    own_headers_are_included_from_the_root,
    libraries_do_not_print_or_exit,
    every_source_names_its_license,
    every_header_is_guarded_by_pragma_once,
    units_are_short,
    every_source_is_built,
    nothing_is_left_open,
)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("rules", nargs="*", metavar="RULE", help=", ".join(RULES))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.rules if name not in RULES]
    if unknown:
        parser.error(f"no such rule: {', '.join(unknown)}")
    tree = Tree(arguments.root)
    if not tree.sources:
        parser.error(f"no sources under {arguments.root}")
    found = [violation for name in arguments.rules or RULES for violation in RULES[name](tree)]
    for violation in found:
        print(f"{violation.file}:{violation.line}: {violation.text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
