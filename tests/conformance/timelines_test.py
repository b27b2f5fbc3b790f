#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The comparison of timelines with the brokers' logs finds what differs, and only that."""
import unittest

from logged_facts import (END, INIT, JOIN, OFFSET_COMMIT, PRODUCE, SYNC, Logged, classic_assignment, group_facts_logged,
                          numbers_text, transaction_facts_logged)
from timelines import differences
from told_facts import group_facts_told, times_apart, transaction_facts_told

RANGE_ORDERS_0_TO_2 = "AAMAAAABAAZvcmRlcnMAAAADAAAAAAAAAAEAAAAC/////w=="


class Groups(unittest.TestCase):
    logged = [
        Logged(JOIN, {"groupId": "g"}, {"errorCode": 0, "generationId": 4, "memberId": "m"}, 1000, 1500),
        Logged(SYNC, {"groupId": "g", "generationId": 4, "memberId": "m"},
               {"errorCode": 0, "assignment": RANGE_ORDERS_0_TO_2}, 1501, 1505),
        Logged(OFFSET_COMMIT, {"groupId": "g", "memberId": "m", "topics": [
            {"name": "orders", "partitions": [{"partitionIndex": 1, "committedOffset": 9}]}]},
               {"topics": [{"partitions": [{"errorCode": 0}]}]}, 1600, 1610)]

    def setUp(self):
        self.lines = [
            {"type": "group", "group": "g", "commits": 1},
            {"type": "member", "group": "g", "member": "m"},
            {"type": "event", "group": "g", "exchange": 1, "event": "rebalance", "generation": 4, "tookMs": 505.0,
             "time": "1970-01-01T00:00:01.000000Z"},
            {"type": "event", "group": "g", "exchange": 2, "event": "assigned", "generation": 4, "member": "m",
             "partitions": "orders 0-2"},
            {"type": "event", "group": "g", "exchange": 3, "event": "committed", "partitions": "orders-1@9"}]

    def compare(self, unlogged: set[int] = frozenset()):
        logged = group_facts_logged(self.logged)
        told = group_facts_told(self.lines, logged, unlogged)
        return *differences(logged.facts, told.facts), times_apart(logged.times, told.times)

    def test_equal_stories_are_equal(self):
        self.assertEqual(self.compare(), ([], [], []))

    def test_another_generation_assignment_or_offset_is_found(self):
        self.lines[2]["generation"] = 5
        self.lines[3]["partitions"] = "orders 0 1"
        self.lines[4]["partitions"] = "orders-1@8"
        missing, extra, _ = self.compare()
        self.assertEqual((len(missing), len(extra)), (3, 3))
        self.assertIn("assigned g 4 m orders 0-2", missing)

    def test_a_rebalance_that_ends_at_another_time_is_found(self):
        self.lines[2]["tookMs"] = 400.0
        self.assertEqual(len(self.compare()[2]), 1)

    def test_what_a_broker_had_no_time_to_log_is_no_difference(self):
        self.lines.append({"type": "event", "group": "g", "exchange": 9, "event": "failed", "member": "m",
                           "errorCode": 16, "times": 1})
        self.assertEqual(len(self.compare()[1]), 1)
        self.assertEqual(self.compare({9}), ([], [], []))


class Transactions(unittest.TestCase):
    logged = [
        Logged(INIT, {"transactionalId": "t"}, {"errorCode": 0, "producerId": 7, "producerEpoch": 0}, 0, 10),
        Logged(PRODUCE, {"transactionalId": "t", "topicData": [{"partitionData": [{"index": 0}]}]}, {}, 100, 105),
        Logged(END, {"transactionalId": "t", "producerId": 7, "producerEpoch": 0, "committed": True},
               {"errorCode": 0}, 200, 210)]

    def setUp(self):
        self.lines = [
            {"type": "transaction", "transactionalId": "t", "producerId": 7, "producerEpoch": 0, "result": "committed",
             "openMs": 109.0},
            {"type": "event", "transactionalId": "t", "producerId": 7, "producerEpoch": 0, "exchange": 1, "event": "init"},
            {"type": "event", "transactionalId": "t", "producerId": 7, "producerEpoch": 0, "exchange": 2,
             "event": "produce", "partitions": ["orders-0"]}]

    def compare(self):
        logged = transaction_facts_logged(self.logged)
        told = transaction_facts_told(self.lines, logged, set())
        return *differences(logged.facts, told.facts), times_apart(logged.times, told.times)

    def test_equal_stories_are_equal(self):
        self.assertEqual(self.compare(), ([], [], []))

    def test_another_outcome_epoch_or_length_is_found(self):
        self.lines[0]["result"] = "aborted"
        self.lines[0]["openMs"] = 900.0
        self.lines[1]["producerEpoch"] = 1
        missing, extra, apart = self.compare()
        self.assertEqual((missing, extra), (["committed t 7 0", "init t 7 0"], ["aborted t 7 0", "init t 7 1"]))
        self.assertEqual(len(apart), 1)


class Texts(unittest.TestCase):
    def test_numbers_in_a_row_are_joined(self):
        self.assertEqual(numbers_text([5, 0, 2, 1]), "0-2 5")
        self.assertEqual(numbers_text([]), "")

    def test_an_assignment_is_read(self):
        self.assertEqual(classic_assignment(RANGE_ORDERS_0_TO_2), "orders 0-2")
        self.assertEqual(classic_assignment(None), "")


if __name__ == "__main__":
    unittest.main()
