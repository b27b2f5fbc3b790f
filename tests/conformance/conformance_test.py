#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The comparison with the brokers' logs finds what differs, and only that."""
import copy
import json
import unittest

import json_log
import scenarios
import text_log
from exchanges import compare_all

BROKER, CLIENT = "10.77.0.11:9092", "10.77.0.2:40000"


def exchange(header: dict, request: dict, response: dict | None, **more) -> dict:
    return {"exchange": 1, "broker": BROKER, "client": CLIENT, "requestHeader": header, "request": request,
            "response": response, "status": "paired" if response else "no-response-expected", "problems": []} | more


class JsonLog(unittest.TestCase):
    def setUp(self):
        header = {"requestApiKey": 3, "requestApiVersion": 13, "correlationId": 7, "clientId": "c",
                  "requestApiKeyName": "METADATA"}
        request = {"topics": [{"topicId": "AAAAAAAAAAAAAAAAAAAAAA", "name": "orders"}], "allowAutoTopicCreation": True}
        response = {"throttleTimeMs": 0, "brokers": [{"nodeId": 1, "rack": None}], "errorCode": 0}
        self.exchange = exchange(header, request, response)
        self.logged = copy.deepcopy({"isForwarded": False, "requestHeader": header, "request": request,
                                     "response": response, "connection": f"{BROKER}-{CLIENT}-0-1"})

    def compare(self, same_names: bool = True):
        return compare_all([self.exchange], json_log.read_entries([json.dumps(self.logged)], same_names))

    def expect_difference(self, text: str):
        result = self.compare()
        self.assertEqual((result.equal, result.different), (0, 1))
        self.assertIn(text, result.notes[0])

    def test_equal_exchanges_are_equal(self):
        self.assertEqual(self.compare().equal, 1)

    def test_a_wrong_value_is_found(self):
        self.exchange["request"]["topics"][0]["name"] = "order"
        self.expect_difference('request.topics[0].name: decoded "order", logged "orders"')

    def test_a_number_in_place_of_a_boolean_is_found(self):
        self.exchange["request"]["allowAutoTopicCreation"] = 1
        self.expect_difference("request.allowAutoTopicCreation")

    def test_a_missing_field_is_found(self):
        del self.exchange["response"]["errorCode"]
        self.expect_difference("response.errorCode")

    def test_a_field_too_many_is_found(self):
        self.exchange["response"]["brokers"][0]["port"] = 9092
        self.expect_difference("response.brokers[0].port")

    def test_a_missing_element_is_found(self):
        self.exchange["response"]["brokers"] = []
        self.expect_difference("response.brokers.length")

    def test_a_wrong_header_is_found(self):
        self.exchange["requestHeader"]["clientId"] = "d"
        self.expect_difference("requestHeader.clientId")

    def test_a_problem_that_means_loss_is_a_difference(self):
        self.exchange["problems"] = [{"kind": "malformed"}]
        self.expect_difference("problems")

    def test_a_renamed_field_is_a_difference_unless_the_broker_is_older(self):
        self.logged["response"] = {"throttleTimeMs": 0, "brokers": [{"id": 1, "rack": None}], "errorCode": 0}
        self.assertEqual(self.compare(same_names=True).different, 1)
        self.assertEqual(self.compare(same_names=False).equal, 1)
        self.logged["response"]["brokers"][0]["id"] = 2
        self.assertEqual(self.compare(same_names=False).different, 1)

    def test_a_request_that_was_not_decoded_is_noted(self):
        self.exchange["requestHeader"]["correlationId"] = 8
        result = self.compare()
        self.assertEqual((result.equal, result.not_logged, result.not_captured), (0, 1, 1))


class TextLog(unittest.TestCase):
    def compare(self, line: str, ours: dict):
        result = compare_all([ours], text_log.read_entries([f"1 broker 1 {line};totalTime:3"], {"1": BROKER}))
        self.assertEqual(result.equal + result.different, 1)
        return result.notes[0] if result.different else None

    def test_structures_of_1_1_are_compared_value_by_value(self):
        line = ("RequestHeader(apiKey=JOIN_GROUP, apiVersion=2, clientId=c, correlationId=5) -- {group_id=g,session_timeout=10,"
                "group_protocols=[{protocol_name=range,protocol_metadata=java.nio.HeapByteBuffer[pos=0 lim=3 cap=3]}]},"
                f"response:{{error_code=0,members=[{{member_id=b}},{{member_id=a}}]}} from connection {BROKER}-{CLIENT}-0")
        ours = exchange({"requestApiKey": 11, "requestApiVersion": 2, "correlationId": 5, "clientId": "c"},
                        {"groupId": "g", "sessionTimeoutMs": 10, "protocols": [{"name": "range", "metadata": "AAAA"}]},
                        {"errorCode": 0, "members": [{"memberId": "a"}, {"memberId": "b"}]})
        self.assertIsNone(self.compare(line, ours))
        ours["request"]["protocols"][0]["metadata"] = "AAA="
        self.assertIn("2 bytes", self.compare(line, ours))
        ours["request"]["protocols"][0]["metadata"] = "AAAA"
        ours["response"]["members"].pop()
        self.assertIn("response", self.compare(line, ours))

    def test_records_between_brackets_are_stepped_over(self):
        line = ("{api_key=1,api_version=3,correlation_id=5,client_id=c} -- {replica_id=-1,topics=[]},response:{responses=[{topic=t,"
                "parts=[{header={partition=0,error_code=0},record_set=[(record=Batch(offset=0, Record(crc=1, key=5 bytes)))]}]}]}"
                f" from connection {BROKER}-{CLIENT}")
        ours = exchange({"requestApiKey": 1, "requestApiVersion": 3, "correlationId": 5, "clientId": "c"},
                        {"replicaId": -1, "topics": []}, {"responses": [{"topic": "t", "partitions": [
                            {"partitionIndex": 0, "errorCode": 0, "recordsSizeInBytes": 77}]}]})
        self.assertIsNone(self.compare(line, ours))
        ours["response"]["responses"][0]["partitions"][0]["errorCode"] = 1
        self.assertIn("response", self.compare(line, ours))

    def test_lines_of_0_8_are_compared_field_by_field(self):
        line = ("Name: FetchRequest; Version: 0; CorrelationId: 5; ClientId: c; ReplicaId: 1; MaxWait: 500 ms; MinBytes: 1 bytes; "
                "RequestInfo: [t,1] -> PartitionFetchInfo(7,100),[t,0] -> PartitionFetchInfo(9,100) from client /10.77.0.2:40000")
        ours = exchange({"requestApiKey": 1, "requestApiVersion": 0, "correlationId": 5, "clientId": "c"},
                        {"replicaId": 1, "maxWaitMs": 500, "minBytes": 1, "topics": [{"topic": "t", "partitions": [
                            {"partition": 0, "fetchOffset": 9, "partitionMaxBytes": 100},
                            {"partition": 1, "fetchOffset": 7, "partitionMaxBytes": 100}]}]}, {})
        self.assertIsNone(self.compare(line, ours))
        ours["request"]["maxWaitMs"] = 501
        self.assertIn("request.maxWaitMs", self.compare(line, ours))
        ours["request"]["maxWaitMs"] = 500
        ours["request"]["topics"][0]["partitions"][1]["fetchOffset"] = 8
        self.assertIn("request partitions", self.compare(line, ours))

    def test_every_line_of_the_shipped_logs_is_understood(self):
        lines = {}
        for scenario in scenarios.shipped_scenarios():
            if ".txt" in scenario.log.suffixes:
                lines[scenario.broker] = len(list(text_log.read_entries(scenarios.log_lines(scenario.log),
                                                                        scenarios.BROKERS_0_8)))
        self.assertEqual(lines, {"1.1.1": 469, "0.10.2.2": 255, "0.8.2.2": 92})


if __name__ == "__main__":
    unittest.main()
