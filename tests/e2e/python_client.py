# SPDX-License-Identifier: Apache-2.0
"""A kafka-python producer and group consumer; run by e2e.py inside the virtual environment that has the library.

    python_client.py PORT plain|sasl|tls RECORDS PASSWORD CERTIFICATE KEYLOG
"""
import ssl
import sys

from kafka import KafkaConsumer, KafkaProducer


def security(kind: str, password: str, certificate: str, key_log: str) -> dict:
    if kind == "sasl":
        return {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "PLAIN", "sasl_plain_username": "alice",
                "sasl_plain_password": password}
    if kind == "tls":
        context = ssl.create_default_context(cafile=certificate)
        context.keylog_filename = key_log
        return {"security_protocol": "SSL", "ssl_context": context}
    return {}


def main() -> None:
    port, kind, records, password, certificate, key_log = sys.argv[1:]
    settings = {"bootstrap_servers": f"127.0.0.1:{port}", "client_id": f"python-{kind}",
                **security(kind, password, certificate, key_log)}
    topic = f"python-{kind}"
    producer = KafkaProducer(acks="all", compression_type="gzip", linger_ms=0, **settings)
    for number in range(int(records)):
        producer.send(topic, key=b"k%d" % (number % 7), value=b'{"number":%d}' % number).get(timeout=20)
    producer.close()
    consumer = KafkaConsumer(topic, group_id=f"readers-{kind}", auto_offset_reset="earliest",
                             consumer_timeout_ms=30000, **settings)
    seen = 0
    for _ in consumer:
        seen += 1
        if seen == int(records):
            break
    consumer.commit()
    consumer.close()
    if seen != int(records):
        sys.exit(f"{kind}: read {seen} of {records} records back")


main()
