#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tshark decrypts from captures with TLS, as the table that tls_captures_test compares with.

    plaintext_by_tshark.py NAME=CAPTURE[,KEYLOG]... > tests/data/tls/plaintext.tsv

A row for each side of each TCP connection: the capture's name, who sent and who received, how many bytes of
application data, and their SHA-256. Without KEYLOG the secrets are those in the capture itself. All of the capture's
ports are tried as TLS.
"""
import hashlib
import re
import subprocess
import sys


def tshark(capture, *arguments):
    run = subprocess.run(["tshark", "-n", "-r", capture, *arguments], capture_output=True, text=True, check=True)
    return run.stdout


def connections(capture):
    """[(number, client, server)]"""
    fields = tshark(capture, "-Y", "tcp.flags.syn == 1 && tcp.flags.ack == 0", "-T", "fields", "-e", "tcp.stream",
                    "-e", "ip.src", "-e", "tcp.srcport", "-e", "ip.dst", "-e", "tcp.dstport")
    for line in fields.splitlines():
        number, source, source_port, target, target_port = line.split("\t")
        yield number, f"{source}:{source_port}", f"{target}:{target_port}"


def plaintext(capture, number, server, key_log):
    """What client and server sent."""
    port = server.rsplit(":")[-1]
    options = ["-d", f"tcp.port=={port},tls", "-q", "-z", f"follow,tls,raw,{number}"]
    if key_log:
        options += ["-o", f"tls.keylog_file:{key_log}"]
    text = tshark(capture, *options)
    # Node 0 is who sent application data first; what node 1 sent is indented. Only one of them is named.
    server_is_indented = f"Node 1: {server}" in text or f"Node 0: {server}" not in text
    sent = {False: bytearray(), True: bytearray()}
    for line in text.splitlines():
        if re.fullmatch(r"\t?[0-9a-f]+", line):
            sent[line.startswith("\t")] += bytes.fromhex(line.strip())
    return bytes(sent[not server_is_indented]), bytes(sent[server_is_indented])


def main():
    print("capture\tfrom\tto\tbytes\tsha256")
    for argument in sys.argv[1:]:
        name, _, files = argument.partition("=")
        capture, _, key_log = files.partition(",")
        for number, client, server in connections(capture):
            request, response = plaintext(capture, number, server, key_log)
            print(name, client, server, len(request), hashlib.sha256(request).hexdigest(), sep="\t")
            print(name, server, client, len(response), hashlib.sha256(response).hexdigest(), sep="\t")


if __name__ == "__main__":
    main()
