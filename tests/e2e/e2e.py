#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A real Apache Kafka broker and real clients, captured live on loopback, compared with the broker's own request log.

    e2e.py --brokerscope PROGRAM --folder DIR

kcat, the console tools from Kafka's jars and kafka-python produce and consume in plain text, over SASL and over TLS (the
Python client writes its key log). Meanwhile `brokerscope list -i lo` prints what it sees, and `brokerscope capture`
records it together with the TLS secrets. Afterwards each line of the broker's log must be there, field by field, from
both, and nothing must have been dropped. Where Java, Maven, kcat or the right to capture is missing it says so loudly
and ends with status 0; otherwise status 1 on any difference.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import venv
from typing import Iterable

from broker import PASSWORD, Broker, fetch_jars

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "conformance"))
import json_log  # noqa: E402
from exchanges import compare_all  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
AT_LEAST = 2000  # exchanges
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def missing() -> str:
    for program in ("java", "mvn", "kcat", "openssl"):
        if not shutil.which(program):
            return f"{program} is not installed"
    return ""


def run(*command, text: str = "", timeout: int = 300) -> None:
    done = subprocess.run([str(part) for part in command], input=text.encode(), capture_output=True, timeout=timeout,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))[:200]}: exit status {done.returncode}\n"
                           f"{done.stderr.decode(errors='replace')[-2000:]}")


def python_with_kafka(folder: pathlib.Path) -> pathlib.Path:
    environment = folder / "venv"
    python = environment / "bin/python"
    if not (environment / "complete").exists():
        venv.create(environment, with_pip=True, clear=True)
        run(python, "-m", "pip", "install", "-q", "kafka-python==2.2.15", timeout=300)
        (environment / "complete").touch()
    return python


class Capture:
    """A command of brokerscope on loopback while the `with` block runs."""

    def __init__(self, program: pathlib.Path, broker: Broker, folder: pathlib.Path, name: str, *words):
        ports = " or ".join(f"port {port}" for port in (broker.plain, broker.sasl, broker.tls))
        self.output = folder / f"{name}.out"
        self.messages = folder / f"{name}.err"
        self._command = [program, *words, "-i", "lo", "-f", f"tcp and ({ports})"]

    def __enter__(self) -> "Capture":
        with open(self.output, "wb") as output, open(self.messages, "wb") as messages:
            self._process = subprocess.Popen(self._command, stdout=output, stderr=messages, stdin=subprocess.DEVNULL)
        while "capturing on" not in self.said():
            if self._process.poll() is not None:
                raise PermissionError(self.said())
            time.sleep(0.05)
        time.sleep(0.5)
        return self

    def __exit__(self, *_) -> None:
        time.sleep(1.5)
        self._process.send_signal(signal.SIGINT)
        self.status = self._process.wait(120)

    def said(self) -> str:
        return self.messages.read_text(errors="replace").strip()

    @property
    def good(self) -> bool:
        return self.status == 0 and "none dropped" in self.said()


def read_lines(lines: Iterable[str]) -> list[dict]:
    return [json.loads(line) for line in lines]


def use_kcat(broker: Broker) -> None:
    address = f"127.0.0.1:{broker.plain}"
    for codec in CODECS:
        run("kcat", "-b", address, "-P", "-t", f"kcat-{codec}", "-z", codec, "-X", "linger.ms=0",
            text="".join(f"value {n} {'x' * 50}\n" for n in range(50)))
        run("kcat", "-b", address, "-C", "-t", f"kcat-{codec}", "-o", "beginning", "-e")
    run("kcat", "-b", address, "-P", "-t", "kcat-none", "-X", "acks=0", text="no answer\n")
    run("kcat", "-b", address, "-L")
    sasl = ("-X", "security.protocol=SASL_PLAINTEXT", "-X", "sasl.mechanism=PLAIN", "-X", "sasl.username=alice", "-X",
            f"sasl.password={PASSWORD}")
    run("kcat", "-b", f"127.0.0.1:{broker.sasl}", *sasl, "-P", "-t", "kcat-sasl", text="over sasl\n")


def use_java_tools(broker: Broker) -> None:
    address = f"127.0.0.1:{broker.plain}"
    java = ("java", "-Xmx256m", "-cp", broker.class_path)
    run(*java, "org.apache.kafka.tools.TopicCommand", "--bootstrap-server", address, "--create", "--topic", "many",
        "--partitions", "1")
    # A batch of one byte and one partition: every record travels in a request of its own.
    run(*java, "org.apache.kafka.tools.ProducerPerformance", "--topic", "many", "--num-records", "2200", "--record-size",
        "100", "--throughput", "-1", "--producer-props", f"bootstrap.servers={address}", "batch.size=1", "acks=all")
    run(*java, "org.apache.kafka.tools.consumer.ConsoleConsumer", "--bootstrap-server", address, "--topic", "many",
        "--from-beginning", "--max-messages", "2200", "--group", "console")
    run(*java, "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand", "--bootstrap-server", address, "--describe",
        "--all-groups")


def use_python(broker: Broker, python: pathlib.Path, key_log: pathlib.Path) -> None:
    for kind, port in (("plain", broker.plain), ("sasl", broker.sasl), ("tls", broker.tls)):
        run(python, HERE / "python_client.py", port, kind, 100, PASSWORD, broker.certificate, key_log)


def compare(what: str, exchanges: list[dict], broker: Broker) -> bool:
    logged = [line.removeprefix("Completed request:") for line in broker.request_log.read_text().split("\n") if line]
    result = compare_all(exchanges, json_log.read_entries(iter(logged), same_names=True))
    statuses = [exchange["status"] for exchange in exchanges]
    print(f"{what}: {len(exchanges)} exchanges, {result.equal} equal the broker's log, {result.different} different, "
          f"{result.not_captured} logged but not there, {statuses.count('unanswered')} unanswered")
    for note in result.notes[:10]:
        print(f"    {note}")
    tls = sum(exchange["broker"].endswith(f":{broker.tls}") for exchange in exchanges)
    sasl = sum(exchange["broker"].endswith(f":{broker.sasl}") for exchange in exchanges)
    print(f"    of these {tls} over TLS and {sasl} over SASL")
    return not result.different and not result.not_captured and result.equal >= AT_LEAST and tls > 100 and sasl > 100


def report(program: pathlib.Path, live: Capture, recording: Capture, file: pathlib.Path, broker: Broker) -> int:
    with open(live.output, encoding="utf-8") as lines:
        good = compare("printed live", read_lines(lines), broker)
    listing = subprocess.run([program, "list", "--format", "ndjson", file], capture_output=True, check=True)
    good &= compare("from the recorded file and the secrets in it", read_lines(listing.stdout.decode().split("\n")[:-1]),
                    broker)
    for each in (live, recording):
        print(each.said().splitlines()[-1])
    return 0 if good and live.good and recording.good else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokerscope", type=pathlib.Path, required=True, metavar="PROGRAM")
    parser.add_argument("--folder", type=pathlib.Path, required=True, metavar="DIR", help="for jars, logs, results")
    arguments = parser.parse_args()
    started = time.monotonic()
    lack = missing()
    if lack:
        print(f"SKIPPED: no end-to-end test, {lack}", flush=True)
        return 0
    os.makedirs(arguments.folder, exist_ok=True)
    jars = fetch_jars(arguments.folder)
    python = python_with_kafka(arguments.folder)
    folder = arguments.folder / "run"
    shutil.rmtree(folder, ignore_errors=True)
    with Broker(jars, folder) as broker:
        key_log = folder / "keylog.txt"
        key_log.touch()
        file = folder / "recorded.pcapng.zst"
        program = arguments.brokerscope
        live = Capture(program, broker, folder, "live", "list", "--format", "ndjson", "--keylog", key_log)
        recording = Capture(program, broker, folder, "recording", "capture", "-w", file, "--keylog", key_log)
        try:
            with live, recording:
                use_kcat(broker)
                use_java_tools(broker)
                use_python(broker, python, key_log)
        except PermissionError as error:
            print(f"SKIPPED: no end-to-end test, this user may not capture: {error}")
            return 0
        status = report(program, live, recording, file, broker)
    print(f"took {time.monotonic() - started:.0f} s", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
