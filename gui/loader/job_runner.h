// SPDX-License-Identifier: Apache-2.0
// Work that must not hold up the window: filters, sorts, searches, decoding, export. One job of each kind runs at a
// time; a newer wish stops the running one and replaces one that still waits, so only the newest is ever served.
//
// Threads: start(), cancel() and the signals belong to the GUI thread; the work runs on a thread of its own and hands
//          results over with JobContext::deliver, which is dropped when a newer wish has come meanwhile.
// Bounds:  one thread and one waiting job for each kind; the destructor stops and joins them all.
#pragma once

#include "gui/loader/mailbox.h"

#include <QObject>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

namespace brokerscope {

enum class JobKind : std::uint8_t {
    Order,
    Tail,
    Detail,
    Batch,
    Find,
    Records,
    RecordBatches,
    RecordFind,
    Export,
    Summary
};
constexpr std::size_t jobKinds = 10;

class JobRunner;

class JobContext {
  public:
    std::stop_token stop() const { return m_stop; }
    bool stopped() const { return m_stop.stop_requested(); }
    // Runs in the GUI thread, unless a newer job of the kind was started or this one cancelled.
    void deliver(std::function<void()> result);
    // At most ten times a second the window hears of it.
    void progress(std::uint64_t done, std::uint64_t total, std::uint64_t found = 0);

  private:
    friend class JobRunner;
    JobRunner* m_runner = nullptr;
    JobKind m_kind = JobKind::Order;
    std::uint64_t m_generation = 0;
    std::stop_token m_stop;
    std::int64_t m_lastProgress = 0;
};

class JobRunner : public QObject {
    Q_OBJECT

  public:
    using Work = std::function<void(JobContext&)>;

    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    void start(JobKind kind, Work work);
    void cancel(JobKind kind); // its results will not be delivered any more
    void cancelAll();
    // Asks the job to end early, and still takes what it delivers.
    void interrupt(JobKind kind);
    bool running(JobKind kind) const;
    bool idle() const;

  Q_SIGNALS:
    void started(JobKind kind);
    void progressed(JobKind kind, quint64 done, quint64 total, quint64 found);
    void ended(JobKind kind); // nothing of the kind runs or waits any more

  private:
    friend class JobContext;
    struct Lane {
        std::uint64_t generation = 0; // of the newest wish
        bool busy = false;            // a thread is at work, maybe for an older wish
        bool wanted = false;          // the newest wish has not ended yet
        Work waiting;
        std::stop_source stop;
        std::jthread thread;
    };
    Lane& lane(JobKind kind) { return m_lanes[static_cast<std::size_t>(kind)]; }
    void run(JobKind kind, Work work);
    void workEnded(JobKind kind, std::uint64_t generation);

    Mailbox m_mailbox; // outlives the threads of the lanes
    std::array<Lane, jobKinds> m_lanes;
};

} // namespace brokerscope
