#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes real captures and compares every exchange with what the brokers themselves logged about it.

    conformance.py --brokerscope PROGRAM [--extra DIR] [SCENARIO...]

The scenarios stand in tests/data/captures/scenarios.tsv: the broker's release, how many exchanges capture and log have
in common (those whose answer is in the capture to its end), and where the capture is. The log lies in the folder of the
scenario's name, and so does keylog.txt where TLS secrets are not in the capture itself. --extra names a folder with
more of them (SCENARIO/capture.pcap with SCENARIO/broker-requests.jsonl.gz, and exchanges.tsv with the numbers); those
that the table has already are left out. Prints a line a scenario and a closing line; exit 1 unless all are equal and
as many as they should be.
"""
import argparse
import concurrent.futures
import gzip
import json
import lzma
import os
import pathlib
import subprocess
import sys
from typing import Iterator, NamedTuple

import json_log
import text_log
from exchanges import Comparison, compare_all

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data/captures"
NEWEST_BROKER = "4.4.0"  # whose names for the fields are ours
BROKERS_0_8 = {"1": "10.77.0.11:19082", "2": "10.77.0.12:19082"}


class Scenario(NamedTuple):
    name: str
    broker: str
    exchanges: int
    capture: pathlib.Path
    log: pathlib.Path

    @property
    def options(self) -> list[str]:
        key_log = self.log.parent / "keylog.txt"
        return ["--keylog", str(key_log)] if key_log.exists() else []


def shipped_scenarios() -> Iterator[Scenario]:
    for line in (DATA / "scenarios.tsv").read_text().splitlines()[1:]:
        name, broker, exchanges, capture = line.split("\t")
        yield Scenario(name, broker, int(exchanges), ROOT / capture, next((DATA / name).glob("broker-requests.*.xz")))


def extra_scenarios(folder: pathlib.Path, known: set[str]) -> Iterator[Scenario]:
    for line in (folder / "exchanges.tsv").read_text().splitlines()[1:]:
        name, exchanges = line.split("\t")
        log = folder / name / "broker-requests.jsonl.gz"
        if name not in known and log.exists():
            yield Scenario(name, NEWEST_BROKER, int(exchanges), folder / name / "capture.pcap", log)


def all_scenarios(extra: pathlib.Path | None) -> list[Scenario]:
    """Those shipped, and those of the folder `extra` where it is there."""
    scenarios = list(shipped_scenarios())
    if extra and extra.is_dir():
        scenarios += extra_scenarios(extra, {s.name for s in scenarios})
    return scenarios


def log_lines(path: pathlib.Path) -> Iterator[str]:
    opener = lzma.open if path.suffix == ".xz" else gzip.open
    with opener(path, "rt", encoding="utf-8") as stream:
        yield from stream


def decode(program: pathlib.Path, scenario: Scenario) -> Iterator[dict]:
    command = [program, "list", "--format", "ndjson", *scenario.options, scenario.capture]
    listing = subprocess.run(command, capture_output=True, check=False)
    if listing.returncode != 0:
        raise RuntimeError(f"exit status {listing.returncode}: {listing.stderr.decode(errors='replace').strip()}")
    for line in listing.stdout.decode("utf-8").splitlines():
        yield json.loads(line)


def check(program: pathlib.Path, scenario: Scenario) -> Comparison:
    lines = log_lines(scenario.log)
    if ".txt" in scenario.log.suffixes:
        entries = text_log.read_entries(lines, BROKERS_0_8)
    else:
        entries = json_log.read_entries(lines, scenario.broker == NEWEST_BROKER)
    try:
        return compare_all(decode(program, scenario), entries)
    except (RuntimeError, OSError, ValueError) as error:
        return Comparison(notes=[str(error)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("--extra", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="differences to print for each scenario (3)")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="all when none is named")
    arguments = parser.parse_args()

    scenarios = all_scenarios(arguments.extra)
    unknown = set(arguments.scenarios) - {s.name for s in scenarios}
    if unknown:
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}")
    if arguments.scenarios:
        scenarios = [s for s in scenarios if s.name in arguments.scenarios]

    equal = failed = 0
    print(f"{'scenario':<40} {'broker':>8} {'equal':>6} {'of':>6} {'different':>9}")
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(check, [arguments.brokerscope] * len(scenarios), scenarios)
        for scenario, result in zip(scenarios, results):
            good = result.equal == scenario.exchanges and not result.different
            print(f"{scenario.name:<40} {scenario.broker:>8} {result.equal:>6} {scenario.exchanges:>6} "
                  f"{result.different:>9}", flush=True)
            if not good:
                for note in result.notes[:arguments.show]:
                    print(f"    {note}")
            equal += result.equal
            failed += not good
    print(f"{equal} of {sum(s.exchanges for s in scenarios)} exchanges equal the brokers' logs; "
          f"{len(scenarios) - failed} of {len(scenarios)} scenarios are whole")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
