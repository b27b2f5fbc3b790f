#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins real captures with the request logs of the brokers that answered: every exchange that both have is joined, the
parts add up to the whole within a millisecond or the excess is shown.

    join.py --brokerscope PROGRAM [--extra DIR] [SCENARIO...]

The scenarios are those of tests/data/captures/scenarios.tsv, which says how many exchanges capture and log have in common;
--extra names a folder with more (SCENARIO/capture.pcap with broker-requests.jsonl.gz or broker-requests.txt.gz).
"""
import argparse
import json
import lzma
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data/captures"
PARTS = ("requestTransferMs", "blockedMs", "networkMs", "requestQueueTimeMs", "localTimeMs", "remoteTimeMs",
         "throttleTimeMs", "responseQueueTimeMs", "sendTimeMs")
WITHIN_MS = 1


def shipped():
    for line in (DATA / "scenarios.tsv").read_text().splitlines()[1:]:
        name, _, common, capture = line.split("\t")
        yield name, ROOT / capture, next((DATA / name).glob("broker-requests.*.xz")), int(common)


def extra_ones(folder: pathlib.Path, known: set[str]):
    counts = dict(line.split("\t") for line in (folder / "exchanges.tsv").read_text().splitlines()[1:])
    for log in sorted(folder.rglob("broker-requests.*.gz")):
        name = str(log.parent.relative_to(folder))
        if name not in known and name in counts:
            yield name, log.parent / "capture.pcap", log, int(counts[name])


def join(program: pathlib.Path, capture: pathlib.Path, log: pathlib.Path, keys: pathlib.Path) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        if log.suffix == ".xz":
            plain = pathlib.Path(folder) / "requests.log"
            plain.write_bytes(lzma.open(log).read())
            log = plain
        options = ["--keylog", keys] if keys.exists() else []
        command = [program, "join", "--format", "ndjson", *options, "--broker-log", log, capture]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode not in (0, 3):
            raise RuntimeError(done.stderr.decode(errors="replace"))
        return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("--extra", type=pathlib.Path, metavar="DIR")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO")
    arguments = parser.parse_args()
    cases = list(shipped())
    if arguments.extra and arguments.extra.is_dir():
        cases += extra_ones(arguments.extra, {name for name, *_ in cases})
    failed, all_joined, network, excess = 0, 0, [], []
    for name, capture, log, common in cases:
        if arguments.scenarios and name not in arguments.scenarios:
            continue
        rows = join(arguments.brokerscope, capture, log, log.parent / "keylog.txt")
        joined = [row for row in rows if row["joined"]]
        timed = [row for row in joined if "totalTimeMs" in row]
        wrong = [row for row in timed
                 if abs(sum(row[part] for part in PARTS) - row["excessMs"] - row["totalTimeMs"]) > WITHIN_MS]
        unexplained = [row for row in rows if not row["joined"] and row.get("reason") == "not in the log"]
        if len(joined) < common or wrong:
            failed += 1
            print(f"{name}: {len(joined)} joined of {common}, {len(wrong)} do not add up")
        if unexplained:
            print(f"{name}: not in the log for no known reason: "
                  f"{', '.join(sorted({row['api'] for row in unexplained}))} ({len(unexplained)})")
        all_joined += len(joined)
        network += [row["networkMs"] for row in timed]
        excess += [row["excessMs"] for row in timed if row["excessMs"]]
    print(f"{all_joined} exchanges joined, {failed} scenarios failed; network {statistics.median(network):.3f} ms in the "
          f"middle; the broker counted more than the wire saw in {len(excess)}, at most {max(excess, default=0):.3f} ms")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
