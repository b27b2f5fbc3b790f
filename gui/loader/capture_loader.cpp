// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/capture_loader.h"

#include "capture/capture_file.h"
#include "capture/tls/tls_layer.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <optional>
#include <utility>

namespace brokerscope {

namespace {

constexpr std::uint64_t packetsAStep = 256;

// Looks at the times of the packets that pass.
class TimedSource final : public PacketSource {
  public:
    TimedSource(std::unique_ptr<PacketSource> source, LoadProgress& progress)
        : m_source(std::move(source)), m_progress(progress) {}

    bool next(Packet& out) override {
        if (!m_source->next(out)) return false;
        const std::int64_t time = out.time.time_since_epoch().count();
        if (!m_any) m_progress.firstTime.store(time, std::memory_order_relaxed);
        if (!m_any || time > m_last) {
            m_last = time;
            m_progress.lastTime.store(time, std::memory_order_relaxed);
        }
        if (out.timeDigits == 9) m_progress.timeDigits.store(9, std::memory_order_relaxed);
        m_any = true;
        return true;
    }
    bool ready(std::chrono::milliseconds wait) override { return m_source->ready(wait); }
    void stop() noexcept override { m_source->stop(); }
    const CaptureInfo& info() const override { return m_source->info(); }
    std::span<const std::string_view> packetComments() const override { return m_source->packetComments(); }
    Progress progress() const override { return m_source->progress(); }
    void releaseBefore(const std::uint8_t* position) override { m_source->releaseBefore(position); }

  private:
    std::unique_ptr<PacketSource> m_source;
    LoadProgress& m_progress;
    std::int64_t m_last = 0;
    bool m_any = false;
};

} // namespace

// The pipeline of one capture, kept so that a stopped reading can go on, and because fragments that were put together
// live in it.
class CaptureData::Reading {
  public:
    Reading(std::unique_ptr<PacketSource> packets, CaptureData& capture)
        : source(std::move(packets), capture.progress), builder(capture.index, capture.protocol),
          assembler(capture.protocol, builder, capture.wish.ports), tls(assembler, keys, &assembler),
          reader(source, tls) {
        keys.followText(source.info().keyLog);
    }

    // Those that were asked for must be there; the one that the environment names may come later.
    std::optional<Error> addKeyLogs(const std::vector<std::string>& paths) {
        for (const std::string& path : paths)
            if (const auto added = keys.addFile(path); !added) return added.error();
        const char* named = std::getenv("SSLKEYLOGFILE");
        if (named && *named)
            if (const auto added = keys.addFile(named, KeyLog::Missing::MayAppear); !added) return added.error();
        return std::nullopt;
    }

    // False at the end of the capture.
    bool step(LoadProgress& progress, const std::stop_token& stop) {
        const Progress now = source.progress();
        const bool more = reader.step(now.bytesTotal ? packetsAStep : 1, stop); // a stream may come packet by packet
        progress.bytesRead.store(now.bytesRead, std::memory_order_relaxed);
        progress.bytesTotal.store(now.bytesTotal.value_or(0), std::memory_order_relaxed);
        progress.packets.store(reader.report().packets, std::memory_order_relaxed);
        if (!more && !ended) assembler.finish();
        if (!more) builder.nameTopics();
        ended = !more;
        return more;
    }

    CaptureReport report(bool stopped) const {
        CaptureReport result;
        result.info = source.info();
        result.packets = reader.report();
        result.foreign = builder.foreign();
        result.foreignConnections = builder.foreignConnections();
        result.tlsWithoutKeys = builder.tlsWithoutKeys();
        if (tls.storeError()) result.info.damage.push_back(*tls.storeError());
        result.bytesLost = builder.bytesLost();
        result.bytesPassedOver = builder.bytesPassedOver();
        result.stopped = stopped;
        const Progress now = source.progress();
        if (stopped && now.bytesTotal.value_or(0) > 0)
            result.percent = static_cast<int>(now.bytesRead * 100 / *now.bytesTotal);
        return result;
    }

    TimedSource source;
    IndexBuilder builder;
    ExchangeAssembler assembler;
    KeyLog keys;
    TlsLayer tls; // decrypted bytes live in it
    StreamReader reader;
    bool ended = false;
};

void disposeLater(Capture&& capture) {
    if (!capture) return;
    // Those that still run are waited for when the program ends.
    static std::vector<std::future<void>> disposals;
    std::erase_if(disposals, [](const std::future<void>& one) {
        return one.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
    });
    disposals.push_back(std::async(std::launch::async, [last = std::move(capture)]() mutable { last.reset(); }));
    capture.reset();
}

CaptureLoader::CaptureLoader(QObject* parent) : QObject(parent) {}

CaptureLoader::~CaptureLoader() {
    retire();
    m_workers.clear(); // joins
}

void CaptureLoader::retire() {
    ++m_generation;
    m_loading = false;
    if (!m_workers.empty()) m_workers.back().thread.request_stop();
}

void CaptureLoader::open(OpenWish wish) {
    retire();
    disposeLater(std::exchange(m_current, std::make_shared<CaptureData>(std::move(wish))));
    launch(m_current);
}

void CaptureLoader::resume() {
    if (m_loading || !m_current || !m_current->reading) return;
    launch(m_current);
}

void CaptureLoader::stop() {
    if (m_loading) m_workers.back().thread.request_stop();
}

void CaptureLoader::close() {
    retire();
    disposeLater(std::move(m_current));
}

void CaptureLoader::launch(Capture capture) {
    const std::uint64_t generation = ++m_generation;
    m_loading = true;
    m_workers.push_back({generation, std::jthread([this, generation, capture](std::stop_token stop) mutable {
                             run(std::move(stop), generation, std::move(capture));
                             m_mailbox.post([this, generation] { forget(generation); });
                         })});
}

void CaptureLoader::forget(std::uint64_t generation) {
    std::erase_if(m_workers, [generation](const Worker& worker) { return worker.generation == generation; });
}

void CaptureLoader::post(std::uint64_t generation, std::function<void()> what) {
    m_mailbox.post([this, generation, what = std::move(what)] {
        if (generation == m_generation) what();
    });
}

void CaptureLoader::run(std::stop_token stop, std::uint64_t generation, Capture capture) {
    const auto fail = [&](const Error& error) {
        post(generation, [this, message = QString::fromStdString(toString(error))] {
            m_loading = false;
            m_current.reset();
            Q_EMIT failed(message);
        });
    };
    if (!capture->reading) {
        auto source = openCapture(capture->wish.paths);
        if (!source) return fail(source.error());
        auto reading = std::make_shared<CaptureData::Reading>(std::move(*source), *capture);
        if (const std::optional<Error> error = reading->addKeyLogs(capture->wish.keyLogs)) return fail(*error);
        capture->reading = std::move(reading);
        post(generation, [this] { Q_EMIT opened(m_current); });
    }
    CaptureData::Reading& reading = *capture->reading;
    // A stream waits for whoever writes it: a stop must wake it up. A file is left where it is, to go on later.
    const bool growing = !reading.source.progress().bytesTotal;
    const std::stop_callback wake(stop, [&] {
        if (growing) reading.source.stop();
    });
    while (!stop.stop_requested() && reading.step(capture->progress, stop)) {
    }
    auto report = std::make_shared<const CaptureReport>(reading.report(!reading.ended));
    // No capture in the message: when nobody wants it any more, it must not be what lets it die in the GUI thread.
    post(generation, [this, report] {
        m_loading = false;
        Q_EMIT finished(m_current, report);
    });
}

} // namespace brokerscope
