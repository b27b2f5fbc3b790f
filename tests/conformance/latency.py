#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the times that a capture shows against the brokers' own: no exchange may be faster on the wire than in the
broker that answered it.

    latency.py --brokerscope PROGRAM [--extra DIR] [SCENARIO...]

The broker's totalTimeMs runs from the last byte of the request that it read to the end of sending; sendTimeMs is its
part of that. Less the sending it can be no longer than totalTimeMs of `list --format ndjson`, which begins with the
first byte of the request and ends with the last of the answer. Prints, for each scenario and in all, how many were
compared, how many are shorter than they may be, and the median of what the wire adds. The scenarios are those of scenarios.py.
"""
import collections
import json
import pathlib
import re
import statistics
import sys
from typing import Iterator

import text_log
from exchanges import endpoint
from scenarios import BROKERS_0_8, Scenario, command_line, lines_of, log_lines, read_command_line

TEXT_TIMES = re.compile(r"totalTime:([\d.]+),.*\bsendTime:([\d.]+)")


def broker_times(scenario: Scenario) -> Iterator[tuple[tuple, float, float]]:
    """The key of a request, how long it was in the broker, and how far that may be off: times are cut, not rounded."""
    lines = log_lines(scenario.log)
    if scenario.logged_as_text:
        lines = list(lines)
        for entry, line in zip(text_log.read_entries(iter(lines), BROKERS_0_8), lines):
            total, send = TEXT_TIMES.search(line).groups()
            # Whole milliseconds up to 0.10.
            yield entry.key, float(total) - float(send), 0.001 if "." in total else 1
        return
    for line in lines:
        logged = json.loads(line)
        if logged.get("isForwarded"):
            continue
        broker, client = logged["connection"].split("-")[:2]
        header = logged["requestHeader"]
        key = endpoint(broker), endpoint(client), header["correlationId"], header["requestApiKey"]
        yield key, logged["totalTimeMs"] - logged["sendTimeMs"], 0.001


def compare(program: pathlib.Path, scenario: Scenario) -> list[tuple[float, float, str]]:
    """What the wire took longer than the broker, how far that may be off, and a word about the exchange."""
    times = collections.defaultdict(collections.deque)
    for key, time, precision in broker_times(scenario):
        times[key].append((time, precision))
    found = []
    for exchange in lines_of(program, "list", scenario):
        header = exchange["requestHeader"]
        key = (endpoint(exchange["broker"]), endpoint(exchange["client"]), header.get("correlationId"),
               header.get("requestApiKey"))
        queue = times.get(key)
        if not queue:
            continue
        broker, precision = queue.popleft()
        if exchange["status"] == "paired" and "totalTimeMs" in exchange:
            what = f"exchange {exchange['exchange']} {header['requestApiKeyName']}"
            found.append((exchange["totalTimeMs"] - broker, precision, what))
    return found


def main() -> int:
    arguments, scenarios = read_command_line(command_line(__doc__))
    every, short = [], 0
    for scenario in scenarios:
        found = compare(arguments.brokerscope, scenario)
        if not found:
            continue
        below = [f"{what}: {excess:.3f} ms" for excess, precision, what in found if excess < -precision]
        short += len(below)
        every += [excess for excess, _, _ in found]
        print(f"{scenario.name:<40} {len(found):>6} compared, {len(below):>3} too short, "
              f"median {statistics.median(e for e, _, _ in found):7.3f} ms, least {min(found)[0]:7.3f} ms")
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
