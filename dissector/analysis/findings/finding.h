// SPDX-License-Identifier: Apache-2.0
// A finding: something in a capture that a person should look at, with what was seen, why it matters and what to do.
// The kinds are a closed list of data (finding_kinds.cpp): rules see, the list explains.
#pragma once

#include "capture/types/ids.h"
#include "capture/types/time.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

enum class Severity : std::uint8_t { Note, Warning, Error };
std::string_view name(Severity severity); // "note"

// Which of a reader's questions it answers.
enum class Aspect : std::uint8_t { Fails, Slow, Risk };
std::string_view name(Aspect aspect); // "fails"

enum class FindingId : std::uint8_t {
    // what brokers answered
    AuthorizationFailed,
    SaslFailed,
    SaslMechanismRefused,
    SaslStateWrong,
    UnsupportedVersion,
    UnknownTopic,
    InvalidTopic,
    NotLeader,
    LeaderNotAvailable,
    StaleLeaderEpoch,
    NotCoordinator,
    NotController,
    NotEnoughReplicas,
    MessageTooLarge,
    CorruptMessage,
    InvalidRecord,
    OffsetOutOfRange,
    RequestTimedOut,
    StorageError,
    ServerError,
    InvalidRequest,
    RequestRefused,
    ListenerMissing,
    OtherError,
    // connections
    RequestsReset,
    RequestsClosed,
    Unanswered,
    ConnectionRefused,
    ConnectionTimeout,
    ReconnectLoop,
    ZeroWindow,
    Retransmissions,
    AdvertisedListener,
    NotKafka,
    CaptureIncomplete,
    MalformedMessage,
    // TLS
    TlsOnPlaintextPort,
    PlaintextOnTlsPort,
    TlsAlertSeen,
    CertificateExpired,
    TlsUnreadable,
    // versions
    VersionOutOfRange,
    RemovedInKafka4,
    UnknownApi,
    OldRecordFormat,
    // time
    SlowRequests,
    SlowBroker,
    Throttled,
    ThrottleIgnored,
    HeadOfLine,
    LongRoundTrip,
    // producing
    AcksZero,
    TinyBatches,
    NoCompression,
    CompressionGrew,
    HotPartition,
    ClockSkew,
    CrcMismatch,
    DuplicateBatch,
    TooManyInFlight,
    RequestOverLimit,
    OutOfOrderSequence,
    UnknownProducerId,
    // transactions
    FencedProducer,
    InvalidTxnState,
    ConcurrentTransactions,
    TransactionAbortable,
    OpenTransaction,
    AbortedTransactions,
    // consuming and groups
    FetchBusyLoop,
    FetchSessionLost,
    OffsetReset,
    NothingCommitted,
    CommitWindow,
    MemberThrownOut,
    MemberFenced,
    GroupRefused,
    RebalanceStorm,
    SlowRebalance,
    HeartbeatGap,
    MaxPollExceeded,
    IdleMember,
    ShareRecordState,
    ShareSessionLost,
    StreamsTopology,
    // cluster
    MetadataLoop,
    OfflinePartition,
    UnderReplicated,
    LeaderMoved,
    BrokerFenced,
    ControllerElection,
    RebootstrapRequired,
};

struct FindingKind {
    FindingId id;
    std::string_view name; // "fenced-producer"
    Severity severity;     // its usual one; a single case of what also happens in healthy clusters is a note
    Aspect aspect;
    std::string_view title;  // "A producer was fenced"
    std::string_view why;    // why it matters
    std::string_view advice; // what to do
};

std::span<const FindingKind> findingKinds(); // in the order of FindingId
const FindingKind& kind(FindingId id);
const FindingKind* findingKindNamed(std::string_view name);

struct Finding {
    const FindingKind* kind = nullptr;
    Severity severity = Severity::Note;
    std::string subject; // who or what: "client c1 (10.77.0.2)"
    std::string seen;    // a sentence with numbers
    std::uint64_t count = 0;
    std::vector<ExchangeId> exchanges; // the first of them, see Occurrences::most
    Timestamp first{}, last{};         // equal to each other's default when no exchange belongs to it
};

} // namespace brokerscope
