// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/job_runner.h"

#include <algorithm>
#include <chrono>

namespace brokerscope {

namespace {

constexpr std::int64_t progressEveryMs = 100;

std::int64_t nowMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

void JobContext::deliver(std::function<void()> result) {
    JobRunner* runner = m_runner;
    runner->m_mailbox.post([runner, kind = m_kind, generation = m_generation, result = std::move(result)] {
        if (runner->lane(kind).generation == generation) result();
    });
}

void JobContext::progress(std::uint64_t done, std::uint64_t total, std::uint64_t found) {
    const std::int64_t now = nowMs();
    if (now - m_lastProgress < progressEveryMs) return;
    m_lastProgress = now;
    deliver([runner = m_runner, kind = m_kind, done, total, found] {
        Q_EMIT runner->progressed(kind, done, total, found);
    });
}

JobRunner::JobRunner(QObject* parent) : QObject(parent) {}

JobRunner::~JobRunner() {
    for (Lane& one : m_lanes) {
        one.waiting = nullptr;
        one.stop.request_stop();
    }
    for (Lane& one : m_lanes)
        if (one.thread.joinable()) one.thread.join();
}

void JobRunner::start(JobKind kind, Work work) {
    Lane& its = lane(kind);
    ++its.generation;
    its.wanted = true;
    if (its.busy) {
        its.stop.request_stop();
        its.waiting = std::move(work);
    } else {
        run(kind, std::move(work));
    }
    Q_EMIT started(kind);
}

void JobRunner::run(JobKind kind, Work work) {
    Lane& its = lane(kind);
    its.busy = true;
    its.stop = std::stop_source();
    JobContext context;
    context.m_runner = this;
    context.m_kind = kind;
    context.m_generation = its.generation;
    context.m_stop = its.stop.get_token();
    if (its.thread.joinable()) its.thread.join(); // it has said that it ended
    its.thread = std::jthread([this, context, work = std::move(work)]() mutable {
        work(context);
        work = nullptr; // what it holds must not outlive the job in a thread that is not joined yet
        m_mailbox.post(
            [this, kind = context.m_kind, generation = context.m_generation] { workEnded(kind, generation); });
    });
}

void JobRunner::workEnded(JobKind kind, std::uint64_t generation) {
    Lane& its = lane(kind);
    its.busy = false;
    if (its.waiting) return run(kind, std::exchange(its.waiting, nullptr));
    if (generation != its.generation && its.wanted) return;
    its.wanted = false;
    Q_EMIT ended(kind);
}

void JobRunner::cancel(JobKind kind) {
    Lane& its = lane(kind);
    ++its.generation;
    its.waiting = nullptr;
    its.wanted = false;
    if (its.busy) its.stop.request_stop();
}

void JobRunner::cancelAll() {
    for (std::size_t i = 0; i < jobKinds; ++i)
        cancel(static_cast<JobKind>(i));
}

void JobRunner::interrupt(JobKind kind) {
    if (lane(kind).busy) lane(kind).stop.request_stop();
}

bool JobRunner::running(JobKind kind) const {
    return m_lanes[static_cast<std::size_t>(kind)].wanted;
}

bool JobRunner::idle() const {
    return std::none_of(m_lanes.begin(), m_lanes.end(), [](const Lane& one) { return one.wanted; });
}

} // namespace brokerscope
