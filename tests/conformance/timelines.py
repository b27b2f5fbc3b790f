#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the stories that `groups` and `transactions` tell against what the brokers logged of the same requests.

    timelines.py --brokerscope PROGRAM [--extra DIR] [SCENARIO...]

Of groups: every generation and epoch, every member, who left, what each member was assigned, who was told to join again,
every refusal, the number of commits and the last committed offset of each partition, and when each classic rebalance was
over. Of transactions: every producer id and epoch that was given out, partitions and offsets added, offsets committed,
batches produced, markers, every refusal, every end with its outcome, and how long the transaction was open. Only requests
whose answer is in the capture are asked about. The scenarios are those of scenarios.py with a JSON log. Prints a line a
story; exit 1 on any difference.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import sys

from exchanges import endpoint
from logged_facts import Logged, group_facts_logged, transaction_facts_logged
from scenarios import command_line, lines_of, log_lines, read_command_line
from told_facts import group_facts_told, times_apart, transaction_facts_told

SHOWN = 4


def logged_exchanges(program: pathlib.Path, scenario) -> tuple[list[Logged], set[int]]:
    """The log's requests whose answer is in the capture, in its order; and the exchanges that are not in the log."""
    logged = collections.defaultdict(collections.deque)
    for line in log_lines(scenario.log):
        entry = json.loads(line)
        if entry.get("isForwarded") or not entry.get("request"):
            continue
        broker, client = entry["connection"].split("-")[:2]
        header = entry["requestHeader"]
        logged[endpoint(broker), endpoint(client), header["correlationId"], header["requestApiKey"]].append(entry)
    found, unlogged = [], set()
    for exchange in lines_of(program, "list", scenario):
        header = exchange["requestHeader"]
        queue = logged.get((endpoint(exchange["broker"]), endpoint(exchange["client"]), header.get("correlationId"),
                            header.get("requestApiKey")))
        if not queue:
            unlogged.add(exchange["exchange"])
        else:
            entry = queue.popleft()
            if exchange["status"] == "paired" and entry.get("response"):
                end = entry.get("logTimeMs")  # the clients' logs have no time
                begin = end - entry["totalTimeMs"] if end else None
                found.append(Logged(header["requestApiKey"], entry["request"], entry["response"], begin, end))
    return found, unlogged


def differences(logged: collections.Counter, told: collections.Counter) -> tuple[list[str], list[str]]:
    def texts(facts):
        return sorted(f"{' '.join(map(str, fact))}" + (f" ({count} times)" if count > 1 else "")
                      for fact, count in facts.items())
    return texts(logged - told), texts(told - logged)


def compare(program: pathlib.Path, scenario) -> list[tuple[str, int, list[str], list[str]]]:
    """For each story: its name, how many facts the log has of it, what is missing and what is too much."""
    exchanges, unlogged = logged_exchanges(program, scenario)
    stories = []
    for command, read_log, read_answer in (("groups", group_facts_logged, group_facts_told),
                                           ("transactions", transaction_facts_logged, transaction_facts_told)):
        logged = read_log(exchanges)
        told = read_answer(list(lines_of(program, command, scenario)), logged, unlogged)
        missing, extra = differences(logged.facts, told.facts)
        missing += times_apart(logged.times, told.times)
        stories.append((command, logged.facts.total() + sum(map(len, logged.times.values())), missing, extra))
    return stories


def main() -> int:
    arguments, scenarios = read_command_line(command_line(__doc__))
    scenarios = [s for s in scenarios if not s.logged_as_text]
    facts = failed = told = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for scenario, stories in zip(scenarios, pool.map(lambda s: compare(arguments.brokerscope, s), scenarios)):
            for command, count, missing, extra in stories:
                facts += count
                failed += bool(missing or extra)
                told += bool(count)
                if count or missing or extra:
                    print(f"{scenario.name:<40} {command:<12} {count:>5} facts, {len(missing)} missing, "
                          f"{len(extra)} too many", flush=True)
                for text in missing[:SHOWN]:
                    print(f"    missing {text}")
                for text in extra[:SHOWN]:
                    print(f"    too many {text}")
    print(f"{facts} facts of the brokers' logs in {told} stories, {failed} stories differ")
    return 1 if failed or not facts else 0


if __name__ == "__main__":
    sys.exit(main())
