#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captures one conversation at both ends of a link: client.pcap and broker.pcap beside this script.

Two network namespaces with a link between them, 4 ms on the way there, 9 ms on the way back, tcpdump at each end. The
link is played by two tap devices and this script, which carries frames from one to the other; the broker by a few lines
that answer Heartbeat and wait a while before some answers. At the end the link is cut one way after the other: of two
connections one has an answer that is lost, the other a request that never arrives. The broker's capture is moved by 3.5 s,
as if its clock were ahead. Needs root, iproute2, tcpdump and editcap (wireshark-common).
"""
import fcntl
import os
import pathlib
import queue
import socket
import struct
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
CLIENT, BROKER, PORT = "10.99.0.1", "10.99.0.2", 9092
AHEAD_S = 3.5


def run(command: str) -> None:
    subprocess.run(command.split(), check=True)


def inside(namespace: str, role: str) -> subprocess.Popen:
    return subprocess.Popen(["ip", "netns", "exec", namespace, sys.executable, "-u", __file__, role],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def tap() -> None:
    """Carries frames between a tap device of this namespace and standard input and output, each behind its length."""
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, 0x400454CA, struct.pack("16sH", b"be0", 0x1002))  # TUNSETIFF: IFF_TAP | IFF_NO_PI
    os.write(1, b"!")

    def outwards() -> None:
        while True:
            frame = os.read(device, 2048)
            os.write(1, struct.pack(">H", len(frame)) + frame)

    threading.Thread(target=outwards, daemon=True).start()
    while head := sys.stdin.buffer.read(2):
        os.write(device, sys.stdin.buffer.read(*struct.unpack(">H", head)))


class Way:
    """One direction of the link: every frame comes out so much later, or never while it is cut."""

    def __init__(self, source: subprocess.Popen, sink: subprocess.Popen, delay_s: float):
        self.cut = False
        self.waiting = queue.SimpleQueue()
        self.source, self.sink, self.delay_s = source, sink, delay_s
        for step in (self.take, self.give):
            threading.Thread(target=step, daemon=True).start()

    def take(self) -> None:
        while head := self.source.stdout.read(2):
            frame = self.source.stdout.read(*struct.unpack(">H", head))
            if not self.cut:
                self.waiting.put((time.monotonic() + self.delay_s, head + frame))

    def give(self) -> None:
        while True:
            due, frame = self.waiting.get()
            time.sleep(max(0.0, due - time.monotonic()))
            self.sink.stdin.write(frame)
            self.sink.stdin.flush()


def read_frame(connection: socket.socket) -> bytes:
    size, = struct.unpack(">i", connection.recv(4, socket.MSG_WAITALL))
    return connection.recv(size, socket.MSG_WAITALL)


def heartbeat(correlation: int, pause_ms: int) -> bytes:
    """Heartbeat v0; the generation tells the broker of this play how long to wait."""
    text = lambda value: struct.pack(">h", len(value)) + value
    body = (struct.pack(">hhi", 12, 0, correlation) + text(b"both-ends") + text(b"group-1") +
            struct.pack(">i", pause_ms) + text(b"member-1"))
    return struct.pack(">i", len(body)) + body


def serve(connection: socket.socket) -> None:
    try:
        while True:
            frame = read_frame(connection)
            pause_ms, = struct.unpack(">i", frame[-14:-10])
            time.sleep(pause_ms / 1000)
            connection.sendall(struct.pack(">iih", 6, *struct.unpack(">i", frame[4:8]), 0))
    except (ConnectionError, struct.error):
        connection.close()


def broker() -> None:
    with socket.create_server((BROKER, PORT)) as server:
        print("ready", flush=True)
        while True:
            threading.Thread(target=serve, args=server.accept()[:1], daemon=True).start()


def client() -> None:
    first, second = (socket.create_connection((BROKER, PORT)) for _ in range(2))
    for correlation in range(20):
        for connection in (first, second):
            connection.sendall(heartbeat(correlation, 30 if correlation % 5 == 4 else 0))
            read_frame(connection)
    print("done", flush=True)
    sys.stdin.readline()  # from now on nothing comes back
    first.sendall(heartbeat(20, 0))
    time.sleep(0.1)
    print("sent", flush=True)
    sys.stdin.readline()  # from now on nothing gets there
    second.sendall(heartbeat(20, 0))
    time.sleep(0.3)
    print("sent", flush=True)
    sys.stdin.readline()


def say(process: subprocess.Popen) -> None:
    process.stdin.write(b"\n")
    process.stdin.flush()


def both() -> None:
    started = []

    def start(process: subprocess.Popen) -> subprocess.Popen:
        started.append(process)
        return process

    try:
        taps = []
        for end, address in (("client", CLIENT), ("broker", BROKER)):
            run(f"ip netns add be-{end}")
            taps.append(start(inside(f"be-{end}", "tap")))
            taps[-1].stdout.read(1)
            run(f"ip -n be-{end} addr add {address}/24 dev be0")
            run(f"ip -n be-{end} link set be0 up")
        there, back = Way(*taps, 0.004), Way(*reversed(taps), 0.009)
        dumps = [start(subprocess.Popen(["ip", "netns", "exec", f"be-{end}", "tcpdump", "-q", "-i", "be0", "--immediate-mode", "-U", "-w",
                                         str(HERE / f"{end}.pcap"), "tcp", "port", str(PORT)],
                                        stderr=subprocess.DEVNULL)) for end in ("client", "broker")]
        time.sleep(1)
        start(inside("be-broker", "broker")).stdout.readline()
        peer = start(inside("be-client", "client"))
        peer.stdout.readline()
        back.cut = True
        say(peer)
        peer.stdout.readline()
        there.cut = True
        say(peer)
        peer.stdout.readline()
        time.sleep(1)
        for dump in dumps:
            dump.terminate()
            dump.wait()
    finally:
        for process in reversed(started):
            process.kill()
        for end in ("client", "broker"):
            run(f"ip netns del be-{end}")
    moved = HERE / "broker.moved"
    run(f"editcap -F pcap -t {AHEAD_S} {HERE / 'broker.pcap'} {moved}")
    moved.replace(HERE / "broker.pcap")


if __name__ == "__main__":
    {"broker": broker, "client": client, "tap": tap}.get(sys.argv[1] if len(sys.argv) > 1 else "", both)()
