// SPDX-License-Identifier: Apache-2.0
#include "capture/live_capture.h"

#include "capture/files/spill_file.h"

#include <fmt/format.h>
#include <pcap.h>

#include <arpa/inet.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
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

Result<PcapHandle> openInterface(const std::string& name, const LiveOptions& options) {
    std::array<char, PCAP_ERRBUF_SIZE> text{};
    PcapHandle handle(pcap_create(name.c_str(), text.data()));
    if (!handle) return Error{text.data(), name, {}};
    pcap_set_snaplen(handle.get(), options.snapLength);
    pcap_set_promisc(handle.get(), options.promiscuous);
    pcap_set_buffer_size(handle.get(), options.kernelBufferBytes);
    pcap_set_timeout(handle.get(), static_cast<int>(std::chrono::milliseconds(lookAround).count()));
    pcap_set_immediate_mode(handle.get(), 1);
    pcap_set_tstamp_precision(handle.get(), PCAP_TSTAMP_PRECISION_NANO);
    if (const int status = pcap_activate(handle.get()); status < 0) return activationError(name, status, handle.get());
    bpf_program program{};
    if (pcap_compile(handle.get(), &program, options.filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0)
        return Error{
            fmt::format("the capture filter '{}' is not understood: {}", options.filter, pcap_geterr(handle.get())),
            name,
            {}};
    const int applied = pcap_setfilter(handle.get(), &program);
    pcap_freecode(&program);
    if (applied != 0) return Error{pcap_geterr(handle.get()), name, {}};
    if (pcap_setnonblock(handle.get(), 1, text.data()) != 0) return Error{text.data(), name, {}};
    return handle;
}

class LiveCapture final : public PacketSource {
  public:
    LiveCapture(std::vector<PcapHandle> handles, const LiveOptions& options, SpillFile spill)
        : m_handles(std::move(handles)), m_options(options), m_spill(std::move(spill)), m_ownDrops(m_handles.size()) {
        for (std::size_t i = 0; i < m_handles.size(); ++i) {
            CaptureInterface interface;
            interface.name = options.interfaces[i];
            interface.filter = options.filter;
            interface.linkType = linkType(m_handles[i].get());
            interface.snapLength = static_cast<std::uint32_t>(options.snapLength);
            interface.resolution.exponent = timeDigits(i);
            m_info.interfaces.push_back(std::move(interface));
        }
        for (std::size_t i = 0; i < m_handles.size(); ++i)
            m_threads.emplace_back([this, i] { readInterface(i); });
    }

    ~LiveCapture() override {
        stop();
        for (std::thread& thread : m_threads)
            thread.join();
    }

    bool next(Packet& out) override {
        while (!ready(lookAround)) {
        }
        const std::lock_guard lock(m_mutex);
        if (m_queue.empty()) {
            updateCounts();
            return false;
        }
        out = m_queue.front();
        m_queue.pop_front();
        out.number = PacketNumber{++m_info.packets};
        m_info.capturedBytes += out.bytes.size();
        m_info.originalBytes += out.originalLength;
        m_info.cutPackets += out.bytes.size() < out.originalLength;
        if (m_info.packets % 1024 == 0) updateCounts();
        return true;
    }

    // With a packet, or at the end: stopped, or all interfaces are gone.
    bool ready(std::chrono::milliseconds wait) override {
        std::unique_lock lock(m_mutex);
        const auto answer = [this] { return !m_queue.empty() || m_stop || m_reading == 0; };
        m_arrived.wait_for(lock, std::min<std::chrono::milliseconds>(wait, lookAround), answer);
        return answer();
    }

    void stop() noexcept override { m_stop = true; }
    const CaptureInfo& info() const override { return m_info; }
    std::span<const std::string_view> packetComments() const override { return {}; }
    Progress progress() const override { return {m_info.capturedBytes, std::nullopt}; }

    void releaseBefore(const std::uint8_t* position) override {
        const std::lock_guard lock(m_mutex);
        if (position > m_spill.data()) m_spill.releaseBefore(static_cast<std::uint64_t>(position - m_spill.data()));
    }

  private:
    static std::uint16_t linkType(pcap_t* handle) {
        const int type = pcap_datalink(handle);
        return type == dltRaw ? linkTypeRaw : static_cast<std::uint16_t>(type);
    }

    std::uint8_t timeDigits(std::size_t interface) const {
        return pcap_get_tstamp_precision(m_handles[interface].get()) == PCAP_TSTAMP_PRECISION_NANO ? 9 : 6;
    }

    void readInterface(std::size_t interface) {
        pcap_t* handle = m_handles[interface].get();
        const std::uint8_t digits = timeDigits(interface);
        // In immediate mode libpcap waits without end: waiting is done here, so that stop() is seen.
        pollfd descriptor{pcap_get_selectable_fd(handle), POLLIN, 0};
        while (!m_stop) {
            pcap_pkthdr* header = nullptr;
            const u_char* bytes = nullptr;
            const int got = pcap_next_ex(handle, &header, &bytes);
            if (got == 1)
                take(interface, digits, *header, bytes);
            else if (got < 0) {
                fail(Error{
                    fmt::format("capturing stopped: {}", pcap_geterr(handle)), m_options.interfaces[interface], {}});
                break;
            } else
                ::poll(&descriptor, 1, static_cast<int>(std::chrono::milliseconds(lookAround).count()));
        }
        const std::lock_guard lock(m_mutex);
        --m_reading;
        m_arrived.notify_all();
    }

    void take(std::size_t interface, std::uint8_t digits, const pcap_pkthdr& header, const u_char* bytes) {
        Packet packet;
        const auto fraction = std::chrono::nanoseconds(digits == 9 ? header.ts.tv_usec : header.ts.tv_usec * 1000);
        packet.time = Timestamp(std::chrono::seconds(header.ts.tv_sec) + fraction);
        packet.timeDigits = digits;
        packet.linkType = m_info.interfaces[interface].linkType;
        packet.interface = static_cast<std::uint32_t>(interface);
        packet.originalLength = header.len;
        const std::lock_guard lock(m_mutex);
        if (m_queue.size() >= m_options.queuePackets) {
            ++m_ownDrops[interface];
            return;
        }
        const std::uint64_t at = m_spill.size();
        if (auto error = m_spill.append({bytes, header.caplen})) {
            m_info.damage.push_back(std::move(*error));
            m_stop = true;
            return;
        }
        packet.bytes = {m_spill.data() + at, header.caplen};
        m_queue.push_back(packet);
        m_arrived.notify_one();
    }

    void fail(Error error) {
        const std::lock_guard lock(m_mutex);
        m_info.damage.push_back(std::move(error));
    }

    void updateCounts() {
        for (std::size_t i = 0; i < m_handles.size(); ++i) {
            pcap_stat counted{};
            if (pcap_stats(m_handles[i].get(), &counted) != 0) continue;
            InterfaceCounts& counts = m_info.interfaces[i].counts;
            counts.received = counted.ps_recv;
            counts.droppedByInterface = counted.ps_ifdrop;
            counts.droppedBySystem = counted.ps_drop + m_ownDrops[i];
        }
    }

    std::vector<PcapHandle> m_handles;
    LiveOptions m_options;
    std::atomic<bool> m_stop = false;
    std::mutex m_mutex; // guards all below
    std::condition_variable m_arrived;
    SpillFile m_spill;
    std::deque<Packet> m_queue;
    std::vector<std::uint64_t> m_ownDrops; // by interface: the queue was full
    CaptureInfo m_info;
    std::size_t m_reading = m_handles.size(); // threads that still read
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

Result<std::unique_ptr<PacketSource>> openLive(const LiveOptions& options) {
    std::vector<PcapHandle> handles;
    for (const std::string& name : options.interfaces) {
        auto handle = openInterface(name, options);
        if (!handle) return handle.error();
        handles.push_back(std::move(*handle));
    }
    auto spill = SpillFile::create(options.temporaryFolder);
    if (!spill) return spill.error();
    return std::unique_ptr<PacketSource>(std::make_unique<LiveCapture>(std::move(handles), options, std::move(*spill)));
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
