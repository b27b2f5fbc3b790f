#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins real captures with the request logs of the brokers that answered: every exchange that both have is joined, the
parts add up to the whole within a millisecond or the excess is shown.

    join.py --brokerscope PROGRAM [--extra DIR] [SCENARIO...]

The scenarios are those of scenarios.py.
"""
import lzma
import pathlib
import statistics
import sys
import tempfile

from scenarios import Scenario, command_line, lines_of, read_command_line

PARTS = ("requestTransferMs", "blockedMs", "networkMs", "requestQueueTimeMs", "localTimeMs", "remoteTimeMs",
         "throttleTimeMs", "responseQueueTimeMs", "sendTimeMs")
WITHIN_MS = 1


def join(program: pathlib.Path, scenario: Scenario) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        log = scenario.log
        if log.suffix == ".xz":
            log = pathlib.Path(folder) / "requests.log"
            log.write_bytes(lzma.open(scenario.log).read())
        return list(lines_of(program, "join", scenario, "--broker-log", log, statuses=(0, 3)))


def main() -> int:
    arguments, scenarios = read_command_line(command_line(__doc__))
    failed, all_joined, network, excess = 0, 0, [], []
    for scenario in scenarios:
        rows = join(arguments.brokerscope, scenario)
        joined = [row for row in rows if row["joined"]]
        timed = [row for row in joined if "totalTimeMs" in row]
        wrong = [row for row in timed
                 if abs(sum(row[part] for part in PARTS) - row["excessMs"] - row["totalTimeMs"]) > WITHIN_MS]
        unexplained = [row for row in rows if not row["joined"] and row.get("reason") == "not in the log"]
        if len(joined) < scenario.exchanges or wrong:
            failed += 1
            print(f"{scenario.name}: {len(joined)} joined of {scenario.exchanges}, {len(wrong)} do not add up")
        if unexplained:
            print(f"{scenario.name}: not in the log for no known reason: "
                  f"{', '.join(sorted({row['api'] for row in unexplained}))} ({len(unexplained)})")
        all_joined += len(joined)
        network += [row["networkMs"] for row in timed]
        excess += [row["excessMs"] for row in timed if row["excessMs"]]
    print(f"{all_joined} exchanges joined, {failed} scenarios failed; network {statistics.median(network):.3f} ms in the "
          f"middle; the broker counted more than the wire saw in {len(excess)}, at most {max(excess, default=0):.3f} ms")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
