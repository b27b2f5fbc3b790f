# SPDX-License-Identifier: Apache-2.0
"""The request logs of brokers before 2.8: text, in three shapes that changed with the releases.

    0.8      Name: FetchRequest; Version: 0; CorrelationId: 3; ...; RequestInfo: [topic,0] -> PartitionFetchInfo(0,100)
    0.10     {api_key=1,api_version=3,correlation_id=3,client_id=c} -- {replica_id=1,...,topics=[{topic=t,...}]}
    1.1      RequestHeader(apiKey=FETCH, apiVersion=7, ...) -- {replica_id=1,...},response:{error_code=0,...}

Field names changed since, the order on the wire did not. So the structures of 0.10 and 1.1 are compared as sequences
of values in the order of the wire; the elements of arrays in any order, because these brokers logged from hash maps.
Bytes are compared by their length, records not at all. Of 0.8 the fields in FIELDS_0_8 are compared, and what stands
there of each partition.
"""
import base64
import re
from typing import Any, Iterator

from exchanges import Difference, Entry, endpoint

API_KEYS = {
    "PRODUCE": 0, "FETCH": 1, "LIST_OFFSETS": 2, "METADATA": 3, "LEADER_AND_ISR": 4, "STOP_REPLICA": 5,
    "UPDATE_METADATA": 6, "CONTROLLED_SHUTDOWN": 7, "OFFSET_COMMIT": 8, "OFFSET_FETCH": 9, "FIND_COORDINATOR": 10,
    "JOIN_GROUP": 11, "HEARTBEAT": 12, "LEAVE_GROUP": 13, "SYNC_GROUP": 14, "API_VERSIONS": 18, "INIT_PRODUCER_ID": 22,
    "OFFSET_FOR_LEADER_EPOCH": 23, "ADD_PARTITIONS_TO_TXN": 24, "END_TXN": 26, "WRITE_TXN_MARKERS": 27,
}
SCALA_NAMES = {
    "ProducerRequest": 0, "FetchRequest": 1, "OffsetRequest": 2, "TopicMetadataRequest": 3, "LeaderAndIsrRequest": 4,
    "StopReplicaRequest": 5, "UpdateMetadataRequest": 6, "ControlledShutdownRequest": 7, "OffsetCommitRequest": 8,
    "OffsetFetchRequest": 9, "ConsumerMetadataRequest": 10,
}
# Names in the log of 0.8 -> ours.
FIELDS_0_8 = {
    "ReplicaId": "replicaId", "MaxWait": "maxWaitMs", "MinBytes": "minBytes", "RequiredAcks": "acks",
    "AckTimeoutMs": "timeoutMs", "Group": "key", "GroupId": "groupId", "GroupGenerationId": "generationIdOrMemberEpoch",
    "ConsumerId": "memberId", "Controller": "controllerId", "ControllerId": "controllerId",
    "ControllerEpoch": "controllerEpoch", "DeletePartitions": "deletePartitions", "BrokerId": "brokerId",
}
# Fields of bytes, by api: the log prints their length, our JSON has them as base64.
BYTES = {11: ("metadata",), 14: ("assignment",)}
LIST_OFFSETS_V0 = (2, 0)  # 1.1 keeps these topics elsewhere and logs an empty array

ENTRY = re.compile(r"\d+ broker (?P<broker>\d+) (?P<text>.*?) from "
                   r"(?:connection (?P<connection>\S+?)|client /(?P<client>\S+?));totalTime:")
HEADER_1_1 = re.compile(r"RequestHeader\(apiKey=(?P<api>\w+), apiVersion=(?P<version>\d+), clientId=(?P<client>.*), "
                        r"correlationId=(?P<id>-?\d+)\) -- ")
HEADER_0_10 = re.compile(r"\{api_key=(?P<api>\d+),api_version=(?P<version>\d+),correlation_id=(?P<id>-?\d+),"
                         r"client_id=(?P<client>.*?)\} -- ")


def read_entries(lines: Iterator[str], broker_endpoint: dict[str, str]) -> Iterator[Entry]:
    """broker_endpoint: id -> `address:port`, for the logs of 0.8, which name only the client's end."""
    for line in lines:
        found = ENTRY.match(line)
        text = found["text"]
        if found["connection"]:
            broker, client = found["connection"].split("-")[:2]
        else:
            broker, client = broker_endpoint[found["broker"]], found["client"]
        header = HEADER_1_1.match(text) or HEADER_0_10.match(text)
        if header:
            api = API_KEYS[header["api"]] if header["api"] in API_KEYS else int(header["api"])
            expected = {"requestApiVersion": int(header["version"]), "clientId": header["client"]}
            rest = text[header.end():]
            compare = lambda exchange, expected=expected, rest=rest: compare_structures(exchange, expected, rest)
            number = int(header["id"])
        else:
            fields = dict(re.split(r":\s*", part, maxsplit=1) for part in re.split(r";\s*", text.strip()))
            api, number = SCALA_NAMES[fields["Name"]], int(fields["CorrelationId"])
            compare = lambda exchange, fields=fields: compare_scala(exchange, fields)
        yield Entry(endpoint(broker), endpoint(client), number, api, compare)


def compare_structures(exchange: dict, header: dict, text: str) -> Iterator[Difference]:
    for name, value in header.items():
        if exchange["requestHeader"][name] != value:
            yield Difference(f"requestHeader.{name}", exchange["requestHeader"][name], value)
    api, version = exchange["requestHeader"]["requestApiKey"], exchange["requestHeader"]["requestApiVersion"]
    parser = Parser(text)
    logged = parser.value()
    if api == 0:
        yield from compare_produce(exchange["request"], dict(logged))
    elif (api, version) != LIST_OFFSETS_V0:
        yield from sequences(exchange["request"], logged, api, "request")
    if parser.accept(",response:") and exchange["status"] == "paired":
        yield from sequences(exchange["response"], parser.value(), api, "response")


def compare_produce(request: dict, logged: dict) -> Iterator[Difference]:
    """Produce is logged in a form of its own: acks, timeout and the size of each partition's records."""
    ours = [str(request["acks"]), str(request["timeoutMs"]),
            sorted(f"{topic}-{partition}={size}" for topic, partition, size in partitions_of(request))]
    theirs = [logged["acks"], logged["timeout"], sorted(logged["partitionSizes"])]
    if ours != theirs:
        yield Difference("request", ours, theirs)


def sequences(ours: Any, logged: Any, api: int, path: str) -> Iterator[Difference]:
    left, right = our_sequence(ours, BYTES.get(api, ())), logged_sequence(logged)
    if left != right:
        yield Difference(path, left, right)


def our_sequence(value: Any, bytes_fields: tuple) -> list:
    """The values below `value` in the order of the wire; an array is one value, its elements sorted."""
    if isinstance(value, list):
        return [sorted((our_sequence(element, bytes_fields) for element in value), key=repr)]
    if not isinstance(value, dict):
        return ["null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)]
    sequence = []
    for name, inner in value.items():
        if name in bytes_fields:
            sequence.append(f"{len(base64.b64decode(inner))} bytes")
        elif name != "recordsSizeInBytes":
            sequence += our_sequence(inner, bytes_fields)
    return sequence


def logged_sequence(value: Any) -> list:
    if isinstance(value, list):
        return [sorted((logged_sequence(element) for element in value), key=repr)]
    if isinstance(value, tuple):
        return [leaf for name, inner in value if name != "record_set" for leaf in logged_sequence(inner)]
    return [value]


class Parser:
    """Kafka's old text form of a structure: {name=value,...} as pairs, [value,...] as list, the rest as text."""

    def __init__(self, text: str):
        self.text, self.at = text, 0

    def accept(self, token: str) -> bool:
        here = self.text.startswith(token, self.at)
        self.at += len(token) if here else 0
        return here

    def value(self, ends: str = r",|\]|\}|$") -> Any:
        if self.accept("{"):
            return tuple(self.elements("}", self.pair))
        if self.accept("["):
            return self.elements("]", self.value)
        buffer = re.compile(r"java\.nio\.HeapByteBuffer\[pos=(\d+) lim=(\d+) cap=\d+\]").match(self.text, self.at)
        if buffer:
            self.at = buffer.end()
            return f"{int(buffer[2]) - int(buffer[1])} bytes"
        end = re.compile(ends).search(self.text, self.at).start()
        text, self.at = self.text[self.at:end], end
        return text

    def elements(self, close: str, one) -> list:
        found = []
        while not self.accept(close):
            found.append(one())
            self.accept(",")
        return found

    def pair(self) -> tuple[str, Any]:
        name = re.compile(r"\w+").match(self.text, self.at)[0]
        self.at += len(name) + 1
        if name == "record_set":
            return name, self.records()
        return name, self.value(r",\w+=|\}|$")

    def records(self) -> str:
        """Steps over the records: a class name, or a list with brackets and commas of its own."""
        if self.text[self.at] != "[":
            return self.value()
        start, depth = self.at, 0
        while True:
            depth += {"[": 1, "]": -1, "(": 1, ")": -1}.get(self.text[self.at], 0)
            self.at += 1
            if depth == 0:
                return self.text[start:self.at]


def compare_scala(exchange: dict, fields: dict[str, str]) -> Iterator[Difference]:
    header, request = exchange["requestHeader"], exchange["request"]
    if header["requestApiVersion"] != int(fields["Version"]):
        yield Difference("requestHeader.requestApiVersion", header["requestApiVersion"], fields["Version"])
    client = re.sub(r"^Some\((.*)\)$", r"\1", fields.get("ClientId", ""))
    if (header.get("clientId") or "") != client:
        yield Difference("requestHeader.clientId", header.get("clientId"), client)
    for logged_name, name in FIELDS_0_8.items():
        if logged_name in fields:
            ours, theirs = str(request[name]).lower(), re.sub(r" (ms|bytes)$", "", fields[logged_name]).lower()
            if ours != theirs:
                yield Difference(f"request.{name}", ours, theirs)
    if "Topics" in fields:
        ours, theirs = sorted(t["name"] for t in request["topics"]), sorted(fields["Topics"].split(","))
        if ours != theirs:
            yield Difference("request.topics", ours, theirs)
    if "PartitionState" in fields:
        yield from compare_states(request, fields["PartitionState"])
    for name in ("RequestInfo", "TopicAndPartition", "Partitions"):
        if name in fields:
            theirs = sorted(scala_partitions(fields[name]))
            ours = sorted([str(v) for v in partition][:len(theirs[0])] for partition in partitions_of(request))
            if ours != theirs:
                yield Difference("request partitions", ours, theirs)


def scala_partitions(text: str) -> Iterator[list[str]]:
    """`[topic,0] -> Name(1,2),[topic,1] -> ...` as [topic, 0, 1, 2]. Of an OffsetAndMetadata the offset only: the
    broker puts its own time and its own word for no metadata there."""
    for found in re.finditer(r"\[([\w.-]+),(\d+)\](?: -> (\w*)[(\[]?([^)\]]*)[)\]]?)?(?:,|$)", text):
        values = (found[4] or found[3] or "").split(",") if found[3] is not None else []
        if found[3] == "OffsetAndMetadata":
            values = values[:1]
        yield [found[1], found[2], *values]


def compare_states(request: dict, text: str) -> Iterator[Difference]:
    logged = [list(found.groups()) for found in re.finditer(
        r"[(\[]([\w.-]+),(\d+)[)\]] -> \(LeaderAndIsrInfo:\(Leader:(-?\d+),ISR:([\d,]*),LeaderEpoch:(\d+),ControllerEpoch:(\d+)\)"
        r",ReplicationFactor:\d+\),AllReplicas:([\d,]*)\)", text)]
    ours = [[s["topicName"], str(s["partitionIndex"]), str(s["leader"]), ",".join(map(str, s["isr"])), str(s["leaderEpoch"]),
             str(s["controllerEpoch"]), ",".join(map(str, s["replicas"]))] for s in request["ungroupedPartitionStates"]]
    if sorted(ours) != sorted(logged):
        yield Difference("request.ungroupedPartitionStates", sorted(ours), sorted(logged))


def partitions_of(request: dict) -> Iterator[list]:
    """[topic, partition, the other values of the partition in the order of the wire] of each partition asked for."""
    if "ungroupedPartitions" in request:
        yield from ([p["topicName"], p["partitionIndex"]] for p in request["ungroupedPartitions"])
        return
    for topic in request.get("topics", request.get("topicData", ())):
        name = topic.get("name", topic.get("topic"))
        for index in topic.get("partitionIndexes", ()):
            yield [name, index]
        for partition in topic.get("partitions", topic.get("partitionData", ())):
            yield [name, *partition.values()]
