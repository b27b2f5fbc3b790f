#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the exchanges of tests/dissector/filter/filter_table.tsv a second way: each line has, beside the filter, the
same question as a Python expression, which is asked of the JSON that `list --format ndjson --records` prints. The
numbers of both must be those of the table.

    check_filter_table.py --brokerscope PROGRAM [--write]

--write puts the numbers that Python finds into the table.
"""
import argparse
import base64
import json
import re
import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).with_name("filter_table.tsv")
RETRIABLE_FILE = Path(__file__).parents[3] / "dissector" / "protocol" / "errors.schema"


def walk(value, path=()):
    """Every (path, value) of a JSON value, leaves and all."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from walk(below, path + (key,))
    elif isinstance(value, list):
        for below in value:
            yield from walk(below, path)
    else:
        yield path, value


class Exchange:
    """One exchange with the words that the table's expressions use."""

    def __init__(self, line, names, start):
        self.x = line
        self.h = line["requestHeader"]
        self.names = names
        self.n = line["exchange"]
        self.api = self.h.get("requestApiKeyName", "")
        self.key = self.h.get("requestApiKey")
        self.version = self.h.get("requestApiVersion")
        self.client_id = self.h.get("clientId")
        self.status = line["status"]
        self.ms = line.get("totalTimeMs", -1) if self.status == "paired" else -1
        self.wait = line.get("waitMs", -1) if self.status == "paired" else -1
        self.sending, self.receiving = line.get("requestTransferMs", -1), line.get("responseTransferMs", -1)
        self.think, self.trip = line.get("thinkMs"), line.get("roundTripMs")
        self.blocked = line.get("blockedMs", 0)
        self.in_flight, self.again = line.get("inFlight", 1), line.get("sentAgain", 0)
        self.waited = line.get("waitReason")
        self.errors = [e["code"] for e in line["errors"]]
        self.error_names = [e.get("name") for e in line["errors"]]
        self.since = seconds(line.get("requestTime") or line["responseTime"]) - start
        self.packets = line["packets"]["request"] + line["packets"]["response"]
        self.kinds = [p["kind"] for p in line["problems"]]

    def path(self, dotted):
        """The values of request.a.b or response.a.b, through all arrays."""
        side, *rest = dotted.split(".")
        return [v for p, v in walk(self.x.get(side) or {}) if p == tuple(rest) and v is not None]

    def named(self, *fields):
        """The values of all fields of these names, wherever they stand."""
        return [v for side in ("request", "response") for p, v in walk(self.x.get(side) or {})
                if p and p[-1] in fields and v is not None]

    @property
    def topics(self):
        """Names, and those of ids."""
        found = [v for v in self.named("topic", "topicName", "subscribedTopicNames", "sourceTopics")]
        for side in ("request", "response"):
            for entry in objects(self.x.get(side) or {}):
                if "name" in entry and ("partitions" in entry or "topicId" in entry or "partitionData" in entry
                                        or "partitionResponses" in entry or "numPartitions" in entry):
                    found.append(entry["name"])
        found += [self.names[i] for i in self.named("topicId") if i in self.names]
        return [t for t in found if t]

    @property
    def records(self):
        return [r for side in ("request", "response") for e in objects(self.x.get(side) or {})
                if isinstance(e.get("records"), list) and "crc" in e for r in e["records"]]

    @property
    def keys(self):
        return [text(r["key"]) for r in self.records if r["key"] is not None]

    @property
    def values(self):
        return [text(r["value"]) for r in self.records if r["value"] is not None]


def objects(value):
    if isinstance(value, dict):
        yield value
        for below in value.values():
            yield from objects(below)
    elif isinstance(value, list):
        for below in value:
            yield from objects(below)


def text(base):
    return base64.b64decode(base).decode("latin-1")


def seconds(iso):
    """Since midnight; no sample runs over it."""
    hours, minutes, rest = iso.split("T")[1].rstrip("Z").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def retriable_codes():
    codes = set()
    for line in RETRIABLE_FILE.read_text().splitlines():
        match = re.match(r"error (-?\d+) \w+ retriable", line)
        if match:
            codes.add(int(match[1]))
    return codes


def read_sample(program, name):
    sample = Path("samples") / name
    first = json.loads(subprocess.run([program, "summary", "--format", "ndjson", sample], check=True,
                                      capture_output=True, text=True).stdout)["firstPacketTime"]
    out = subprocess.run([program, "list", "--format", "ndjson", "--records", "--show-secrets", sample], check=True,
                         capture_output=True, text=True).stdout
    lines = [json.loads(line) for line in out.splitlines()]
    names = {"AAAAAAAAAAAAAAAAAAAAAQ": "__cluster_metadata"}
    for line in lines:
        for side in ("request", "response"):
            for entry in objects(line.get(side) or {}):
                if entry.get("topicId") and entry.get("name"):
                    names[entry["topicId"]] = entry["name"]
    return [Exchange(line, names, seconds(first)) for line in lines]


def compact(numbers):
    """1-3,7"""
    parts = []
    numbers = sorted(numbers)
    i = 0
    while i < len(numbers):
        j = i
        while j + 1 < len(numbers) and numbers[j + 1] == numbers[j] + 1:
            j += 1
        parts.append(str(numbers[i]) if i == j else f"{numbers[i]}-{numbers[j]}")
        i = j + 1
    return ",".join(parts) or "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--brokerscope", required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    retriable = retriable_codes()
    samples, out, wrong, rows = {}, [], 0, 0
    for line in TABLE.read_text().splitlines():
        if not line or line.startswith("#"):
            out.append(line)
            continue
        sample, expression, python, *numbers = line.split("\t")
        if sample not in samples:
            samples[sample] = read_sample(options.brokerscope, sample)
        code = compile(python, expression, "eval")
        words = {"re": re, "retriable": retriable}
        found = compact([e.n for e in samples[sample] if eval(code, dict(words, e=e, x=e.x, h=e.h))])
        rows += 1
        if not options.write and numbers != [found]:
            wrong += 1
            print(f"{sample}: {expression}: the table says {numbers}, Python finds {found}", file=sys.stderr)
        out.append("\t".join([sample, expression, python, found]))
    if options.write:
        TABLE.write_text("\n".join(out) + "\n")
    print(f"{rows} expressions, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
