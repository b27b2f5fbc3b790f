# SPDX-License-Identifier: Apache-2.0
"""What a broker's request log tells of groups and transactions, as facts that can be counted and compared.

A fact is a tuple of a kind and its values. Times are kept apart: they agree within a bound only.
"""
import base64
import collections
from dataclasses import dataclass, field
from typing import Iterator, NamedTuple

PRODUCE, OFFSET_COMMIT, JOIN, HEARTBEAT, LEAVE, SYNC = 0, 8, 11, 12, 13, 14
INIT, ADD_PARTITIONS, ADD_OFFSETS, END, WRITE_MARKERS, TXN_COMMIT = 22, 24, 25, 26, 27, 28
EPOCH_HEARTBEATS = (68, 76, 88)
REBALANCE_IN_PROGRESS, MEMBER_ID_REQUIRED = 27, 79


class Logged(NamedTuple):
    key: int
    request: dict
    response: dict
    begin: float | None  # milliseconds since 1970, where the log has them
    end: float | None


@dataclass
class Facts:
    facts: collections.Counter = field(default_factory=collections.Counter)
    times: dict = field(default_factory=dict)  # fact to milliseconds, one for each time that it happened

    def add(self, *fact, times: int = 1) -> None:
        self.facts[fact] += times

    def time(self, *fact, at: float) -> None:
        self.times.setdefault(fact, []).append(at)

    def once(self, *fact) -> None:
        self.facts[fact] = 1


def numbers_text(numbers: list[int]) -> str:
    """[0, 1, 2, 5] is "0-2 5", as groups writes it."""
    parts, numbers = [], sorted(numbers)
    while numbers:
        run = 1
        while run < len(numbers) and numbers[run] == numbers[run - 1] + 1:
            run += 1
        first, last = numbers[0], numbers[run - 1]
        parts += [f"{first}-{last}"] if run > 2 else [str(number) for number in numbers[:run]]
        numbers = numbers[run:]
    return " ".join(parts)


def assignment_text(topics: list[tuple[str, list[int]]]) -> str:
    return ", ".join(f"{topic} {numbers_text(partitions)}" for topic, partitions in topics)


def classic_assignment(encoded: str | None) -> str:
    """A ConsumerProtocolAssignment."""
    data, position = base64.b64decode(encoded or ""), 2

    def take(size: int) -> int:
        nonlocal position
        value = int.from_bytes(data[position:position + size], "big", signed=True)
        position += size
        return value

    def topic() -> tuple[str, list[int]]:
        nonlocal position
        length = take(2)
        name = data[position:position + length].decode()
        position += length
        return name, [take(4) for _ in range(take(4))]

    return assignment_text([topic() for _ in range(take(4))]) if len(data) >= 6 else ""


def errors_of(response) -> list[int]:
    """All error codes of an answer in the order of the wire."""
    if isinstance(response, dict):
        found = []
        for name, value in response.items():
            if name.lower().endswith("errorcode"):
                found += [value] if value else []
            else:
                found += errors_of(value)
        return found
    if isinstance(response, list):
        return [code for value in response for code in errors_of(value)]
    return []


def topic_names(exchanges: list[Logged]) -> dict[str, str]:
    """Topic ids to names, out of whatever names both."""
    names = {}

    def learn(value) -> None:
        if isinstance(value, dict):
            name = value.get("name") or value.get("topicName")
            if name and value.get("topicId"):
                names[value["topicId"]] = name
            for inner in value.values():
                learn(inner)
        elif isinstance(value, list):
            for inner in value:
                learn(inner)

    for exchange in exchanges:
        learn(exchange.request)
        learn(exchange.response)
    return names


def group_facts_logged(exchanges: list[Logged]) -> Facts:
    result, names, offsets = Facts(), topic_names(exchanges), {}
    for key, request, response, _, end in exchanges:
        group = request.get("groupId")
        error = response.get("errorCode") or 0
        if key in (JOIN, SYNC, HEARTBEAT, LEAVE, *EPOCH_HEARTBEATS) and error:
            # The leader's answer to LeaveGroup v0-2 and all the others name one member.
            member = response.get("memberId") or request.get("memberId") or ""
            if error == REBALANCE_IN_PROGRESS and key in (SYNC, HEARTBEAT):
                result.add("must-rejoin", group, member, request["generationId"])
            elif error != MEMBER_ID_REQUIRED:
                result.add("failed", group, member, error)
        elif key == JOIN:
            result.once("generation", group, response["generationId"])
            result.once("member", group, response["memberId"])
            if end:
                result.times["rebalanced", group, response["generationId"]] = [end]
        elif key == SYNC:
            generation = request["generationId"]
            is_consumer = request.get("protocolType") in (None, "consumer")
            result.add("assigned", group, generation, request["memberId"],
                       classic_assignment(response["assignment"]) if is_consumer else "*")
            if ("rebalanced", group, generation) in result.times:
                result.times["rebalanced", group, generation] = [end]
        elif key == LEAVE:
            answered = response.get("members") or [{}] * len(request.get("members", []))
            for asked, answer in zip(request.get("members", []), answered):
                if answer.get("errorCode"):
                    result.add("failed", group, asked["memberId"], answer["errorCode"])
                elif asked["memberId"]:
                    result.add("left", group, asked["memberId"])
            if request.get("memberId"):
                result.add("left", group, request["memberId"])
        elif key in EPOCH_HEARTBEATS:
            epoch_heartbeat(result, names, request, response)
        elif key in (OFFSET_COMMIT, TXN_COMMIT):
            errors = errors_of(response)
            if errors:
                result.add("failed", group, request.get("memberId") or "", errors[0])
                continue
            result.add("commits", group)
            for topic in request["topics"]:
                for partition in topic["partitions"]:
                    place = f"{topic.get('name') or names.get(topic.get('topicId'), topic.get('topicId'))}-" \
                            f"{partition['partitionIndex']}"
                    offsets[group, place] = partition["committedOffset"]
    for (group, place), offset in offsets.items():
        result.once("committed", group, place, offset)
    return result


def epoch_heartbeat(result: Facts, names: dict[str, str], request: dict, response: dict) -> None:
    group, epoch = request["groupId"], response["memberEpoch"]
    member = response.get("memberId") or request["memberId"]
    result.once("member", group, member)
    if request["memberEpoch"] < 0:
        result.add("left", group, member)
        return
    result.once("generation", group, epoch)
    if response.get("assignment") is not None:
        assigned = response["assignment"]["topicPartitions"]
        result.add("assigned", group, epoch, member,
                   assignment_text([(names.get(t["topicId"], t["topicId"]), t["partitions"]) for t in assigned]))
    elif response.get("activeTasks") is not None:
        result.add("assigned", group, epoch, member,
                   assignment_text([(t["subtopologyId"], t["partitions"]) for t in response["activeTasks"]]))


def transaction_facts_logged(exchanges: list[Logged]) -> Facts:
    result, names, open_since = Facts(), topic_names(exchanges), {}
    for key, request, response, begin, end in exchanges:
        who = request.get("transactionalId") or request.get("v3AndBelowTransactionalId") or ""
        errors = errors_of(response)
        if errors and (key in (INIT, ADD_OFFSETS, END, TXN_COMMIT) or key in (PRODUCE, ADD_PARTITIONS) and who):
            result.add("failed", who, errors[0])
            continue
        producer = request.get("producerId"), request.get("producerEpoch")
        if key == INIT:
            result.add("init", who, response["producerId"], response["producerEpoch"])
            open_since.pop(who, None)
        elif key == END:
            outcome = "committed" if request["committed"] else "aborted"
            result.add(outcome, who, *producer)
            since = open_since.pop(who, None)
            if since and end:
                result.time("open", who, *producer, at=end - since)
        elif key == PRODUCE and who:
            # Clients put one batch into a partition's share of a request.
            result.add("produced", who, times=sum(len(topic["partitionData"]) for topic in request["topicData"]))
            open_since.setdefault(who, begin)
        elif key == ADD_PARTITIONS:
            for asker, place in added_partitions(request):
                result.add("added", *asker, place)
                open_since.setdefault(asker[0], begin)
        elif key == ADD_OFFSETS:
            result.add("added", who, *producer, f"group {request['groupId']}")
            open_since.setdefault(who, begin)
        elif key == TXN_COMMIT:
            for topic in request["topics"]:
                for partition in topic["partitions"]:
                    place = f"{name_in(topic, names)}-{partition['partitionIndex']}"
                    result.add("offset", who, *producer, request["groupId"], place, partition["committedOffset"])
            open_since.setdefault(who, begin)
        elif key == WRITE_MARKERS:
            for marker in request["markers"]:
                outcome = "COMMIT" if marker["transactionResult"] else "ABORT"
                for topic in marker["topics"]:
                    for partition in topic["partitionIndexes"]:
                        result.add("marker", marker["producerId"], marker["producerEpoch"], outcome,
                                   f"{topic['name']}-{partition}")
    return result


def name_in(topic: dict, names: dict[str, str]) -> str:
    return topic.get("name") or names.get(topic.get("topicId"), topic.get("topicId"))


def added_partitions(request: dict) -> Iterator[tuple[tuple, str]]:
    """((transactional id, producer id, epoch), partition); the broker's own questions (verifyOnly) add nothing."""
    old = {name.removeprefix("v3AndBelow"): value for name, value in request.items() if name.startswith("v3AndBelow")}
    transactions = request.get("transactions") or [{n[0].lower() + n[1:]: v for n, v in old.items()} or request]
    for transaction in transactions:
        if transaction.get("verifyOnly"):
            continue
        who = transaction["transactionalId"], transaction["producerId"], transaction["producerEpoch"]
        for topic in transaction["topics"]:
            for partition in topic["partitions"]:
                yield who, f"{topic['name']}-{partition}"
