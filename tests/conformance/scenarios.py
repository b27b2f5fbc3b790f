# SPDX-License-Identifier: Apache-2.0
"""The real captures whose brokers logged what they answered, and the command line of the scripts that compare the two.

The scenarios stand in tests/data/captures/scenarios.tsv: the broker's release, how many exchanges capture and log have
in common (those whose answer is in the capture to its end), and where the capture is. The log lies in the folder of the
scenario's name, and so does keylog.txt where TLS secrets are not in the capture itself. --extra names a folder with
more of them (SCENARIO/capture.pcap with SCENARIO/broker-requests.jsonl.gz, and exchanges.tsv with the numbers); those
that the table has already are left out.
"""
import argparse
import gzip
import json
import lzma
import pathlib
import subprocess
from typing import Iterator, NamedTuple

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

    @property
    def logged_as_text(self) -> bool:
        return ".txt" in self.log.suffixes


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


def command_line(description: str) -> argparse.ArgumentParser:
    """--brokerscope, --extra and the names of scenarios; a script adds its own options."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("--extra", type=pathlib.Path, metavar="DIR")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="all when none is named")
    return parser


def read_command_line(parser: argparse.ArgumentParser) -> tuple[argparse.Namespace, list[Scenario]]:
    """The arguments and the scenarios they name; those of --extra only where that folder is there."""
    arguments = parser.parse_args()
    scenarios = list(shipped_scenarios())
    if arguments.extra and arguments.extra.is_dir():
        scenarios += extra_scenarios(arguments.extra, {s.name for s in scenarios})
    if unknown := set(arguments.scenarios) - {s.name for s in scenarios}:
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}")
    return arguments, [s for s in scenarios if not arguments.scenarios or s.name in arguments.scenarios]


def log_lines(path: pathlib.Path) -> Iterator[str]:
    opener = lzma.open if path.suffix == ".xz" else gzip.open
    with opener(path, "rt", encoding="utf-8") as stream:
        yield from stream


def lines_of(program: pathlib.Path, command: str, scenario: Scenario, *options: str | pathlib.Path,
             statuses: tuple[int, ...] = (0,)) -> Iterator[dict]:
    """What the program prints about the scenario's capture, a JSON object a line."""
    words = [program, command, "--format", "ndjson", *scenario.options, *options, scenario.capture]
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode not in statuses:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    for line in done.stdout.decode("utf-8").splitlines():
        yield json.loads(line)
