# SPDX-License-Identifier: Apache-2.0
"""The facts of logged_facts.py out of what `groups` and `transactions` print as ndjson.

`unlogged` are exchanges of the capture that the log does not have: a broker that went down did not write its last ones.
"""
import datetime

from logged_facts import Facts

APART_MS = 50  # the log's clock ticks in milliseconds, and the line is written after the answer is sent


def milliseconds(time: str) -> float:
    seconds, digits = time.rstrip("Z").split(".")
    whole = datetime.datetime.fromisoformat(seconds + "+00:00").timestamp()
    return whole * 1000 + float("0." + digits) * 1000


def times_apart(logged: dict, told: dict) -> list[str]:
    """Where the times of a fact, in their order, are not those of the log."""
    found = []
    for fact, times in logged.items():
        ours, what = told.get(fact, []), " ".join(map(str, fact))
        if len(ours) != len(times):
            found.append(f"{what}: {len(ours)} times, by the log {len(times)}")
        found += [f"{what}: {our:.1f} ms, by the log {time:.1f}" for our, time in zip(ours, times)
                  if abs(our - time) > APART_MS]
    return found


def offset_at(text: str) -> tuple[str, int]:
    """orders-0@15"""
    place, offset = text.rsplit("@", 1)
    return place, int(offset)


def group_facts_told(lines: list[dict], logged: Facts, unlogged: set[int]) -> Facts:
    result, offsets = Facts(), {}
    joined = {fact for fact in logged.facts if fact[0] == "member"}
    opaque = {fact[:4] for fact in logged.facts if fact[0] == "assigned" and fact[4] == "*"}
    for line in lines:
        group, member = line["group"], line.get("member", "")
        if line["type"] == "group" and line["commits"]:
            result.add("commits", group, times=line["commits"])
        # Members that were only refused or only committed are told as well; the log's facts are of those that joined.
        if line["type"] == "member" and ("member", group, member) in joined:
            result.once("member", group, member)
        if line["type"] != "event" or line["exchange"] in unlogged:
            continue
        event, generation = line["event"], line.get("generation")
        if event == "rebalance":
            result.add("generation", group, generation)
            result.time("rebalanced", group, generation, at=milliseconds(line["time"]) + line["tookMs"])
        elif event == "assigned":
            place = "assigned", group, generation, member
            result.add(*place, "*" if place in opaque else line.get("partitions", ""))
        elif event == "left":
            result.add("left", group, member)
        elif event == "must-rejoin":
            result.add("must-rejoin", group, member, generation, times=line["times"])
        elif event == "failed":
            result.add("failed", group, member, line["errorCode"], times=line["times"])
        elif event == "committed":
            for part in line.get("partitions", "").split():
                place, offset = offset_at(part)
                offsets[group, place] = offset
    for (group, place), offset in offsets.items():
        result.once("committed", group, place, offset)
    return result


def transaction_facts_told(lines: list[dict], _: Facts, unlogged: set[int]) -> Facts:
    result = Facts()
    for line in lines:
        who = line.get("transactionalId", "")
        producer = line.get("producerId"), line.get("producerEpoch")
        if line["type"] == "transaction" and line["result"] in ("committed", "aborted") and "why" not in line:
            result.add(line["result"], who, *producer)
            result.time("open", who, *producer, at=line["openMs"])
        if line["type"] != "event" or line["exchange"] in unlogged:
            continue
        event, places = line["event"], line.get("partitions", [])
        if event == "init":
            result.add("init", who, *producer)
        elif event == "produce" and who:
            result.add("produced", who, times=line.get("times", 1))
        elif event in ("add-partitions", "add-offsets"):
            for place in places or [line["text"]]:
                result.add("added", who, *producer, place)
        elif event == "commit-offsets":
            for place in places:
                result.add("offset", who, *producer, line["group"], *offset_at(place))
        elif event == "write-markers":
            for place in places:
                result.add("marker", *producer, line["outcome"], place)
        # The log does not say of a Produce without a transactional id whether it was idempotent.
        elif event == "failed" and (who or line["text"] != "Produce"):
            result.add("failed", who, line["errorCode"], times=line.get("times", 1))
    return result
