// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/order_keeper.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <thread>

namespace brokerscope {

namespace {

constexpr std::uint32_t lookEvery = 16384; // at the stop token, on cheap filters
constexpr std::uint32_t lookOften = 64;    // on filters that decode
constexpr std::uint32_t rowsWorthAThread = 65536, mostThreads = 8;
constexpr qint64 sortPauseFactor = 10;

using Order = ExchangeTableModel::Order;

struct Found {
    Order rows;
    std::uint32_t looked = 0; // rows [0, looked) of the range
};

// The rows of [begin, end) that fit; fewer when it was stopped.
Found filterPart(const Capture& capture, const FilterWish& wish, const FilterSettings& settings, std::uint32_t begin,
                 std::uint32_t end, std::uint32_t step, const std::stop_token& stop,
                 const std::function<void(std::uint32_t done, std::size_t found)>& report) {
    Found found;
    RowFilter filter(capture->index, capture->protocol, wish, settings);
    for (std::uint32_t row = begin; row < end; ++row) {
        if ((row - begin) % step == 0) {
            if (stop.stop_requested()) break;
            if (report) report(row - begin, found.rows.size());
        }
        if (filter.matches(row)) found.rows.push_back(row);
        found.looked = row - begin + 1;
    }
    return found;
}

// The same on several threads where that pays: filters that look at the index alone, over many rows.
Found filterRows(const Capture& capture, const FilterWish& wish, const FilterSettings& settings, std::uint32_t begin,
                 std::uint32_t end, JobContext& context) {
    const std::uint32_t count = end - begin;
    Found found;
    if (wish.everything()) {
        found.rows.resize(count);
        std::iota(found.rows.begin(), found.rows.end(), begin);
        found.looked = count;
        return found;
    }
    const bool decodes = wish.filter && wish.filter->cost() > FilterCost::Skim;
    const std::uint32_t step = decodes ? lookOften : lookEvery;
    const std::uint32_t threads = std::clamp(std::thread::hardware_concurrency(), 1U, mostThreads);
    const std::uint32_t parts = decodes ? 1 : std::clamp(count / rowsWorthAThread, 1U, threads);
    const auto border = [&](std::uint32_t part) {
        return begin + static_cast<std::uint32_t>(std::uint64_t{count} * part / parts);
    };
    std::vector<Found> others(parts - 1);
    {
        std::vector<std::jthread> helpers;
        for (std::uint32_t part = 1; part < parts; ++part)
            helpers.emplace_back([&, part] {
                others[part - 1] =
                    filterPart(capture, wish, settings, border(part), border(part + 1), step, context.stop(), nullptr);
            });
        found = filterPart(capture, wish, settings, begin, border(1), step, context.stop(),
                           [&](std::uint32_t done, std::size_t so) { context.progress(done, border(1) - begin, so); });
    }
    for (std::uint32_t part = 1; part < parts && found.looked == border(part) - begin; ++part) {
        found.rows.insert(found.rows.end(), others[part - 1].rows.begin(), others[part - 1].rows.end());
        found.looked += others[part - 1].looked;
    }
    return found;
}

} // namespace

OrderKeeper::OrderKeeper(ExchangeTableModel& model, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_model(model), m_jobs(jobs) {
    connect(&jobs, &JobRunner::progressed, this, [this](JobKind kind, quint64 done, quint64 total, quint64 found) {
        if (kind == JobKind::Order) Q_EMIT runningChanged(total ? static_cast<int>(done * 100 / total) : 0, found);
    });
}

void OrderKeeper::setCapture(Capture capture) {
    m_jobs.cancel(JobKind::Order);
    m_jobs.cancel(JobKind::Tail);
    Q_EMIT runningChanged(std::nullopt, 0);
    disposeLater(std::exchange(m_capture, std::move(capture)));
    m_covered = 0;
    m_model.setIndex(m_capture ? indexOf(m_capture) : nullptr, Protocol::builtin(),
                     m_capture ? m_capture->start() : Timestamp{});
    if (m_capture && wantsOrder()) m_model.setOrder({});
}

FilterSettings OrderKeeper::settings() const {
    FilterSettings settings;
    settings.slow = m_model.slowAbove();
    settings.captureStart = m_capture->start();
    return settings;
}

void OrderKeeper::setFilter(FilterWish wish) {
    m_filter = std::move(wish);
    restart();
}

void OrderKeeper::setSort(ExchangeColumn column, bool descending) {
    m_sort.column = column;
    m_sort.descending = descending;
    restart();
}

void OrderKeeper::refresh() {
    if (wantsOrder()) restart();
}

void OrderKeeper::restart() {
    m_jobs.cancel(JobKind::Tail);
    if (!m_capture) return;
    const std::uint32_t count = m_capture->index.size();
    if (!wantsOrder()) {
        m_jobs.cancel(JobKind::Order);
        m_covered = count;
        if (m_model.ordered()) m_model.clearOrder(count);
        Q_EMIT runningChanged(std::nullopt, 0);
        Q_EMIT settled();
        return;
    }
    m_sinceOrder.start();
    SortWish sort = m_sort;
    sort.slowAbove = m_model.slowAbove();
    sort.marks = m_model.allMarks();
    m_jobs.start(JobKind::Order, [this, capture = m_capture, wish = m_filter, sort = std::move(sort),
                                  settings = settings(), count](JobContext& context) {
        auto found = std::make_shared<Found>(filterRows(capture, wish, settings, 0, count, context));
        if (!sort.byCapture())
            if (auto order = sorted(capture->index, capture->protocol, found->rows, sort, {}))
                found->rows = std::move(*order);
        context.deliver([this, found, count] {
            m_lastDuration = m_sinceOrder.elapsed();
            m_covered = count;
            m_model.setOrder(std::move(found->rows));
            Q_EMIT runningChanged(std::nullopt, 0);
            if (found->looked < count)
                Q_EMIT stopped(static_cast<int>(std::uint64_t{found->looked} * 100 / count));
            else
                Q_EMIT settled();
        });
    });
}

void OrderKeeper::stop() {
    m_jobs.interrupt(JobKind::Order);
}

void OrderKeeper::grow() {
    if (!m_capture) return;
    const std::uint32_t count = m_capture->index.size();
    if (!wantsOrder()) return m_model.growTo(count);
    if (count == m_covered || m_jobs.running(JobKind::Order) || m_jobs.running(JobKind::Tail)) return;
    if (m_sort.byCapture()) return startTail(count);
    if (!m_sinceOrder.isValid() || m_sinceOrder.elapsed() > m_lastDuration * sortPauseFactor) restart();
}

void OrderKeeper::startTail(std::uint32_t count) {
    m_jobs.start(JobKind::Tail, [this, capture = m_capture, wish = m_filter, settings = settings(), begin = m_covered,
                                 count](JobContext& context) {
        auto found = std::make_shared<Found>(filterRows(capture, wish, settings, begin, count, context));
        context.deliver([this, found, count] {
            m_covered = count;
            m_model.append(found->rows);
        });
    });
}

void OrderKeeper::loadingEnded() {
    if (!m_capture) return;
    if (wantsOrder())
        restart();
    else
        grow();
}

} // namespace brokerscope
