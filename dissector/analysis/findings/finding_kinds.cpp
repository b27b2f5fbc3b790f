// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/findings/finding.h"

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

using enum FindingId;
using enum Severity;
using enum Aspect;

constexpr auto kinds = std::to_array<FindingKind>({
    {AuthorizationFailed, "authorization-failed", Error, Fails, "The broker refuses access",
     "The principal lacks a permission: retrying does not help, and the client gives up or loops.",
     "Grant the ACL for the topic, group or transactional id that is named (kafka-acls.sh --add), or fix the name."},
    {SaslFailed, "sasl-failed", Error, Fails, "A login was rejected",
     "The client cannot do anything; clients that reconnect at once load the broker with logins.",
     "Check user, password or token, and that the user exists for this mechanism on this cluster."},
    {SaslMechanismRefused, "sasl-mechanism-refused", Error, Fails, "The broker does not offer the SASL mechanism",
     "The client cannot log in.",
     "Set sasl.mechanism to one that the broker names, or enable it with sasl.enabled.mechanisms."},
    {SaslStateWrong, "sasl-state-wrong", Error, Fails, "A request came at the wrong moment of a login",
     "The broker closes the connection. As a rule a client without SASL speaks to a SASL port.",
     "Set security.protocol of the client to what the listener expects, or use the other port."},
    {UnsupportedVersion, "unsupported-version", Error, Fails, "The broker does not know the version of a request",
     "The request is refused or the connection is closed.",
     "Upgrade the older side; do not pin api.version.request, broker.version.fallback or the like in the client."},
    {UnknownTopic, "unknown-topic", Warning, Fails, "A topic or partition is not known",
     "Producers and consumers wait and retry until a timeout.",
     "Create the topic or fix its name; when it was deleted and made again, restart clients that hold the old id."},
    {InvalidTopic, "invalid-topic", Error, Fails, "A topic name is not allowed", "It can never work.",
     "Use at most 249 characters out of a-z, A-Z, 0-9, '.', '_' and '-', and leave internal topics alone."},
    {NotLeader, "not-leader", Warning, Fails, "Requests went to a broker that does not lead the partition",
     "The client works with stale metadata; each such request is lost time. Many of them mean that leaders move or "
     "that "
     "the client does not refresh.",
     "See who led when (topics, records of the controller); look for restarting brokers and for clients behind a load "
     "balancer."},
    {LeaderNotAvailable, "leader-not-available", Warning, Fails, "A partition has no leader just now",
     "It can be neither written nor read until an election is over.",
     "Look at the brokers that hold its replicas; with unclean elections off, an in-sync one must come back."},
    {StaleLeaderEpoch, "stale-leader-epoch", Warning, Fails, "Client and broker disagree about the leader's epoch",
     "One of the two has not heard of the last election; fetches are refused until metadata is refreshed.",
     "Once after an election is normal. When it goes on, look for a broker that is cut off from the controller."},
    {NotCoordinator, "not-coordinator", Warning, Fails, "The coordinator moved or is not ready",
     "Commits, heartbeats and transactions wait, and members may be thrown out meanwhile.",
     "Normal for seconds after a broker starts or stops. When it goes on, look at __consumer_offsets and "
     "__transaction_state: leaders, replicas, size."},
    {NotController, "not-controller", Warning, Fails, "A request went to a node that is not the active controller",
     "It has to be sent again; many of them mean that controllers change.",
     "Look for elections among the controllers."},
    {NotEnoughReplicas, "not-enough-replicas", Error, Fails, "Writes are refused: too few replicas are in sync",
     "Producers with acks=all cannot write to the partition.",
     "Bring the missing replicas back; look at min.insync.replicas, at disks and at the brokers' network."},
    {MessageTooLarge, "message-too-large", Error, Fails, "A record or batch is larger than the broker takes",
     "The broker refuses it for good; the records are lost unless the application acts.",
     "Raise max.message.bytes of the topic (and max.request.size of the producer), compress, or send less."},
    {CorruptMessage, "corrupt-message", Error, Fails, "The broker found records to be corrupt",
     "Wrong checksum, wrong sizes, or no key on a compacted topic.",
     "Check keys on compacted topics; then client library, proxies and memory in between."},
    {InvalidRecord, "invalid-record", Error, Fails, "The broker refuses records by their content",
     "Timestamps outside of message.timestamp.before/after.max.ms, or a validation of the broker's.",
     "Look at the record's timestamp (records) and at the topic's configuration."},
    {OffsetOutOfRange, "offset-out-of-range", Warning, Fails, "A consumer asked for an offset that is not there",
     "Records were deleted before they were read (data loss for this reader), or the topic was made again.",
     "Compare lag with retention.ms and retention.bytes; look at auto.offset.reset: it decides what is read now."},
    {RequestTimedOut, "request-timed-out", Error, Fails, "The broker gave up on a request in time",
     "For Produce with acks=all the replicas did not follow within request.timeout.ms.",
     "Look at the followers of the partition and at the broker's disks."},
    {StorageError, "storage-error", Error, Fails, "A broker's disk fails",
     "The partitions on that log directory are offline on this broker.", "Replace the disk; look at the broker's log."},
    {ServerError, "server-error", Error, Fails, "The broker failed inside",
     "An unexpected error; the request was not done.", "Read the broker's log at this moment."},
    {InvalidRequest, "invalid-request", Error, Fails, "The broker finds a request to be wrong",
     "The client breaks the protocol; the same request will fail again.",
     "Show the exchange; compare with reference; upgrade the client library."},
    {RequestRefused, "request-refused", Warning, Fails, "An administrative request was refused",
     "What somebody or some tool wanted to change did not happen.",
     "Show the exchange: the answer says which entry and why."},
    {ListenerMissing, "listener-missing", Error, Fails, "The leader has no listener of the name that was used",
     "Clients on this listener cannot reach the partition.", "Configure the same listener names on all brokers."},
    {OtherError, "other-error", Warning, Fails, "Requests are answered with an error",
     "What was asked for did not happen.", "Show the exchange; the reference of error codes says what the code means."},

    {RequestsReset, "requests-reset", Error, Fails, "A connection was reset with requests unanswered",
     "Nobody knows whether these requests were done: producers send them again, others fail.",
     "Find out who sent the RST: a crashed or killed process, a firewall, or a broker that refused the request."},
    {RequestsClosed, "requests-closed", Warning, Fails, "A connection was closed with requests unanswered",
     "The requests have to be sent again elsewhere. Brokers close so when they stop or cannot take a request.",
     "Read the broker's log at this moment; look at the last request for its size and version."},
    {Unanswered, "unanswered", Error, Fails, "Requests were never answered",
     "Later ones on the same connection were; the client runs into request.timeout.ms.",
     "Look for a proxy in between; brokers answer in order."},
    {ConnectionRefused, "connection-refused", Error, Fails, "A connection was refused",
     "No one listens on the port: the broker is down or the address is wrong.",
     "Start the broker, or correct the port in advertised.listeners or bootstrap.servers."},
    {ConnectionTimeout, "connection-timeout", Error, Fails, "A connection was never answered",
     "The host is gone or a firewall drops the packets; clients wait socket.connection.setup.timeout.ms each time.",
     "Check address, route and firewall from the client's machine."},
    {ReconnectLoop, "reconnect-loop", Warning, Risk, "A client connects again and again",
     "Each connection costs a handshake, ApiVersions, perhaps TLS and a login.",
     "Look at how each of them ends; use one long-lived client in the application instead of one for each message."},
    {ZeroWindow, "zero-window", Warning, Slow, "A receiver could take no more bytes",
     "It does not read its socket fast enough; the sender has to stop. That is not the network.",
     "On the client: processing inside the poll loop, garbage collection. On the broker: network threads, disks."},
    {Retransmissions, "retransmissions", Warning, Slow, "TCP had to send much again",
     "Packets are lost on the way; each loss costs a round trip or 200 ms and more.",
     "Look at links, duplex, queues and the cloud's bandwidth limits between the two."},
    {AdvertisedListener, "advertised-listener", Error, Fails, "The client cannot use the addresses that brokers name",
     "Metadata names addresses that the client does not reach: bootstrap works, everything after it fails.",
     "Set advertised.listeners to what clients can resolve and reach; a listener each for inside and outside."},
    {NotKafka, "not-kafka", Warning, Fails, "Something else than Kafka was spoken on a broker's port",
     "The broker closes such connections (health checks, browsers, scanners, wrong ports).",
     "Find the sender by its address; point health checks to a TCP connect or to the metrics port."},
    {CaptureIncomplete, "capture-incomplete", Note, Risk, "The capture lacks bytes of the traffic",
     "Exchanges in the gap cannot be judged; counts are too low.",
     "Capture with a larger buffer (--kernel-buffer), without a snap length, nearer to one of the ends."},
    {MalformedMessage, "malformed-message", Error, Fails, "Messages do not follow the protocol",
     "One of the two ends writes what the other cannot read.",
     "Show the exchange: the problem says at which field and byte; upgrade the library that wrote it."},

    {TlsOnPlaintextPort, "tls-on-plaintext-port", Error, Fails, "TLS was spoken to a port without TLS",
     "The broker takes the hello for a huge request and closes.",
     "Set security.protocol to PLAINTEXT or SASL_PLAINTEXT for this port, or use the TLS port."},
    {PlaintextOnTlsPort, "plaintext-on-tls-port", Error, Fails, "Plaintext was spoken to a TLS port",
     "The client takes the alert for a response's size: timeouts, or out of memory.",
     "Set security.protocol to SSL or SASL_SSL for this port, or use the plaintext port."},
    {TlsAlertSeen, "tls-alert", Error, Fails, "A TLS handshake failed",
     "One side refused the other: certificate, host name, version or cipher.",
     "The alert says what its sender disliked: check its truststore and the other's certificate."},
    {CertificateExpired, "certificate-expired", Error, Fails, "A certificate is out of date or soon will be",
     "Clients refuse to connect from then on, all at once.",
     "Renew it; brokers take a new keystore without a restart."},
    {TlsUnreadable, "tls-unreadable", Note, Risk, "TLS connections could not be read",
     "What went over them is not part of these findings.", "Give the key log with --keylog FILE."},

    {VersionOutOfRange, "version-out-of-range", Error, Fails, "A request is in a version that the broker did not offer",
     "The broker told its versions on the same connection; it will refuse this one.",
     "Upgrade the client library; do not pin protocol versions."},
    {RemovedInKafka4, "removed-in-kafka-4", Note, Risk, "A client speaks versions that Kafka 4 does not know any more",
     "It will fail with the first broker that is upgraded to 4.x (KIP-896).",
     "Upgrade the client before the brokers; it needs at least the protocol of Kafka 2.1."},
    {UnknownApi, "unknown-api", Note, Risk, "Requests with an api key that Kafka does not have",
     "A vendor's own api, or a broken client.",
     "Ask whose it is; a broker that does not know it closes the connection."},
    {OldRecordFormat, "old-record-format", Warning, Slow, "Records are written in an old format",
     "The broker has to take each batch apart and write it anew; Kafka 4 refuses it.",
     "Upgrade the producer: format 2 exists since Kafka 0.11."},

    {SlowRequests, "slow-requests", Warning, Slow, "Requests took longer than a second",
     "Long polls, rebalances and throttling are already taken off: the broker was slow, or its disks, or its replicas.",
     "join with the broker's request log says in which queue the time went."},
    {SlowBroker, "slow-broker", Warning, Slow, "One broker is slower than its equals",
     "Its partitions set the pace for every client.",
     "Look at this broker's disk, CPU, network and number of leaders."},
    {Throttled, "throttled", Warning, Slow, "A client is throttled by a quota",
     "The broker makes it wait: throughput is limited on purpose.",
     "Raise the quota of this user or client id (kafka-configs.sh --entity-type), or send less."},
    {ThrottleIgnored, "throttle-ignored", Warning, Risk, "A client sends although it was told to wait",
     "Since KIP-219 the waiting is the client's part; the broker mutes its connection instead.",
     "Upgrade the client library."},
    {HeadOfLine, "head-of-line", Warning, Slow, "Answers waited behind a slow one on the same connection",
     "A broker answers in order: a long request holds up all that come behind it on the connection.",
     "Use another client or connection for what must be fast; lower max.in.flight or the fetch wait."},
    {LongRoundTrip, "long-round-trip", Note, Slow, "The network's round trip is long",
     "Every request costs at least this much; joining a group or a commit takes several.",
     "Place client and broker nearer to each other; larger batches and more requests in flight hide it."},

    {AcksZero, "acks-0", Note, Risk, "A producer does not wait for the broker (acks=0)",
     "Records can be lost without anybody noticing, and the client sees no error.",
     "Use acks=all (with idempotence) unless loss does not matter."},
    {TinyBatches, "tiny-batches", Warning, Slow, "A producer sends almost every record alone",
     "Each request costs the broker as much as a full batch.",
     "Raise linger.ms (5 to 100 ms) and batch.size; do not flush after each record."},
    {NoCompression, "no-compression", Note, Slow, "Much text is written without compression",
     "Network, disks and replicas carry a multiple of what is needed.",
     "Set compression.type=zstd or lz4 in the producer."},
    {CompressionGrew, "compression-grew", Note, Slow, "Compression makes batches larger",
     "The batches are too small or compressed already: work for nothing.",
     "Make larger batches (linger.ms), or do not compress this topic."},
    {HotPartition, "hot-partition", Warning, Slow, "One partition gets most of the records",
     "One leader and one consumer carry the load of the whole topic.",
     "Look at the keys of these records (records); add something to the key, or use the default partitioner."},
    {ClockSkew, "clock-skew", Warning, Risk, "Record timestamps are far from the time of writing",
     "Retention and reading by time go by the timestamp: records from the future are not deleted, old ones at once.",
     "Set the producer's clock (NTP) or its timestamps, or message.timestamp.type=LogAppendTime."},
    {CrcMismatch, "crc-mismatch", Error, Fails, "The checksum of a batch is wrong",
     "The records are not what was written: memory, disk or a proxy changed them.",
     "Compare the same batch on other replicas (records); check the machine that sent it."},
    {DuplicateBatch, "duplicate-batch", Note, Risk, "A producer sent a batch twice",
     "The answer to the first was late or lost. An idempotent producer's second copy is not written again; others' "
     "are.",
     "Look at what became of the first one; enable.idempotence keeps duplicates out."},
    {TooManyInFlight, "too-many-in-flight", Warning, Risk,
     "More than five requests of an idempotent producer are in flight",
     "The broker remembers five batches: a retry beyond that is refused as out of order.",
     "Set max.in.flight.requests.per.connection to 5 or less."},
    {RequestOverLimit, "request-over-limit", Error, Fails, "A request is larger than brokers take",
     "socket.request.max.bytes (100 MiB unless changed): the broker closes the connection without an answer.",
     "Lower max.request.size or batch.size in the client, or look for something that is no Kafka client."},
    {OutOfOrderSequence, "out-of-order-sequence", Error, Fails, "The broker misses batches of an idempotent producer",
     "A batch was lost between the two, or the producer's state on the broker was: the producer has to stop or start "
     "anew.",
     "Look for the missing sequence numbers (records), for message loss by unclean elections and for short retention."},
    {UnknownProducerId, "unknown-producer-id", Warning, Fails, "The broker has forgotten a producer id",
     "Its records are deleted, and with them its state.",
     "Retention is shorter than the producer's pauses; upgrade to Kafka 2.5 or later."},

    {FencedProducer, "fenced-producer", Error, Fails, "A producer was fenced",
     "A newer producer with the same transactional id has taken over, or its transaction timed out. The old one can "
     "only be closed.",
     "Give every instance its own transactional.id; look for zombies and for transactions longer than "
     "transaction.timeout.ms."},
    {InvalidTxnState, "invalid-txn-state", Error, Fails, "A step of a transaction is not allowed now",
     "Client and coordinator disagree about the state of the transaction.",
     "Look at the steps before it (flow -Y 'transactional.id == ...'); a transaction may have timed out."},
    {ConcurrentTransactions, "concurrent-transactions", Warning, Slow, "The last transaction is still being completed",
     "The producer has to retry until its markers are written.",
     "Look for slow or missing brokers among the partitions of the transaction."},
    {TransactionAbortable, "transaction-abortable", Warning, Fails, "A transaction has to be aborted",
     "The broker says so since Kafka 4; the producer may go on with a new one.",
     "Look at what failed before it; abort and retry in the application."},
    {OpenTransaction, "open-transaction", Warning, Slow, "A transaction stays open for long",
     "Readers with read_committed see nothing behind its first record until it ends.",
     "Commit more often; look for a hanging producer (kafka-transactions.sh find-hanging)."},
    {AbortedTransactions, "aborted-transactions", Warning, Risk, "Transactions are aborted",
     "Their records stay in the log and are skipped by readers; the work is done again.",
     "Look at the error before each abort."},

    {FetchBusyLoop, "fetch-busy-loop", Warning, Slow, "A consumer fetches nothing in a tight loop",
     "It keeps broker and network busy without getting a record.",
     "Raise fetch.max.wait.ms and fetch.min.bytes (500 ms and 1 are the defaults)."},
    {FetchSessionLost, "fetch-session-lost", Warning, Slow, "Fetch sessions are lost",
     "The client has to list all partitions again; many of them mean that the broker's cache is too small.",
     "Raise max.incremental.fetch.session.cache.slots, or run fewer consumers for each broker."},
    {OffsetReset, "no-committed-offset", Note, Risk, "A group has no committed offset for partitions",
     "auto.offset.reset decides where it starts: with latest, records in between are never read.",
     "Right for a new group. For an old one its offsets have expired (offsets.retention.minutes)."},
    {NothingCommitted, "nothing-committed", Warning, Risk, "A group reads but commits nothing",
     "After a restart or rebalance all of it is read again.",
     "Commit, or set enable.auto.commit, unless offsets are kept elsewhere."},
    {CommitWindow, "commit-window", Note, Risk, "Much is read between two commits of a group",
     "So much is read again after a crash.", "Commit more often, or lower auto.commit.interval.ms, if that hurts."},
    {MemberThrownOut, "member-thrown-out", Warning, Fails, "A group does not know its member any more",
     "It missed its heartbeats or its poll: its partitions went to others, its commits are refused, records are read "
     "twice.",
     "Look at the member's pause before it; max.poll.interval.ms, max.poll.records, session.timeout.ms."},
    {MemberFenced, "member-fenced", Error, Fails, "Two members use one identity",
     "The same group.instance.id (or an old epoch of a member) is in use elsewhere; one of them is thrown out.",
     "Give each instance its own group.instance.id."},
    {GroupRefused, "group-refused", Error, Fails, "A group does not take a member",
     "Its settings do not fit the group or the broker: it never gets a partition.",
     "Compare assignor, protocol type and session timeout with the other members and with the broker's limits."},
    {RebalanceStorm, "rebalance-storm", Warning, Slow, "A group rebalances again and again",
     "Members stop reading for each rebalance (with the classic protocol), and read records twice.",
     "Look at which members come and go (groups): timeouts, restarts, autoscaling; use static members or the consumer "
     "protocol."},
    {SlowRebalance, "slow-rebalance", Warning, Slow, "A rebalance took long",
     "The group waits for its slowest member, which joins only when its poll loop comes round.",
     "Shorten the work between polls; the waiting ends at max.poll.interval.ms of that member at the latest."},
    {HeartbeatGap, "heartbeat-gap", Warning, Risk, "A member's heartbeats come too rarely for its session timeout",
     "One more pause of this kind and the member is thrown out of the group.",
     "heartbeat.interval.ms at most a third of session.timeout.ms; look for pauses of the process."},
    {MaxPollExceeded, "max-poll-exceeded", Warning, Fails, "A consumer left because it did not poll in time",
     "Its work took longer than max.poll.interval.ms; its partitions are given to others and records are read twice.",
     "Lower max.poll.records, speed up the work, or raise max.poll.interval.ms."},
    {IdleMember, "idle-member", Note, Risk, "A member of a group gets no partition",
     "It does nothing: there are more members than partitions.", "Add partitions or run fewer members."},
    {ShareRecordState, "share-record-state", Warning, Fails, "A share consumer acknowledged records it no longer has",
     "Its lock ran out; the records were delivered to someone else and are worked on twice.",
     "Work faster, renew, or raise group.share.record.lock.duration.ms."},
    {ShareSessionLost, "share-session-lost", Warning, Slow, "Share sessions are lost",
     "Acquired records are released and the session is opened again.",
     "Look at the number of share consumers for each broker."},
    {StreamsTopology, "streams-topology", Error, Fails, "A streams group refuses a topology",
     "Instances with different topologies run in one group.",
     "Deploy the same version everywhere, or use another application.id."},

    {MetadataLoop, "metadata-loop", Warning, Risk, "A client asks for metadata again and again",
     "Something it needs is not in the answers: a topic, a leader, a broker that it can reach.",
     "Look at the answers' errors; at not-leader, unknown-topic and advertised-listener here."},
    {OfflinePartition, "offline-partition", Error, Fails, "A partition has no leader",
     "It can be neither written nor read.", "Bring back a broker that holds an in-sync replica."},
    {UnderReplicated, "under-replicated", Warning, Risk, "Replicas of partitions are not in sync",
     "One more failure and acks=all writes are refused, or data is lost.",
     "Look at the brokers that are missing from the ISR."},
    {LeaderMoved, "leader-moved", Note, Risk, "Leaders of partitions moved",
     "Clients have to refresh metadata; a few requests fail in between.",
     "Planned (restart, preferred election) or a broker that failed?"},
    {BrokerFenced, "broker-fenced", Warning, Fails, "The controller has fenced a broker",
     "It missed its heartbeats or is starting: it leads nothing meanwhile.",
     "Look at this broker's log, pauses and its way to the controller."},
    {ControllerElection, "controller-election", Note, Risk, "The controllers held an election",
     "No change of topics or leaders is possible meanwhile.",
     "Planned or a controller that failed? Many of them: look at the network between controllers."},
    {RebootstrapRequired, "rebootstrap-required", Warning, Fails, "A client has to bootstrap again",
     "It has reached another cluster or none of its brokers are left.",
     "Check that the name in bootstrap.servers leads to the right cluster."},
});

constexpr bool inOrderOfIds() {
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (static_cast<std::size_t>(kinds[i].id) != i) return false;
    return true;
}
static_assert(inOrderOfIds(), "one row for each FindingId, in its order");

} // namespace

std::string_view name(Severity severity) {
    constexpr std::array<std::string_view, 3> names{"note", "warning", "error"};
    return names[static_cast<std::size_t>(severity)];
}

std::string_view name(Aspect aspect) {
    constexpr std::array<std::string_view, 3> names{"fails", "slow", "risk"};
    return names[static_cast<std::size_t>(aspect)];
}

std::span<const FindingKind> findingKinds() {
    return kinds;
}

const FindingKind& kind(FindingId id) {
    return kinds[static_cast<std::size_t>(id)];
}

const FindingKind* findingKindNamed(std::string_view name) {
    const auto found = std::ranges::find(kinds, name, &FindingKind::name);
    return found == kinds.end() ? nullptr : &*found;
}

} // namespace brokerscope
