# SPDX-License-Identifier: Apache-2.0
"""What both kinds of broker logs are compared with: the lines of `brokerscope list --format ndjson`."""
import collections
import functools
import ipaddress
import json
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, NamedTuple

# Kinds of problems that say something about the traffic and nothing about what was read.
NO_LOSS = ("trailing", "assumed-version", "other-layout", "clock")

Endpoint = tuple[Any, int]


@functools.lru_cache(maxsize=None)
def endpoint(text: str) -> Endpoint:
    """One spelling for `10.77.0.11:9092`, `[fd77::13]:9097` and the log's `fd77:0:0:0:0:0:0:13:9097`."""
    host, port = text.rsplit(":", 1)
    return ipaddress.ip_address(host.strip("[]")), int(port)


class Difference(NamedTuple):
    path: str
    ours: Any
    logged: Any

    def __str__(self) -> str:
        return f"{self.path}: decoded {json.dumps(self.ours)[:150]}, logged {json.dumps(self.logged)[:150]}"


class Entry(NamedTuple):
    """One request of a broker's log; compare(exchange) yields where the exchange differs from it."""
    broker: Endpoint
    client: Endpoint
    correlation_id: int
    api_key: int
    compare: Callable[[dict], Iterator[Difference]]

    @property
    def key(self) -> tuple:
        return self.broker, self.client, self.correlation_id, self.api_key


@dataclass
class Comparison:
    equal: int = 0
    different: int = 0
    not_logged: int = 0
    not_captured: int = 0
    notes: list[str] = field(default_factory=list)


def compare_all(exchanges: Iterable[dict], entries: Iterable[Entry]) -> Comparison:
    logged = collections.defaultdict(collections.deque)
    for entry in entries:
        logged[entry.key].append(entry)
    result = Comparison()
    connections = set()
    for exchange in exchanges:
        header = exchange["requestHeader"]
        connection = endpoint(exchange["broker"]), endpoint(exchange["client"])
        connections.add(connection)
        queue = logged.get((*connection, header.get("correlationId"), header.get("requestApiKey")))
        if not queue:
            result.not_logged += 1
            continue
        entry = queue.popleft()
        if exchange["status"] not in ("paired", "no-response-expected"):
            continue  # the broker answered, but not inside the capture
        found = list(entry.compare(exchange))
        found += [Difference("problems", p, []) for p in exchange["problems"] if p["kind"] not in NO_LOSS]
        if found:
            result.different += 1
            result.notes.append(f"exchange {exchange['exchange']} {header.get('requestApiKeyName')} "
                                f"v{header.get('requestApiVersion')} {found[0]}")
        else:
            result.equal += 1
    for queue in logged.values():
        for entry in queue:
            if (entry.broker, entry.client) in connections:
                result.not_captured += 1
                result.notes.append(f"logged but not decoded: api {entry.api_key}, correlation id "
                                    f"{entry.correlation_id}, port {entry.client[1]} to {entry.broker[0]}")
    return result
