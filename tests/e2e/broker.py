# SPDX-License-Identifier: Apache-2.0
"""One Apache Kafka broker (KRaft, broker and controller in one process) on loopback, with its request log."""
import pathlib
import socket
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
PASSWORD = "made-up-for-tests"
CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"

LOG4J = """
status = error
appender.requests.type = File
appender.requests.name = requests
appender.requests.fileName = ${sys:e2e.requests}
appender.requests.layout.type = PatternLayout
appender.requests.layout.pattern = %m%n
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d %p %c %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
logger.request.name = kafka.request.logger
logger.request.level = trace
logger.request.additivity = false
logger.request.appenderRef.requests.ref = requests
"""

PROPERTIES = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{plain},SASL_PLAINTEXT://127.0.0.1:{sasl},SSL://127.0.0.1:{tls},CONTROLLER://127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,SSL:SSL,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
log.dirs={folder}/data
offsets.topic.replication.factor=1
offsets.topic.num.partitions=3
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=3
group.initial.rebalance.delay.ms=0
sasl.enabled.mechanisms=PLAIN
listener.name.sasl_plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="{password}";
ssl.keystore.type=PEM
ssl.keystore.location={folder}/broker.pem
ssl.client.auth=none
"""


def fetch_jars(folder: pathlib.Path) -> pathlib.Path:
    """The jars named by pom.xml; fetched once, kept below the build folder."""
    jars = folder / "jars"
    done = folder / "jars.complete"
    pom = (HERE / "pom.xml").read_text()
    if not done.exists() or done.read_text() != pom:
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mvn", "-q", "-B", "-f", HERE / "pom.xml", "dependency:copy-dependencies",
                        f"-DoutputDirectory={jars}"], check=True, stdin=subprocess.DEVNULL, timeout=600)
        done.write_text(pom)
    return jars


def make_certificate(folder: pathlib.Path) -> None:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    (folder / "broker.pem").write_text(key.read_text() + certificate.read_text())


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Broker:
    """Starts on construction; `with Broker(...) as broker` stops it."""

    def __init__(self, jars: pathlib.Path, folder: pathlib.Path):
        folder.mkdir(parents=True)
        self.class_path = f"{jars}/*"
        self.request_log = folder / "requests.jsonl"
        self.certificate = folder / "certificate.pem"
        self.plain, self.sasl, self.tls, self.controller = free_ports(4)
        make_certificate(folder)
        log4j, properties = folder / "log4j2.properties", folder / "server.properties"
        log4j.write_text(LOG4J)
        properties.write_text(PROPERTIES.format(folder=folder, password=PASSWORD, plain=self.plain, sasl=self.sasl,
                                                tls=self.tls, controller=self.controller))
        self._output = open(folder / "broker.out", "w", encoding="utf-8")
        subprocess.run(["java", "-cp", self.class_path, "kafka.tools.StorageTool", "format", "-t", CLUSTER_ID,
                        "-c", properties], check=True, stdout=self._output, stderr=self._output)
        self._process = subprocess.Popen(
            ["java", "-Xmx512m", f"-De2e.requests={self.request_log}", f"-Dlog4j2.configurationFile={log4j}",
             "-cp", self.class_path, "kafka.Kafka", properties], stdout=self._output, stderr=self._output,
            stdin=subprocess.DEVNULL)

    def __enter__(self) -> "Broker":
        deadline = time.monotonic() + 300  # on a quiet machine it takes 10 s
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            try:
                for port in (self.plain, self.sasl, self.tls):
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return self
            except OSError:
                time.sleep(0.3)
        self.__exit__()
        raise RuntimeError(f"the broker did not start; see {self._output.name}")

    def __exit__(self, *_) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()
