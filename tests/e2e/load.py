#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Live capture under load on loopback: as many Kafka bytes as the machine moves, for a while.

    load.py --brokerscope PROGRAM --folder DIR [--seconds N] [--rate MBIT]

A made-up producer and broker in two processes exchange Produce requests of 16 KiB and their answers. Meanwhile

    list      `brokerscope list -i lo` has to go on printing, to say what was dropped, and to keep its memory
    capture   `brokerscope capture -w` is killed (SIGKILL) in the middle; the file must read up to the last flush
    ring      `brokerscope capture --ring 10x10MB`: ten files are left, older ones gone, nothing lost between them

Prints what was seen, and ends with 1 when something is not as it has to be. Needs the right to capture.
"""
import argparse
import json
import multiprocessing
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

REQUESTS_A_ROUND = 64
PAYLOAD = 16 << 10
RSS_GROWTH_ALLOWED_MB = 64


def text(value: str) -> bytes:
    return struct.pack(">h", len(value)) + value.encode()


def produce_request(correlation_id: int) -> bytes:
    """Produce v3 with one topic, one partition, one record set that is a batch of one record (its CRC is not right)."""
    batch_body = struct.pack(">iBiHiqqqhii", 0, 2, 0, 0, 0, 0, 0, -1, -1, -1, 1) + b"\0" * PAYLOAD
    batch = struct.pack(">qi", 0, len(batch_body)) + batch_body
    body = struct.pack(">hhi", -1, 1, 30000)
    body += struct.pack(">i", 1) + text("load") + struct.pack(">i", 1) + struct.pack(">ii", 0, len(batch)) + batch
    header = struct.pack(">hhi", 0, 3, correlation_id) + text("loader")
    return struct.pack(">i", len(header) + len(body)) + header + body


def produce_response(correlation_id: int) -> bytes:
    body = struct.pack(">i", 1) + text("load") + struct.pack(">i", 1) + struct.pack(">ihqq", 0, 0, 1, -1)
    body += struct.pack(">i", 0)
    return struct.pack(">ii", 4 + len(body), correlation_id) + body


REQUESTS = b"".join(produce_request(n) for n in range(REQUESTS_A_ROUND))
RESPONSES = b"".join(produce_response(n) for n in range(REQUESTS_A_ROUND))


def receive(connection: socket.socket, size: int, buffer: bytearray) -> bool:
    view, got = memoryview(buffer), 0
    while got < size:
        count = connection.recv_into(view[got:size])
        if count == 0:
            return False
        got += count
    return True


def answer(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    buffer = bytearray(len(REQUESTS))
    while receive(connection, len(REQUESTS), buffer):
        connection.sendall(RESPONSES)


class Load:
    """Rounds of requests from this process to a broker in another one."""

    def __init__(self) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self._broker = multiprocessing.Process(target=answer, args=(listener,), daemon=True)
        self._broker.start()
        listener.close()
        self._connection = socket.create_connection(("127.0.0.1", self.port))
        self._buffer = bytearray(len(RESPONSES))
        self.exchanges = 0

    def run(self, seconds: float, rate_mbit: float, each_second=lambda: None) -> float:
        """Returns the megabits a second that were reached."""
        start = time.monotonic()
        rounds, next_call = 0, start + 1
        while (now := time.monotonic()) - start < seconds:
            if now >= next_call:
                each_second()
                next_call += 1
            if rate_mbit and rounds * len(REQUESTS) * 8e-6 > rate_mbit * (now - start):
                time.sleep(0.001)
                continue
            self._connection.sendall(REQUESTS)
            receive(self._connection, len(RESPONSES), self._buffer)
            rounds += 1
            self.exchanges += REQUESTS_A_ROUND
        return rounds * len(REQUESTS) * 8e-6 / (time.monotonic() - start)

    def end(self) -> None:
        self._connection.close()
        self._broker.join(10)
        self._broker.kill()


class Program:
    def __init__(self, folder: pathlib.Path, name: str, *command) -> None:
        self.output, self.errors = folder / f"{name}.out", folder / f"{name}.err"
        with open(self.output, "wb") as out, open(self.errors, "wb") as err:
            self.process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=err,
                                            stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while b"capturing on" not in self.errors.read_bytes():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise PermissionError(self.errors.read_text(errors="replace").strip())
            time.sleep(0.05)
        time.sleep(0.2)

    def memory_mb(self) -> float:
        """What is its own; pages of temporary files belong to the file and go when they are given back."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("RssAnon:")[1].split()[0]) / 1024

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(120)

    def said(self) -> str:
        return self.errors.read_text(errors="replace").strip().splitlines()[-1]


def exchanges_in(program: pathlib.Path, files) -> int:
    listing = subprocess.run([program, "list", "--format", "ndjson", "--no-bodies", *files], capture_output=True,
                             check=False)
    return sum(json.loads(line)["status"] == "paired" for line in listing.stdout.splitlines())


def check_list(program: pathlib.Path, folder: pathlib.Path, seconds: float, rate: float) -> bool:
    load = Load()
    live = Program(folder, "list", program, "list", "-i", "lo", "-f", f"tcp port {load.port}", "--format", "ndjson",
                   "--no-bodies", "--kernel-buffer", "64")
    memory, lines = [], []

    def look() -> None:
        memory.append(live.memory_mb())
        lines.append(live.output.stat().st_size)

    reached = load.run(seconds, rate, look)
    load.end()
    time.sleep(2)
    status = live.interrupt()
    listed = sum(1 for _ in open(live.output, "rb"))
    settled = memory[len(memory) // 4:]
    print(f"list: {reached:,.0f} Mbit/s for {seconds:.0f} s, {load.exchanges} exchanges, {listed} listed; {live.said()}")
    print(f"      memory {settled[0]:.1f} MB after a quarter, {max(settled):.1f} MB at most, {settled[-1]:.1f} MB at the end")
    stalled = sum(b <= a for a, b in zip(lines, lines[1:]))
    print(f"      in {stalled} of {len(lines)} seconds nothing was printed; exit status {status}")
    lost_unsaid = listed < load.exchanges and "none dropped" in live.said()
    return (status == 0 and not lost_unsaid and max(settled) - settled[0] < RSS_GROWTH_ALLOWED_MB
            and stalled <= len(lines) // 5)


def check_kill(program: pathlib.Path, folder: pathlib.Path, rate: float) -> bool:
    load = Load()
    file = folder / "killed.pcapng"
    capture = Program(folder, "kill", program, "capture", "-i", "lo", "-f", f"tcp port {load.port}", "-w", file)
    load.run(3, rate)
    before = load.exchanges  # at least these were on the disk when the next second was over
    load.run(2.5, rate)
    capture.process.kill()
    capture.process.wait()
    load.end()
    found = exchanges_in(program, [file])
    print(f"kill: {before} exchanges more than 2.5 s before SIGKILL, {found} read from {file.stat().st_size / 1e6:.0f} MB")
    return found >= before


def check_ring(program: pathlib.Path, folder: pathlib.Path, rate: float) -> bool:
    load = Load()
    whole, ring = folder / "whole", folder / "ring"
    whole.mkdir()
    ring.mkdir()
    common = ("-i", "lo", "-f", f"tcp port {load.port}", "--kernel-buffer", "64")
    programs = [Program(folder, "whole", program, "capture", *common, "--ring", "10MB", "-w", whole / "k.pcapng"),
                Program(folder, "ring", program, "capture", *common, "--ring", "10x10MB", "-w", ring / "k.pcapng")]
    load.run(8, rate)
    load.end()
    time.sleep(1)
    for each in programs:
        each.interrupt()
    written, left = sorted(whole.iterdir()), sorted(ring.iterdir())
    found = exchanges_in(program, written)
    in_ring = exchanges_in(program, left)
    size = sum(file.stat().st_size for file in left) / 1e6
    print(f"ring: {load.exchanges} exchanges, {found} in {len(written)} files read as one ({programs[0].said()}); "
          f"10x10MB keeps {len(left)} files, {size:.0f} MB, {in_ring} exchanges, the first is {left[0].name}")
    return found == load.exchanges and len(left) == 10 and len(written) > 10 and in_ring > 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("--folder", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--seconds", type=float, default=60, help="how long the list is under load (60)")
    parser.add_argument("--rate", type=float, default=0, metavar="MBIT", help="megabits a second; 0: all there are (0)")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    try:
        good = [check_list(arguments.brokerscope, arguments.folder, arguments.seconds, arguments.rate),
                check_kill(arguments.brokerscope, arguments.folder, arguments.rate or 400),
                check_ring(arguments.brokerscope, arguments.folder, arguments.rate or 200)]
    except PermissionError as error:
        print(f"SKIPPED: no load test, this user may not capture: {error}")
        return 0
    print("as it has to be" if all(good) else "NOT as it has to be")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
