#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what brokerscope says about ids and secrets against models that know nothing of it.

    payloads.py --brokerscope PROGRAM secrets|names|sessions|opaque

secrets    every value that the default output masks is nowhere in the default output of any command, in no encoding
names      every Fetch and Produce by topic id has the topic's name wherever the capture holds it, before or after
sessions   the partitions of each Fetch are those that a model of fetch sessions gives when it replays the bodies
opaque     no bytes field that is described somewhere is left as bytes
"""
import argparse
import base64
import collections
import csv
import io
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
CAPTURES = ROOT / "tests/data/captures"
MASKED = "(masked)"
SECRET_CAPTURES = [SAMPLES / "sasl.pcap", CAPTURES / "admin/capture.pcap.zst",
                   CAPTURES / "sasl-ssl/capture-dsb.pcapng.zst", SAMPLES / "kraft-cluster.pcap.zst"]
# Known to be in these captures, so that the search cannot pass because nothing was found to search for.
SURELY_SECRET = {"sasl.pcap": ["alice-pw", "eyJhbGciOiJub25lIn0"], "admin": [], "sasl-ssl": ["alice-pw"]}
ID_CAPTURES = [SAMPLES / "kraft-cluster.pcap.zst", SAMPLES / "rebalance-kip848.pcap.zst",
               SAMPLES / "rebalance-classic.pcap.zst", SAMPLES / "transactions.pcap", SAMPLES / "share-group.pcap",
               SAMPLES / "first-steps.pcap", CAPTURES / "transactions-bridge/capture.pcap.zst",
               CAPTURES / "share-group-bridge/capture.pcap.zst", CAPTURES / "old-3.9.1/capture.pcap.zst",
               CAPTURES / "old-2.8.2/capture.pcap.zst", CAPTURES / "connect/capture.pcap.zst",
               CAPTURES / "streams-classic/capture.pcap.zst"]


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *words):
        result = subprocess.run([self.path, *map(str, words)], capture_output=True, timeout=120, check=False)
        assert result.returncode in (0, 3), (words, result.stderr.decode())
        return result.stdout.decode() + result.stderr.decode()

    def lines(self, capture, *words):
        text = self.run("list", "--format", "ndjson", *words, capture)
        return [json.loads(line) for line in text.split("\n") if line.startswith("{")]


# --- secrets

def masked_values(masked, shown):
    """What stands in `shown` where `masked` has the mask."""
    if masked == MASKED:
        yield shown
    elif isinstance(masked, dict) and isinstance(shown, dict):
        for key in masked:
            yield from masked_values(masked[key], shown.get(key))
    elif isinstance(masked, list) and isinstance(shown, list):
        for one, other in zip(masked, shown):
            yield from masked_values(one, other)


def forms(secret):
    """The secret as text, as the bytes that it may be base64 of, both in each encoding of the output."""
    contents = {secret.encode()}
    try:
        contents.add(base64.b64decode(secret, validate=True))
    except ValueError:
        pass
    for content in contents:
        if len(content) < 6:
            continue
        yield content.hex()
        yield base64.b64encode(content).decode().rstrip("=")[:-1]
        try:
            yield content.decode()
        except UnicodeDecodeError:
            pass


def hex_columns(text):
    """The bytes of `show --hex` in one piece, as far as they are shown."""
    return "".join(re.findall(r"^[0-9a-f]{4,}  ((?:(?:[0-9a-f]{2}|\*\*|\.\.) )+)", text, re.M)).replace(" ", "")


def outputs(program, capture):
    yield program.run("summary", capture)
    yield program.run("summary", "--format", "ndjson", capture)
    for options in ([], ["--format", "csv"], ["--format", "ndjson"], ["--format", "ndjson", "--records"],
                    ["--format", "ndjson", "--records", "--expand"]):
        yield program.run("list", *options, capture)
    for options in ([], ["--notes"], ["--format", "ndjson"], ["--format", "ndjson", "--expand"]):
        yield program.run("show", *options, "-Y", "port > 0", capture)
    shown = program.run("show", "--hex", "-Y", "port > 0", capture)
    yield shown
    yield hex_columns(shown)
    for options in ([], ["--format", "csv"], ["--format", "ndjson"]):
        yield program.run("records", *options, capture)


def secrets(program):
    searched = 0
    for capture in SECRET_CAPTURES:
        everything = ["--records", "--expand"]
        found = set()
        for masked, shown in zip(program.lines(capture, *everything),
                                 program.lines(capture, *everything, "--show-secrets")):
            found.update(value for value in masked_values(masked, shown) if isinstance(value, str))
        known = [secret for name, values in SURELY_SECRET.items() if name in str(capture) for secret in values]
        for secret in known:
            assert any(secret in value for value in found), f"{capture}: {secret} was not masked anywhere"
        needles = {form for secret in [*found, *known] for form in forms(secret) if len(form) >= 6}
        searched += len(needles)
        for text in outputs(program, capture):
            for needle in needles:
                assert needle not in text, f"{capture}: {needle} is in\n" + excerpt(text, needle)
    assert searched >= 60, searched
    print(f"{searched} forms of secrets, none shown")


def excerpt(text, needle):
    at = text.index(needle)
    return text[max(0, at - 200):at + 100]


# --- names

def name_pairs(value):
    """(id, name) wherever both stand side by side."""
    if isinstance(value, dict):
        name = next((value[key] for key in ("name", "topicName", "topic") if isinstance(value.get(key), str)), None)
        if isinstance(value.get("topicId"), str) and name:
            yield value["topicId"], name
        for inner in value.values():
            yield from name_pairs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from name_pairs(inner)


def topic_ids(value):
    if isinstance(value, dict):
        if isinstance(value.get("topicId"), str):
            yield value["topicId"]
        for key, inner in value.items():
            if key != "records":
                yield from topic_ids(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from topic_ids(inner)


NO_ID = "AAAAAAAAAAAAAAAAAAAAAA"
METADATA_ID = "AAAAAAAAAAAAAAAAAAAAAQ"


def names(program):
    named = unknown = 0
    for capture in ID_CAPTURES:
        lines = program.lines(capture, "--records", "--expand")
        known = {METADATA_ID: "__cluster_metadata"}
        for line in lines:
            body = {key: value for key, value in line.items() if key != "fetchScope"} # that is ours
            known.update((topic, name) for topic, name in name_pairs(body) if topic != NO_ID)
        wanted = {}
        for line in lines:
            if line["requestHeader"].get("requestApiKey") not in (0, 1):
                continue
            ids = set(topic_ids(line["request"])) or set(topic_ids(line["response"]))
            ids.discard(NO_ID)
            if ids:
                wanted[line["exchange"]] = ids
        table = program.run("list", "--format", "csv", "--columns", "exchange,topic", "-Y", "api in {Fetch, Produce}",
                            capture)
        told = {int(row["exchange"]): row["topic"] for row in csv.DictReader(io.StringIO(table))}
        for exchange, ids in wanted.items():
            expected = {known.get(topic, topic) for topic in ids}
            assert set(told[exchange].split()) == expected, (capture, exchange, told[exchange], expected)
            named += sum(topic in known for topic in ids)
            unknown += sum(topic not in known for topic in ids)
    assert named > 2000, named
    print(f"{named} topic ids named, {unknown} that the captures do not name")


# --- fetch sessions

def partitions(topics):
    result = collections.defaultdict(set)
    for topic in topics or []:
        key = topic.get("topic") or topic["topicId"]
        for partition in topic["partitions"]:
            result[key].add(partition if isinstance(partition, int) else partition["partition"])
    return result


def sessions(program):
    full = incremental = 0
    for capture in ID_CAPTURES:
        known = {}
        for line in sorted(program.lines(capture, "--expand"), key=lambda one: (one.get("responseTime", "~"))):
            if line["requestHeader"].get("requestApiKey") != 1 or "sessionId" not in line["request"]:
                continue
            request, response = line["request"], line["response"] or {}
            scope = line["fetchScope"]
            broker = line["broker"]
            key = (broker, request["sessionId"])
            asked = partitions(request["topics"])
            complete = True
            if request["sessionEpoch"] > 0:
                session = known.get(key)
                complete = session is not None and session[1]
                state = collections.defaultdict(set)
                for topic, numbers in (session[0] if session else {}).items():
                    state[topic] = set(numbers)
                for topic, numbers in asked.items():
                    state[topic] |= numbers
                for topic, numbers in partitions(request["forgottenTopicsData"]).items():
                    state[topic] -= numbers
                asked = state
                incremental += 1
            else:
                known.pop(key, None)
                full += 1
            asked = {topic: numbers for topic, numbers in asked.items() if numbers}
            got = partitions([{"topic": one.get("topicId") or one["topic"], "partitions": one["partitions"]}
                              for one in scope["topics"]])
            assert got == asked and scope["complete"] == complete, (capture, line["exchange"], got, asked, scope)
            if not response or response.get("errorCode"):
                known.pop(key, None) if response else None
            elif request["sessionEpoch"] > 0:
                known[key] = (asked, complete)
            elif request["sessionEpoch"] == 0 and response["sessionId"]:
                known[(broker, response["sessionId"])] = (asked, True)
    assert full > 200 and incremental > 2000, (full, incremental)
    print(f"{full} full and {incremental} incremental fetches equal the model")


# --- opaque bytes

# What nobody outside can read: random bytes, keys and values of ordinary topics.
def opaque(program):
    left = collections.Counter()
    for capture in [*ID_CAPTURES, *SECRET_CAPTURES]:
        text = program.run("show", "-Y", "port > 0", capture)
        left.update(re.findall(r"^ +(\w+)  +[\d,]+ bytes?  (?:[0-9a-f]{2}(?: |$)|\")", text, re.M))
    assert not left, left
    print("no bytes field of these captures is left closed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", required=True)
    parser.add_argument("what", choices=["secrets", "names", "sessions", "opaque"])
    arguments = parser.parse_args()
    {"secrets": secrets, "names": names, "sessions": sessions, "opaque": opaque}[arguments.what](
        Program(arguments.brokerscope))


if __name__ == "__main__":
    sys.exit(main())
