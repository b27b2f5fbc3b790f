#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What README.md, CONTRIBUTING.md, samples/README.md and docs/ say is true: paths exist, and sessions are what the
program prints.

    docs_test.py paths
    docs_test.py sessions --brokerscope PROGRAM [--update]

A session is a fenced block marked `console`: `$ command` and below it the output; a line of `...` stands for lines left
out. Commands run in the repository's root, `brokerscope` is the program just built; ./dev is not run. --update (or
BROKERSCOPE_UPDATE_GOLDENS=1) writes the output anew, blocks with lines left out excepted.
"""
import argparse
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATH = re.compile(r"(?<![\w./-])((?:capture|dissector|cli|gui|samples|tests|docs)/[\w./*+-]*\w)")
LEFT_OUT = "..."


def pages() -> list[pathlib.Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "samples/README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def missing_paths(page: pathlib.Path) -> Iterator[str]:
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for name in PATH.findall(line):
            if not any(ROOT.glob(name)):
                yield f"{page.relative_to(ROOT)}:{number}: {name} does not exist"


def missing_samples() -> Iterator[str]:
    """samples/README.md names every capture in samples/, and no other."""
    named = set(re.findall(r"^\| ([\w.-]+\.pcap\S*) \|", (ROOT / "samples/README.md").read_text(encoding="utf-8"), re.MULTILINE))
    there = {p.name for p in (ROOT / "samples").iterdir() if ".pcap" in p.name}
    yield from (f"samples/README.md says nothing about {name}" for name in sorted(there - named))
    yield from (f"samples/README.md names {name}, which is not there" for name in sorted(named - there))


def run(program: pathlib.Path, command: str) -> list[str]:
    """The command's output, with `brokerscope` being the program just built; pipes and the like are the shell's."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "brokerscope").symlink_to(program)
        environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "TZ": "UTC", "COLUMNS": "120"}
        done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    return [line.rstrip() for line in done.stdout.splitlines()]


def as_shown(shown: list[str], printed: list[str]) -> bool:
    pattern = "\n".join("*" if line.strip() == LEFT_OUT else re.sub(r"([*?[])", r"[\1]", line.rstrip()) for line in shown)
    return fnmatch.fnmatchcase("\n".join(printed), pattern)


def check_sessions(page: pathlib.Path, program: pathlib.Path, refresh: bool) -> Iterator[str]:
    """Yields where the page and the program differ; with refresh, writes the page anew instead."""
    lines, fresh, at = page.read_text(encoding="utf-8").splitlines(), [], 0
    in_session = False
    while at < len(lines):
        line = lines[at]
        at += 1
        fresh.append(line)
        if line.startswith("```"):
            in_session = line == "```console"
        if not (in_session and line.startswith("$ ")) or line.startswith("$ ./dev"):
            continue
        end = next(i for i in range(at, len(lines) + 1) if lines[i].startswith(("$ ", "```")))
        shown, printed = lines[at:end], run(program, line[2:])
        while shown and not shown[-1]:
            shown.pop()
        if not as_shown(shown, printed):
            if refresh and LEFT_OUT not in (text.strip() for text in shown):
                shown = printed
            else:
                yield f"{page.relative_to(ROOT)}:{at}: {line[2:]} prints something else:\n" + "\n".join(printed)
        fresh += shown + [""] * (lines[end] != "```" and bool(shown))
        at = end
    if refresh:
        page.write_text("\n".join(fresh) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("paths", "sessions"))
    parser.add_argument("--brokerscope", type=pathlib.Path, metavar="PROGRAM")
    parser.add_argument("--update", action="store_true", default=os.environ.get("BROKERSCOPE_UPDATE_GOLDENS") == "1")
    arguments = parser.parse_args()
    if arguments.what == "paths":
        found = [text for page in pages() for text in missing_paths(page)] + list(missing_samples())
    else:
        program = arguments.brokerscope.resolve()
        found = [text for page in pages() for text in check_sessions(page, program, arguments.update)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
