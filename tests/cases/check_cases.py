#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program over the cases of this folder and says which expectations do not hold.

usage: check_cases.py PROGRAM [NAME...]     PROGRAM is called as: PROGRAM list --format ndjson --records [options] FILE

Prints a line for each failing case and 'N passed, M failed' last; exit status 0 when all hold. README.md describes the
expectations; this file is their exact meaning."""
import json
import os
import re
import shlex
import subprocess
import sys

MISSING = object()


def value_at(tree, path):
    """The value at a.b[0].c, or MISSING."""
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        if index:
            if not isinstance(tree, list) or int(index) >= len(tree):
                return MISSING
            tree = tree[int(index)]
        else:
            if not isinstance(tree, dict) or name not in tree:
                return MISSING
            tree = tree[name]
    return tree


def same(value, wanted):
    """Equal as JSON: true is not 1, and numbers are compared as numbers."""
    if isinstance(value, dict) and isinstance(wanted, dict):
        return value.keys() == wanted.keys() and all(same(value[key], wanted[key]) for key in value)
    if isinstance(value, list) and isinstance(wanted, list):
        return len(value) == len(wanted) and all(map(same, value, wanted))
    return isinstance(value, bool) == isinstance(wanted, bool) and value is not MISSING and value == wanted


def holds(value, wanted):
    if isinstance(wanted, dict) and len(wanted) == 1:
        (word, content), = wanted.items()
        if word == "oneOf":
            return any(same(value, one) for one in content)
        if word == "length":
            return isinstance(value, (list, str)) and len(value) == content
        if word == "absent":
            return value is MISSING
    return same(value, wanted)


def problems_hold(problems, wanted):
    kinds = [problem.get("kind") for problem in problems] if isinstance(problems, list) else None
    if kinds is None:
        return False
    if wanted == "some":
        return bool(kinds)
    return all(kind in kinds for kind in wanted) if wanted else not kinds


def faults(expect, exchanges, output):
    if "count" in expect and len(exchanges) != expect["count"]:
        yield "%d exchanges, not %d" % (len(exchanges), expect["count"])
    statuses = [exchange.get("status") for exchange in exchanges]
    if "statuses" in expect and statuses != expect["statuses"]:
        yield "statuses %s" % statuses
    for key, count in expect.get("paired", {}).items():
        found = sum(e.get("status") == "paired" and value_at(e, "requestHeader.requestApiKey") == int(key) for e in exchanges)
        if found != count:
            yield "%d paired of api %s, not %d" % (found, key, count)
    for index, paths in expect.get("at", {}).items():
        if int(index) >= len(exchanges):
            yield "no exchange %s" % index
            continue
        for path, wanted in paths.items():
            value = value_at(exchanges[int(index)], path)
            if not (problems_hold if path == "problems" else holds)(value, wanted):
                shown = "nothing" if value is MISSING else json.dumps(value)
                yield "%s %s: %s, not %s" % (index, path, shown[:100], json.dumps(wanted)[:100])
    for text in expect.get("present", []):
        if text not in output:
            yield "'%s' is not in the output" % text
    for text in expect.get("absent", []):
        if text in output:
            yield "'%s' is in the output" % text


def main():
    program, names = shlex.split(sys.argv[1]), sys.argv[2:]
    folder = os.path.dirname(os.path.abspath(__file__))
    passed = failed = 0
    with open(os.path.join(folder, "cases.jsonl"), encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    for case in cases:
        if names and case["name"] not in names:
            continue
        command = program + ["list", "--format", "ndjson", "--records", *case["options"], os.path.join(folder, case["file"])]
        try:
            done = subprocess.run(command, capture_output=True, timeout=30)
            output, errors = done.stdout.decode(), done.stderr.decode(errors="replace")
            exits = case["exit"] if isinstance(case["exit"], list) else [case["exit"]]
            found = [] if done.returncode in exits else ["exit %d: %s" % (done.returncode, errors[-200:].strip())]
            found += faults(case["expect"], [json.loads(line) for line in output.split("\n") if line], output + errors)
        except subprocess.TimeoutExpired:
            found = ["hangs"]
        except ValueError as error:
            found = ["bad output: %s" % error]
        if found:
            failed += 1
            print("FAIL %s: %s" % (case["name"], "; ".join(found)))
        else:
            passed += 1
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
