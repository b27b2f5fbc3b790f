#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a capture of any size out of a small one, to measure speed and memory with.

    grow_capture.py SMALL.pcap[.xz|.gz] LARGE.pcap --bytes 1G [--server-port 9092]

Writes the small capture's TCP packets again and again, one round behind the other in time. In each round the clients
have other addresses (11.0.0.0 and up), so that every round brings connections of its own; the checksums stay right.
SMALL is a classic pcap file of Ethernet and IPv4.
"""
import argparse
import gzip
import lzma
import pathlib
import struct
import sys
from typing import NamedTuple

FRACTIONS = {0xA1B2C3D4: 1_000_000, 0xA1B23C4D: 1_000_000_000}
FILE_HEADER, RECORD_HEADER, ETHERNET = 24, 16, 14
FIRST_ADDRESS = 11 << 24


class Packet(NamedTuple):
    """Where one packet's changing parts lie in the round, and what stood there."""
    record: int
    time: int          # in the file's fractions of a second, from the first packet on
    client: int        # offset of the client's address
    sums: tuple        # ((offset, value), ...) of the IPv4 and the TCP checksum


def read_round(raw: bytes, server_port: int) -> tuple[bytearray, list[Packet], int, int, int]:
    """The bytes of one round, its packets, and the file's first time, fractions a second and client address."""
    magic, link = struct.unpack_from("<I", raw)[0], struct.unpack_from("<I", raw, 20)[0]
    if magic not in FRACTIONS or link != 1:
        sys.exit("the small capture must be a little-endian pcap file of Ethernet packets")
    fraction = FRACTIONS[magic]
    out, packets, first, clients = bytearray(), [], None, set()
    at = FILE_HEADER
    while at + RECORD_HEADER <= len(raw):
        seconds, parts, size = struct.unpack_from("<III", raw, at)
        record, at = raw[at:at + RECORD_HEADER + size], at + RECORD_HEADER + size
        ip = RECORD_HEADER + ETHERNET
        if len(record) < ip + 40 or record[ip - 2:ip] != b"\x08\x00" or record[ip + 9] != 6:
            continue
        tcp = ip + (record[ip] & 15) * 4
        source_port, target_port = struct.unpack_from("!HH", record, tcp)
        if server_port not in (source_port, target_port):
            continue
        time = seconds * fraction + parts
        first = time if first is None else first
        client = ip + (12 if target_port == server_port else 16)
        clients.add(record[client:client + 4])
        sums = tuple((len(out) + where, struct.unpack_from("!H", record, where)[0]) for where in (ip + 10, tcp + 16))
        packets.append(Packet(len(out), time - first, len(out) + client, sums))
        out += record
    if len(clients) != 1:
        sys.exit(f"the small capture must have one client address on port {server_port}, it has {len(clients)}")
    return out, packets, first, fraction, int.from_bytes(clients.pop(), "big")


def grow(raw: bytes, target: pathlib.Path, size: int, server_port: int) -> int:
    """Writes the large capture; returns how many rounds it holds."""
    block, packets, first, fraction, old = read_round(raw, server_port)
    span = packets[-1].time + fraction // 10
    rounds = written = 0
    with open(target, "wb") as out:
        out.write(raw[:FILE_HEADER])
        while FILE_HEADER + written < size:
            new = FIRST_ADDRESS + rounds
            # RFC 1624: the one's complement sum changes by the same amount in every packet of the round.
            change = sum(~word & 0xFFFF for word in (old >> 16, old & 0xFFFF)) + (new >> 16) + (new & 0xFFFF)
            start = first + rounds * span
            for packet in packets:
                struct.pack_into("<II", block, packet.record, *divmod(start + packet.time, fraction))
                struct.pack_into("!I", block, packet.client, new)
                for where, was in packet.sums:
                    total = (~was & 0xFFFF) + change
                    total = (total & 0xFFFF) + (total >> 16)
                    total = (total & 0xFFFF) + (total >> 16)
                    struct.pack_into("!H", block, where, ~total & 0xFFFF)
            out.write(block)
            written += len(block)
            rounds += 1
    return rounds


def parse_size(text: str) -> int:
    units = {"k": 10**3, "M": 10**6, "G": 10**9}
    return int(float(text.rstrip("kMG")) * units.get(text[-1], 1))


def read_packed(path: pathlib.Path) -> bytes:
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(path.suffix, open)
    with opener(path, "rb") as stream:
        return stream.read()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("small", type=pathlib.Path)
    parser.add_argument("large", type=pathlib.Path)
    parser.add_argument("--bytes", type=parse_size, default="1G", help="at least so many: 500M, 1G (default), ...")
    parser.add_argument("--server-port", type=int, default=9092)
    arguments = parser.parse_args()
    rounds = grow(read_packed(arguments.small), arguments.large, arguments.bytes, arguments.server_port)
    print(f"{arguments.large}: {arguments.large.stat().st_size} bytes, {rounds} rounds")


if __name__ == "__main__":
    main()
