#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the content of every TCP stream of captures with what tshark's `follow` says.

    compare_with_tshark.py STREAM_DUMP FILE...

STREAM_DUMP is the program built from stream_dump.cpp. Prints a line for each file and each stream that differs; exit 1
when one does. Bytes are compared one by one, and the sizes of lost parts. What a snap length cut off leaves no trace in
tshark's output, so it is left out here too.
"""
import re
import subprocess
import sys
from collections import defaultdict

MISSING = re.compile(rb"\[(\d+) bytes missing in capture file\]\.")
STREAMS_A_RUN = 200


def tshark(*arguments):
    done = subprocess.run(["tshark", *arguments], capture_output=True, check=False)
    return done.stdout.decode()


def theirs(file):
    """{stream number: (ends, [bytes of node 0, bytes of node 1])}; a hole is a run of None."""
    numbers = sorted({int(n) for n in tshark("-r", file, "-T", "fields", "-e", "tcp.stream").replace(",", "\n").split()})
    found = {}
    for start in range(0, len(numbers), STREAMS_A_RUN):
        options = [option for n in numbers[start:start + STREAMS_A_RUN] for option in ("-z", f"follow,tcp,raw,{n}")]
        text = tshark("-r", file, "-q", *options)
        for part in text.split("===================================================================\n"):
            head = re.search(r"Filter: tcp.stream eq (\d+)\nNode 0: (.*)\nNode 1: (.*)\n", part)
            if not head:
                continue
            sides = [[], []]
            for line in part[head.end():].splitlines():
                data = bytes.fromhex(line.strip())
                sides[line.startswith("\t")] += with_holes(data)
            found[int(head[1])] = ((head[2], head[3]), sides)
    return found


def with_holes(data):
    out, at = [], 0
    for hole in MISSING.finditer(data):
        out += data[at:hole.start()]
        out += [None] * int(hole[1])
        at = hole.end()
    return out + list(data[at:])


def ours(program, file):
    done = subprocess.run([program, file], capture_output=True, check=False)
    if done.returncode:
        return None, done.stderr.decode().strip()
    found, cut = {}, 0
    for line in done.stdout.decode().splitlines():
        words = line.split(" ")
        if words[0] == "open":
            found[int(words[1])] = ((words[2], words[3]), [[], []])
            continue
        stream = found[int(words[0])][1][int(words[3])]
        if words[4] == "cut":
            cut += int(words[5])
        else:
            stream += [None] * int(words[5]) if words[4] == "lost" else bytes.fromhex(words[4])
    return found, f"{cut} cut; {done.stderr.decode().strip()}"


def compare(program, file):
    mine, summary = ours(program, file)
    if mine is None:
        print(f"none {summary}")
        return True, 0, 0
    yours = theirs(file)
    by_ends = defaultdict(list)
    for number in sorted(mine):
        by_ends[frozenset(mine[number][0])].append(mine[number])
    streams = octets = holes = differing = 0
    for number in sorted(yours):
        ends, sides = yours[number]
        candidates = by_ends[frozenset(ends)]
        if not candidates:
            if any(sides):
                print(f"  {file}: tcp.stream {number} {ends} is missing")
                differing += 1
            continue
        our_ends, our_sides = candidates.pop(0)
        if our_ends != ends:
            our_sides = our_sides[::-1]
        for side in (0, 1):
            streams += 1
            octets += len(our_sides[side])
            holes += sum(b is None for b in our_sides[side])
            if our_sides[side] != sides[side]:
                differing += 1
                print(f"  {file}: tcp.stream {number} from {ends[side]}: {difference(our_sides[side], sides[side])}")
    for rest in by_ends.values():
        for ends, sides in rest:
            if any(sides):
                differing += 1
                print(f"  {file}: {ends} with {len(sides[0])} and {len(sides[1])} bytes is no stream of tshark")
    print(f"{'ok  ' if not differing else 'DIFF'} {file}: {streams} streams, {octets} bytes, {holes} lost, {summary}")
    return differing == 0, streams, octets


def difference(a, b):
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return f"{len(a)} bytes here, {len(b)} there, first difference at {at}: {a[at:at + 4]} and {b[at:at + 4]}"


def main():
    results = [compare(sys.argv[1], file) for file in sys.argv[2:]]
    print(f"{sum(ok for ok, _, _ in results)} of {len(results)} files equal: {sum(n for _, n, _ in results)} streams, "
          f"{sum(n for _, _, n in results)} bytes")
    return 0 if all(ok for ok, _, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
