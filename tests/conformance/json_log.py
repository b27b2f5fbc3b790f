# SPDX-License-Identifier: Apache-2.0
"""The request log of brokers since 2.8: one JSON object a line with header, request and response of one exchange.

Every value of the exchange must be the log's, under the log's name. What the log does not hold cannot be compared:
requests that were forwarded inside an Envelope (the log shows the inner request), the bodies of requests in a version
that the broker does not have, and values that the broker blanks out because they are secrets.
"""
import json
from typing import Any, Iterator

from exchanges import Difference, Entry, endpoint

BLANKED_OUT = (None, "", "(redacted)", "[hidden]")
SECRET_FIELDS = ("value", "authBytes", "hmac", "salt", "saltedPassword", "config")
UNSUPPORTED_VERSION = 35


def read_entries(lines: Iterator[str], same_names: bool) -> Iterator[Entry]:
    """same_names: the broker is as new as our field names; older ones logged some fields under older names."""
    for line in lines:
        logged = json.loads(line)
        if logged["isForwarded"]:
            continue
        broker, client = logged["connection"].split("-")[:2]
        header = logged["requestHeader"]
        yield Entry(endpoint(broker), endpoint(client), header["correlationId"], header["requestApiKey"],
                    lambda exchange, logged=logged: compare(exchange, logged, same_names))


def compare(exchange: dict, logged: dict, same_names: bool) -> Iterator[Difference]:
    header = logged["requestHeader"]
    ours = {name: value for name, value in exchange["requestHeader"].items() if name in header}
    yield from differences(ours, header, "requestHeader", True)
    refused = not logged.get("request") and (logged.get("response") or {}).get("errorCode") == UNSUPPORTED_VERSION
    if not refused:
        yield from differences(exchange["request"], logged.get("request"), "request", same_names)
    if exchange["status"] == "paired":
        yield from differences(exchange["response"], logged.get("response"), "response", same_names)


def differences(ours: Any, logged: Any, path: str, same_names: bool) -> Iterator[Difference]:
    if isinstance(ours, dict) and isinstance(logged, dict):
        for name, logged_name in paired_names(ours, logged, same_names):
            where = f"{path}.{name or logged_name}"
            if name is None:
                yield Difference(where, "no such field", logged[logged_name])
            elif logged_name is None:
                yield Difference(where, ours[name], "no such field")
            elif not (name in SECRET_FIELDS and logged[logged_name] in BLANKED_OUT or ours[name] == "(masked)"):
                yield from differences(ours[name], logged[logged_name], where, same_names)
    elif isinstance(ours, list) and isinstance(logged, list):
        if len(ours) != len(logged):
            yield Difference(f"{path}.length", len(ours), len(logged))
        for index, (our_element, logged_element) in enumerate(zip(ours, logged)):
            yield from differences(our_element, logged_element, f"{path}[{index}]", same_names)
    elif ours != logged or isinstance(ours, bool) != isinstance(logged, bool):
        yield Difference(path, ours, logged)


def paired_names(ours: dict, logged: dict, same_names: bool) -> Iterator[tuple[str | None, str | None]]:
    """(our name, the log's name) of each field; None on the side that lacks it."""
    yield from ((name, name) for name in ours if name in logged)
    our_rest = [name for name in ours if name not in logged]
    # Records that the broker answers right from a file are logged as an empty text, without their size.
    logged_rest = [name for name in logged if name not in ours
                   and not (logged[name] in ("", None) and name + "SizeInBytes" in our_rest)]
    our_rest = [name for name in our_rest if logged.get(name.removesuffix("SizeInBytes"), name) not in ("", None)]
    if not same_names and len(our_rest) == len(logged_rest):
        yield from zip(our_rest, logged_rest)  # renamed since: the same fields in the same order of the wire
    else:
        yield from ((name, None) for name in our_rest)
        yield from ((None, name) for name in logged_rest)
