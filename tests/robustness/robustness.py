#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives brokerscope what is not a good capture: whatever comes, it must not crash or hang, and must say what is wrong.

    robustness.py --brokerscope PROGRAM [--public DIR] [CASE...]

Cases: unreadable (an empty file, a text, a directory, no file, no permission), truncated (a pcap file cut at each of
its first 2,000 bytes, a pcapng file and compressed ones at some), public (every file below --public, captures of other
protocols and broken ones). Exit status and message must be the contract's: 0 silence, 2 one line that names the file,
3 one line that says at which byte; and what is listed of a cut capture is the beginning of what is listed of the whole.
"""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Callable, Iterator, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
SECONDS = 5
LONGEST_LINE = 400
NOBODY = 65534
PCAP_HEADER = 24


class Result(NamedTuple):
    status: int
    output: bytes
    messages: list[str]


class Failure(Exception):
    pass


def run(program: pathlib.Path, *arguments, user: int | None = None) -> Result:
    """Runs brokerscope; a crash, a hang and a message that is no clear line are failures whatever the input."""
    command = [program, *arguments, "-q"]  # without the notes, what is left is the reason for the status
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL, user=user)
    except subprocess.TimeoutExpired:
        raise Failure(f"still running after {SECONDS} s") from None
    messages = done.stderr.decode("utf-8", errors="replace").splitlines()
    if done.returncode not in (0, 2, 3):
        raise Failure(f"exit status {done.returncode}: {' '.join(messages)[:2000]}")
    if done.returncode and len(messages) != 1:
        raise Failure(f"exit status {done.returncode} with {len(messages)} lines of explanation: {messages[:3]}")
    if any(len(line) > LONGEST_LINE or not line.isprintable() for line in messages):
        raise Failure(f"a message that nobody wants to read: {messages[0][:LONGEST_LINE]!r}")
    return Result(done.returncode, done.stdout, messages)


def expect(result: Result, status: int, *mentions: str) -> None:
    text = " ".join(result.messages)
    if result.status != status:
        raise Failure(f"exit status {result.status} instead of {status}: {text}")
    for mention in mentions:
        if mention not in text:
            raise Failure(f"the message does not mention {mention!r}: {text}")


def unreadable(program: pathlib.Path, folder: pathlib.Path) -> Iterator[tuple[str, Callable[[], None]]]:
    empty, text, secret = folder / "empty.pcap", folder / "text.pcap", folder / "secret.pcap"
    empty.touch()
    text.write_text("This is not a capture.\n" * 50)
    secret.write_bytes((SAMPLES / "first-steps.pcap").read_bytes())
    secret.chmod(0)
    user = NOBODY if os.geteuid() == 0 else None  # root may read everything
    for command in ("summary", "list"):
        for what, path in (("an empty file", empty), ("a text file", text), ("a directory", folder),
                           ("a missing file", folder / "missing.pcap")):
            yield f"{command} of {what}", lambda c=command, p=path: expect(run(program, c, p), 2, str(p))
        yield (f"{command} of a file without permission",
               lambda c=command: expect(run(program, c, secret, user=user), 2, str(secret)))


def listing(program: pathlib.Path, path: pathlib.Path) -> Result:
    return run(program, "list", "--format", "ndjson", "--no-bodies", path)


def identities(result: Result) -> list[bytes]:
    """What names an exchange and does not depend on whether its answer is still in the capture."""
    return re.findall(rb'"client":"[^"]*","broker":"[^"]*","requestHeader":\{[^}]*\}', result.output)


def pcap_status(data: bytes, size: int) -> int:
    """What a pcap file cut after `size` bytes must end with: it is only whole if the cut is between two packets."""
    at = PCAP_HEADER
    while at < size:
        at += 16 + int.from_bytes(data[at + 8:at + 12], "little")
    return 2 if size < PCAP_HEADER else 0 if at == size else 3


def cut(program: pathlib.Path, path: pathlib.Path, whole: list[bytes], data: bytes, size: int) -> None:
    path.write_bytes(data[:size])
    try:
        result = listing(program, path)
    finally:
        path.unlink()
    if path.suffix == ".pcap":
        expect(result, pcap_status(data, size))
    if result.status:
        expect(result, result.status, str(path) if result.status == 2 else "byte")
    found = identities(result)
    if found != whole[:len(found)]:
        raise Failure(f"lists {len(found)} exchanges that are not the first ones of the whole capture")


def truncated(program: pathlib.Path, folder: pathlib.Path) -> Iterator[tuple[str, Callable[[], None]]]:
    for name, sizes in (("first-steps.pcap", range(1, 2001)), ("tls13-with-secrets.pcapng", range(1, 30000, 601)),
                        ("rebalance-kip848.pcap.zst", range(1, 60000, 1201))):
        data, whole = (SAMPLES / name).read_bytes(), identities(listing(program, SAMPLES / name))
        for size in sizes:
            path = folder / f"{size}-{name}"
            yield f"{name} cut at byte {size}", functools.partial(cut, program, path, whole, data, size)


def public(program: pathlib.Path, files: list[pathlib.Path]) -> Iterator[tuple[str, Callable[[], None]]]:
    for path in files:
        for command in ("summary", "list"):
            yield f"{command} of {path}", lambda c=command, p=path: run(program, c, p)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("--public", type=pathlib.Path, metavar="DIR")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    program = arguments.brokerscope.resolve()
    files = sorted(p for p in arguments.public.rglob("*") if p.is_file()) if arguments.public else []

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        cases = {"unreadable": unreadable(program, folder), "truncated": truncated(program, folder),
                 "public": public(program, files)}
        checks = [check for case in arguments.cases or cases for check in cases[case]]
        failures = 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for title, future in [(title, pool.submit(check)) for title, check in checks]:
                try:
                    future.result()
                except Failure as failure:
                    failures += 1
                    print(f"{title}: {failure}")
    print(f"{len(checks)} inputs, {failures} failures")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
