// SPDX-License-Identifier: Apache-2.0
#include "capture/live_capture.h"

#include "capture/live/packet_queue.h"

#include <fmt/format.h>
#include <pcap.h>

#include <arpa/inet.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <thread>

namespace brokerscope {

namespace {

using namespace std::chrono_literals;

constexpr auto lookAround = 100ms;                      // how often waiting threads look whether they are to stop
constexpr std::uint16_t dltRaw = 12, linkTypeRaw = 101; // the one number that differs between libpcap's two lists

struct PcapCloser {
    void operator()(pcap_t* handle) const { pcap_close(handle); }
};
using PcapHandle = std::unique_ptr<pcap_t, PcapCloser>;

std::string ownPath() {
    std::array<char, 4096> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "brokerscope";
}

Error activationError(const std::string& name, int status, pcap_t* handle) {
    if (status == PCAP_ERROR_PERM_DENIED || status == PCAP_ERROR_PROMISC_PERM_DENIED)
        return {fmt::format(
                    "this user may not capture; run 'sudo setcap cap_net_raw,cap_net_admin+ep {}' once, or use sudo",
                    ownPath()),
                name,
                {}};
    if (status == PCAP_ERROR_NO_SUCH_DEVICE)
        return {"there is no such interface; 'brokerscope interfaces' lists those there are", name, {}};
    if (status == PCAP_ERROR_IFACE_NOT_UP) return {"the interface is down", name, {}};
    const std::string_view detail = pcap_geterr(handle);
    return {std::string(detail.empty() ? pcap_statustostr(status) : detail), name, {}};
}

class FilterProgram {
  public:
    FilterProgram() = default;
    ~FilterProgram() { pcap_freecode(&m_program); }
    FilterProgram(const FilterProgram&) = delete;
    FilterProgram& operator=(const FilterProgram&) = delete;

    std::optional<Error> compile(pcap_t* handle, const std::string& name, const std::string& filter) {
        if (pcap_compile(handle, &m_program, filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) == 0) return std::nullopt;
        return Error{
            fmt::format("the capture filter '{}' is not understood: {}", filter, pcap_geterr(handle)), name, {}};
    }
    bpf_program* get() { return &m_program; }

  private:
    bpf_program m_program{};
};

std::optional<Error> setFilter(pcap_t* handle, const std::string& name, const std::string& filter) {
    FilterProgram program;
    if (auto error = program.compile(handle, name, filter)) return error;
    if (pcap_setfilter(handle, program.get()) != 0) return Error{pcap_geterr(handle), name, {}};
    return std::nullopt;
}

Result<PcapHandle> openInterface(const std::string& name, const LiveOptions& options) {
    std::array<char, PCAP_ERRBUF_SIZE> text{};
    PcapHandle handle(pcap_create(name.c_str(), text.data()));
    if (!handle) return Error{text.data(), name, {}};
    pcap_set_snaplen(handle.get(), options.snapLength);
    pcap_set_promisc(handle.get(), options.promiscuous);
    pcap_set_buffer_size(handle.get(), options.kernelBufferBytes);
    pcap_set_timeout(handle.get(), static_cast<int>(options.delay.count()));
    pcap_set_immediate_mode(handle.get(), options.immediate);
    pcap_set_tstamp_precision(handle.get(), PCAP_TSTAMP_PRECISION_NANO);
    if (const int status = pcap_activate(handle.get()); status < 0) return activationError(name, status, handle.get());
    if (auto error = setFilter(handle.get(), name, options.filter)) return *error;
    if (pcap_setnonblock(handle.get(), 1, text.data()) != 0) return Error{text.data(), name, {}};
    return handle;
}

// What one thread does: takes packets from one interface and queues them, until told to stop.
class InterfaceReader {
  public:
    InterfaceReader(PcapHandle handle, std::string name, std::uint32_t index)
        : m_handle(std::move(handle)), m_name(std::move(name)), m_index(index) {}

    std::uint16_t linkType() const {
        const int type = pcap_datalink(m_handle.get());
        return type == dltRaw ? linkTypeRaw : static_cast<std::uint16_t>(type);
    }
    std::uint8_t timeDigits() const {
        return pcap_get_tstamp_precision(m_handle.get()) == PCAP_TSTAMP_PRECISION_NANO ? 9 : 6;
    }

    // Nullopt: told to stop. Else why it ended.
    std::optional<Error> run(PacketQueue& queue, const std::atomic<bool>& stop) {
        constexpr int packetsABatch = 1024;
        m_digits = timeDigits();
        m_linkType = linkType();
        // In immediate mode libpcap waits without end: waiting is done here, so that a stop is seen.
        pollfd descriptor{pcap_get_selectable_fd(m_handle.get()), POLLIN, 0};
        while (!stop) {
            if (m_filterChanged.exchange(false))
                if (auto error = applyFilter()) return error;
            const int got = pcap_dispatch(m_handle.get(), packetsABatch, take, reinterpret_cast<u_char*>(this));
            if (!m_batch.packets.empty())
                if (auto error = handOn(queue)) return error;
            if (got < 0 && got != PCAP_ERROR_BREAK) // broken off by add()
                return Error{fmt::format("capturing stopped: {}", pcap_geterr(m_handle.get())), m_name, {}};
            if (got == 0) ::poll(&descriptor, 1, static_cast<int>(std::chrono::milliseconds(lookAround).count()));
        }
        return std::nullopt;
    }

    // By other threads:
    void changeFilter(const std::string& filter) {
        const std::lock_guard lock(m_filterMutex);
        m_filter = filter;
        m_filterChanged = true;
    }
    // libpcap counts in 32 bits, which are over in a day: what was added since the last time is added here.
    void readCounts(InterfaceCounts& counts) {
        pcap_stat now{};
        if (pcap_stats(m_handle.get(), &now) != 0) return;
        m_received += static_cast<std::uint32_t>(now.ps_recv - m_before.ps_recv);
        m_droppedByKernel += static_cast<std::uint32_t>(now.ps_drop - m_before.ps_drop);
        m_droppedByInterface += static_cast<std::uint32_t>(now.ps_ifdrop - m_before.ps_ifdrop);
        m_before = now;
        counts.received = m_received;
        counts.droppedByInterface = m_droppedByInterface;
        counts.droppedBySystem = m_droppedByKernel + m_refused;
    }

  private:
    static void take(u_char* self, const pcap_pkthdr* header, const u_char* bytes) {
        reinterpret_cast<InterfaceReader*>(self)->add(*header, bytes);
    }

    void add(const pcap_pkthdr& header, const u_char* bytes) {
        PacketBatch::Taken taken;
        const auto fraction = std::chrono::nanoseconds(m_digits == 9 ? header.ts.tv_usec : header.ts.tv_usec * 1000);
        taken.packet.time = Timestamp(std::chrono::seconds(header.ts.tv_sec) + fraction);
        taken.packet.timeDigits = m_digits;
        taken.packet.linkType = m_linkType;
        taken.packet.interface = m_index;
        taken.packet.originalLength = header.len;
        taken.captured = header.caplen;
        m_batch.packets.push_back(taken);
        m_batch.bytes.insert(m_batch.bytes.end(), bytes, bytes + header.caplen);
        constexpr std::size_t batchBytes = 4 << 20; // of packets of 64 KiB a batch would hold too much
        if (m_batch.bytes.size() >= batchBytes) pcap_breakloop(m_handle.get());
    }

    std::optional<Error> handOn(PacketQueue& queue) {
        const auto refused = queue.push(m_batch);
        m_batch.clear();
        if (!refused) return refused.error();
        m_refused += refused.value();
        return std::nullopt;
    }

    std::optional<Error> applyFilter() {
        const std::lock_guard lock(m_filterMutex);
        return setFilter(m_handle.get(), m_name, m_filter);
    }

    PcapHandle m_handle;
    std::string m_name;
    std::uint32_t m_index;
    std::uint8_t m_digits = 6;
    std::uint16_t m_linkType = 0;
    PacketBatch m_batch;
    std::atomic<std::uint64_t> m_refused = 0; // the queue was full

    std::mutex m_filterMutex;
    std::string m_filter;
    std::atomic<bool> m_filterChanged = false;

    pcap_stat m_before{};
    std::uint64_t m_received = 0, m_droppedByKernel = 0, m_droppedByInterface = 0;
};

using Readers = std::vector<std::unique_ptr<InterfaceReader>>;

class LiveCapture final : public LiveSource {
  public:
    LiveCapture(Readers readers, const LiveOptions& options, SpillSegments store)
        : m_readers(std::move(readers)), m_queue(std::move(store), {options.queuePackets, options.queueBytes}),
          m_reading(m_readers.size()) {
        for (std::size_t i = 0; i < m_readers.size(); ++i) {
            CaptureInterface interface;
            interface.name = options.interfaces[i];
            interface.filter = options.filter;
            interface.linkType = m_readers[i]->linkType();
            interface.snapLength = static_cast<std::uint32_t>(options.snapLength);
            interface.resolution.exponent = m_readers[i]->timeDigits();
            m_info.interfaces.push_back(std::move(interface));
        }
    }

    ~LiveCapture() override {
        stop();
        for (std::thread& thread : m_threads)
            thread.join();
    }

    void start() override {
        if (!m_threads.empty()) return;
        for (const auto& reader : m_readers)
            m_threads.emplace_back([this, &reader = *reader] { read(reader); });
    }

    std::optional<Error> changeFilter(const std::string& filter) override {
        for (const CaptureInterface& interface : m_info.interfaces) {
            const PcapHandle dead(pcap_open_dead(interface.linkType, static_cast<int>(interface.snapLength)));
            FilterProgram program;
            if (auto error = program.compile(dead.get(), interface.name, filter)) return error;
        }
        for (const auto& reader : m_readers)
            reader->changeFilter(filter);
        return std::nullopt;
    }

    // And what the other threads have to tell.
    void updateCounts() override {
        for (std::size_t i = 0; i < m_readers.size(); ++i)
            m_readers[i]->readCounts(m_info.interfaces[i].counts);
        const std::lock_guard lock(m_mutex);
        for (Error& failure : m_failures)
            m_info.damage.push_back(std::move(failure));
        m_failures.clear();
    }

    bool next(Packet& out) override {
        while (!ready(lookAround)) {
        }
        if (!m_queue.pop(out)) {
            updateCounts();
            return false;
        }
        out.number = PacketNumber{++m_info.packets};
        m_info.capturedBytes += out.bytes.size();
        m_info.originalBytes += out.originalLength;
        m_info.cutPackets += out.bytes.size() < out.originalLength;
        InterfaceCounts& counts = m_info.interfaces[out.interface].counts;
        counts.delivered = counts.delivered.value_or(0) + 1;
        if (m_info.packets % 1024 == 0) updateCounts();
        return true;
    }

    // With a packet, or at the end: stopped, or all interfaces are gone.
    bool ready(std::chrono::milliseconds wait) override {
        start();
        if (m_queue.wait(0ms)) return true;
        const auto until = std::chrono::steady_clock::now() + wait;
        while (true) {
            const bool over = m_stop || m_reading == 0; // asked first: what came before the end is not passed over
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
            if (m_queue.wait(std::clamp<std::chrono::milliseconds>(over ? 0ms : left, 0ms, lookAround))) return true;
            if (over) return true;
            if (left <= 0ms) return false;
        }
    }

    void stop() noexcept override { m_stop = true; }
    const CaptureInfo& info() const override { return m_info; }
    std::span<const std::string_view> packetComments() const override { return {}; }
    Progress progress() const override { return {m_info.capturedBytes, std::nullopt}; }
    void releaseBefore(const std::uint8_t* position) override { m_queue.releaseBefore(position); }

  private:
    void read(InterfaceReader& reader) {
        if (auto error = reader.run(m_queue, m_stop)) {
            const std::lock_guard lock(m_mutex);
            m_failures.push_back(std::move(*error));
        }
        --m_reading;
        m_queue.wake();
    }

    Readers m_readers;
    PacketQueue m_queue;
    CaptureInfo m_info;
    std::atomic<bool> m_stop = false;
    std::atomic<std::size_t> m_reading; // threads that still read
    std::mutex m_mutex;                 // guards m_failures
    std::vector<Error> m_failures;
    std::vector<std::thread> m_threads;
};

std::string addressText(const sockaddr* address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text.data(), text.size());
    else if (address->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text.data(), text.size());
    return text.data();
}

} // namespace

Result<std::unique_ptr<LiveSource>> openLive(const LiveOptions& options) {
    Readers readers;
    for (const std::string& name : options.interfaces) {
        auto handle = openInterface(name, options);
        if (!handle) return handle.error();
        readers.push_back(
            std::make_unique<InterfaceReader>(std::move(*handle), name, static_cast<std::uint32_t>(readers.size())));
    }
    auto store = SpillSegments::create(options.temporaryFolder);
    if (!store) return store.error();
    return std::unique_ptr<LiveSource>(std::make_unique<LiveCapture>(std::move(readers), options, std::move(*store)));
}

Result<std::vector<LiveInterface>> listInterfaces() {
    std::array<char, PCAP_ERRBUF_SIZE> text{};
    pcap_if_t* first = nullptr;
    if (pcap_findalldevs(&first, text.data()) != 0) return Error{text.data(), "", {}};
    std::vector<LiveInterface> interfaces;
    for (const pcap_if_t* device = first; device; device = device->next) {
        LiveInterface interface;
        interface.name = device->name;
        interface.description = device->description ? device->description : "";
        interface.up = device->flags & PCAP_IF_UP;
        interface.loopback = device->flags & PCAP_IF_LOOPBACK;
        for (const pcap_addr* address = device->addresses; address; address = address->next)
            if (address->addr)
                if (std::string shown = addressText(address->addr); !shown.empty())
                    interface.addresses.push_back(std::move(shown));
        interfaces.push_back(std::move(interface));
    }
    pcap_freealldevs(first);
    return interfaces;
}

} // namespace brokerscope
