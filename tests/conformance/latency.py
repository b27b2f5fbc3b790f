#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the times that a capture shows against the brokers' own: no exchange may be faster on the wire than in the
broker that answered it.

    latency.py --brokerscope PROGRAM [SCENARIO...]

The broker's totalTimeMs runs from the last byte of the request that it read to the end of sending; sendTimeMs is its
part of that. Less the sending it can be no longer than totalTimeMs of `list --format ndjson`, which begins with the
first byte of the request and ends with the last of the answer. Prints, for each scenario and in all, how many were
compared, how many are shorter than they may be, and the median of what the wire adds.
"""
import argparse
import collections
import json
import pathlib
import statistics
import sys

from conformance import decode, log_lines, shipped_scenarios
from exchanges import endpoint

PRECISION_MS = 0.001  # the last digit of the log


def broker_times(path: pathlib.Path) -> dict:
    times = collections.defaultdict(collections.deque)
    for line in log_lines(path):
        logged = json.loads(line)
        if logged.get("isForwarded"):
            continue
        broker, client = logged["connection"].split("-")[:2]
        header = logged["requestHeader"]
        key = endpoint(broker), endpoint(client), header["correlationId"], header["requestApiKey"]
        times[key].append(logged["totalTimeMs"] - logged["sendTimeMs"])
    return times


def compare(program: pathlib.Path, scenario) -> list[tuple[float, str]]:
    """What the wire took longer than the broker, with a word about the exchange."""
    times = broker_times(scenario.log)
    found = []
    for exchange in decode(program, scenario):
        header = exchange["requestHeader"]
        key = (endpoint(exchange["broker"]), endpoint(exchange["client"]), header.get("correlationId"),
               header.get("requestApiKey"))
        queue = times.get(key)
        if not queue:
            continue
        broker = queue.popleft()
        if exchange["status"] == "paired" and "totalTimeMs" in exchange:
            what = f"exchange {exchange['exchange']} {header['requestApiKeyName']}"
            found.append((exchange["totalTimeMs"] - broker, what))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="all with a JSON log when none is named")
    arguments = parser.parse_args()
    every, short = [], 0
    for scenario in shipped_scenarios():
        if ".txt" in scenario.log.suffixes or arguments.scenarios and scenario.name not in arguments.scenarios:
            continue
        found = compare(arguments.brokerscope, scenario)
        if not found:
            continue
        below = [f"{what}: {excess:.3f} ms" for excess, what in found if excess < -PRECISION_MS]
        short += len(below)
        every += [excess for excess, _ in found]
        print(f"{scenario.name:<40} {len(found):>6} compared, {len(below):>3} too short, "
              f"median {statistics.median(e for e, _ in found):7.3f} ms, least {min(found)[0]:7.3f} ms")
        for text in below[:3]:
            print(f"    {text}")
    if not every:
        print("nothing was compared", file=sys.stderr)
        return 1
    print(f"{len(every)} exchanges: {short} shorter on the wire than in the broker; the wire adds "
          f"{statistics.median(every):.3f} ms in the median")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
