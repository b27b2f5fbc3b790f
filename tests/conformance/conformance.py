#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes real captures and compares every exchange with what the brokers themselves logged about it.

    conformance.py --brokerscope PROGRAM [--extra DIR] [SCENARIO...]

The scenarios are those of scenarios.py. Prints a line a scenario and a closing line; exit 1 unless all are equal and as
many as they should be.
"""
import concurrent.futures
import os
import pathlib
import sys

import json_log
import text_log
from exchanges import Comparison, compare_all
from scenarios import BROKERS_0_8, NEWEST_BROKER, Scenario, command_line, lines_of, log_lines, read_command_line


def check(program: pathlib.Path, scenario: Scenario) -> Comparison:
    lines = log_lines(scenario.log)
    if scenario.logged_as_text:
        entries = text_log.read_entries(lines, BROKERS_0_8)
    else:
        entries = json_log.read_entries(lines, scenario.broker == NEWEST_BROKER)
    try:
        return compare_all(lines_of(program, "list", scenario), entries)
    except (RuntimeError, OSError, ValueError) as error:
        return Comparison(notes=[str(error)])


def main() -> int:
    parser = command_line(__doc__)
    parser.add_argument("--show", type=int, default=3, metavar="N", help="differences to print for each scenario (3)")
    arguments, scenarios = read_command_line(parser)
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
