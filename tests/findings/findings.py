#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `check` over real captures and compares the findings with those that are known to be there.

    findings.py --brokerscope PROGRAM [--extra DIR] [--update] [SCENARIO...]

expected.tsv has a line a scenario: its name, the findings of level warning and above (name:level, separated by blanks, - for
none) and the findings of level note that must be there. Captures are those of tests/data/captures/scenarios.tsv, all of
samples/, and with --extra those of a folder with more of them (SCENARIO/capture.pcap); lines whose capture is not there are
left out. A scenario fails when a warning or error is missing or one too many. --update writes what was found.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED = pathlib.Path(__file__).resolve().parent / "expected.tsv"
HEADER = "scenario\twarnings and errors\tnotes\n"


class Scenario(NamedTuple):
    name: str
    capture: pathlib.Path
    options: list[str]


def key_log(*folders: pathlib.Path) -> list[str]:
    return next((["--keylog", str(f / "keylog.txt")] for f in folders if (f / "keylog.txt").exists()), [])


def scenarios(extra: pathlib.Path | None) -> dict[str, Scenario]:
    found = {}
    if extra and extra.is_dir():
        for capture in sorted(extra.rglob("capture.pcap")):
            name = str(capture.parent.relative_to(extra))
            found[name] = Scenario(name, capture, key_log(capture.parent))
    for line in (ROOT / "tests/data/captures/scenarios.tsv").read_text().splitlines()[1:]:
        name, _, _, capture = line.split("\t")
        found[name] = Scenario(name, ROOT / capture, key_log(ROOT / "tests/data/captures" / name))
    for capture in sorted((ROOT / "samples").glob("*.pcap*")):
        found[f"samples/{capture.name}"] = Scenario(f"samples/{capture.name}", capture, [])
    return found


def check(program: pathlib.Path, scenario: Scenario) -> tuple[set[str], set[str]]:
    command = [program, "check", "--level", "note", "--format", "ndjson", *scenario.options, scenario.capture]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{scenario.name}: exit status {done.returncode}: {done.stderr.strip()}")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    grave = {f"{row['finding']}:{row['severity']}" for row in rows if row["severity"] != "note"}
    return grave, {row["finding"] for row in rows if row["severity"] == "note"}


def listed(names: set[str]) -> str:
    return " ".join(sorted(names)) or "-"


def read_expected() -> dict[str, tuple[set[str], set[str]]]:
    rows = [line.split("\t") for line in EXPECTED.read_text().splitlines()[1:]]
    return {name: tuple(set() if cell == "-" else set(cell.split()) for cell in cells) for name, *cells in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("--extra", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="all when none is named")
    arguments = parser.parse_args()
    present = scenarios(arguments.extra)
    expected = {} if arguments.update and not EXPECTED.exists() else read_expected()
    names = arguments.scenarios or sorted(present)
    if unknown := set(names) - set(present):
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}")
    if arguments.extra is None:
        if missing := [n for n in expected if n not in present and n.startswith("samples/")]:
            print(f"not there any more: {', '.join(missing)}")
            return 1
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, found in zip(names, pool.map(lambda n: check(arguments.brokerscope, present[n]), names)):
            grave, notes = expected.get(name, (None, None))
            if arguments.update:
                expected[name] = found
            elif grave is None:
                failed += 1
                print(f"{name}: nothing is expected yet: {listed(found[0])}")
            elif found[0] != grave or not notes <= found[1]:
                failed += 1
                print(f"{name}: missing {listed(grave - found[0])}, too many {listed(found[0] - grave)}, "
                      f"missing notes {listed(notes - found[1])}")
    if arguments.update:
        EXPECTED.write_text(HEADER + "".join(f"{n}\t{listed(g)}\t{listed(o)}\n" for n, (g, o) in sorted(expected.items())))
    print(f"{len(names) - failed} of {len(names)} captures have the findings expected and no others")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
