#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `export -Y` writes, read by tshark: the packets of the exchanges that fit are there, each as it was, with the
handshakes of their connections, and nothing else; the first packet of each exchange has its comment.

    export_in_tshark.py --brokerscope PROGRAM --tshark PROGRAM
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = (("samples/first-steps.pcap", "api == Fetch"), ("samples/errors.pcap.zst", "error and not retriable"),
         ("samples/transactions.pcap", "transactional.id"), ("samples/produce-acks.pcap", "acks == 0"))
FIELDS = ("frame.time_epoch", "frame.len", "ip.src", "tcp.srcport", "ip.dst", "tcp.dstport", "tcp.seq_raw", "tcp.flags",
          "tcp.len")


def output(*command) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def packets(tshark: str, capture: pathlib.Path, *more: str) -> list[list[str]]:
    fields = [word for field in FIELDS + more for word in ("-e", field)]
    text = output(tshark, "-r", capture, "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=|", *fields)
    return [line.split("\t") for line in text.splitlines()]


def check(program: pathlib.Path, tshark: str, sample: str, expression: str) -> str | None:
    capture = ROOT / sample
    rows = [json.loads(line) for line in
            output(program, "list", "--format", "ndjson", "--no-bodies", "-Y", expression, capture).splitlines()]
    wanted, firsts = set(), set()
    for row in rows:
        numbers = row["packets"].get("request", []) + row["packets"].get("response", [])
        wanted |= set(numbers)
        firsts.add(numbers[0])
    with tempfile.TemporaryDirectory() as folder:
        part = pathlib.Path(folder) / "part.pcapng"
        output(program, "export", "-q", "-Y", expression, "-w", part, capture)
        found = packets(tshark, part, "frame.comment")
        plain = pathlib.Path(folder) / "whole.pcapng"
        output(program, "export", "-q", "-w", plain, capture)
        whole = packets(tshark, plain)
    numbers = {tuple(packet): number for number, packet in enumerate(whole, 1)}
    connections = {frozenset((tuple(whole[n - 1][2:4]), tuple(whole[n - 1][4:6]))) for n in wanted}
    got, commented = set(), 0
    for packet in found:
        number = numbers.get(tuple(packet[:-1]))
        if number is None:
            return f"a packet of {part.name} is not in the capture: {packet}"
        got.add(number)
        commented += packet[-1] != ""
        if (packet[-1] != "") != (number in firsts):
            return f"packet {number} has the comment '{packet[-1]}'"
        ends = frozenset((tuple(packet[2:4]), tuple(packet[4:6])))
        if number not in wanted and (packet[8] != "0" or ends not in connections):
            return f"packet {number} belongs to no exchange that fits and is no part of a handshake"
    if missing := wanted - got:
        return f"{len(missing)} packets are missing: {sorted(missing)[:5]}"
    opened = {n for n, p in enumerate(whole, 1) if int(p[7], 16) & 2 and frozenset((tuple(p[2:4]), tuple(p[4:6]))) in connections}
    if not opened <= got:
        return f"handshakes are missing: {sorted(opened - got)[:5]}"
    print(f"{sample} -Y '{expression}': {len(rows)} exchanges, {len(found)} packets, {commented} comments")
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True)
    parser.add_argument("--tshark", required=True)
    arguments = parser.parse_args()
    failed = 0
    for sample, expression in CASES:
        if complaint := check(arguments.brokerscope, arguments.tshark, sample, expression):
            print(f"{sample} -Y '{expression}': {complaint}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
