#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures brokerscope against tshark on the same large capture in the same run. Prints figures, judges nothing.

    vs_tshark.py --brokerscope PROGRAM [--capture FILE | --bytes 1G] [--workdir DIR] [--without-tshark]

Without --capture, tests/data/bench/mixed-load.pcap.xz is grown to --bytes once and kept in --workdir. The capture is
read once before, so that both find it in the page cache. Memory is the peak of RssAnon in /proc/PID/status: mapped
pages of the capture do not count, they are the system's to drop.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import grow_capture

SMALL = pathlib.Path(__file__).resolve().parents[1] / "data/bench/mixed-load.pcap.xz"
TSHARK_FIELDS = ("frame.time_epoch", "kafka.api_key", "kafka.api_version", "kafka.correlation_id", "kafka.client_id",
                 "kafka.error")


class Run(NamedTuple):
    seconds: float
    lines: int
    anonymous: int  # bytes


def anonymous_memory(pid: int) -> int:
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:  # gone between two looks
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("RssAnon:")), 0)


def run(command: list, output: pathlib.Path) -> Run:
    peak = 0
    with open(output, "wb") as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        while True:
            peak = max(peak, anonymous_memory(process.pid))
            try:
                process.wait(timeout=0.01)
                break
            except subprocess.TimeoutExpired:
                continue
        seconds = time.perf_counter() - start
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with status {process.returncode}")
    with open(output, "rb") as lines:
        return Run(seconds, sum(1 for _ in lines), peak)


def report(name: str, result: Run, size: int) -> None:
    print(f"{name:<12} {result.seconds:8.2f} s  {size / result.seconds / 1e6:7.0f} MB/s  {result.lines:>9} lines  "
          f"{result.anonymous / 1e6:7.1f} MB anonymous memory at most", flush=True)


def version_time(program: pathlib.Path) -> float:
    """The best of twenty, in milliseconds."""
    times = []
    for _ in range(20):
        start = time.perf_counter()
        subprocess.run([program, "--version"], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("--capture", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--bytes", default="1G", metavar="SIZE")
    parser.add_argument("--workdir", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()), metavar="DIR")
    parser.add_argument("--without-tshark", action="store_true")
    arguments = parser.parse_args()

    capture = arguments.capture
    if not capture:
        arguments.workdir.mkdir(parents=True, exist_ok=True)
        capture = arguments.workdir / f"mixed-load-{arguments.bytes}.pcap"
        if not capture.exists():
            print(f"growing {SMALL.name} to {arguments.bytes}", flush=True)
            unfinished = capture.with_suffix(".unfinished")
            grow_capture.grow(grow_capture.read_packed(SMALL), unfinished, grow_capture.parse_size(arguments.bytes), 9092)
            unfinished.rename(capture)
    size = capture.stat().st_size
    with open(capture, "rb") as stream:
        while stream.read(1 << 24):
            pass
    print(f"{capture.name}: {size} bytes")

    with tempfile.TemporaryDirectory(dir=arguments.workdir) as folder:
        output = pathlib.Path(folder) / "output"
        ours = run([arguments.brokerscope, "list", "--no-bodies", "--format", "ndjson", capture], output)
        report("brokerscope", ours, size)
        if arguments.without_tshark or not shutil.which("tshark"):
            print("no tshark, no comparison")
        else:
            fields = [word for name in TSHARK_FIELDS for word in ("-e", name)]
            theirs = run(["tshark", "-r", capture, "-Y", "kafka", "-T", "fields", *fields], output)
            report("tshark", theirs, size)
            print(f"brokerscope is {theirs.seconds / ours.seconds:.1f} times as fast")
    print(f"brokerscope --version takes {version_time(arguments.brokerscope):.1f} ms")


if __name__ == "__main__":
    main()
