// SPDX-License-Identifier: Apache-2.0
#include "capture/capture_file.h"

#include "capture/files/file_capture.h"
#include "capture/files/open_input.h"
#include "capture/files/pcap_reader.h"
#include "capture/files/pcapng_reader.h"

namespace brokerscope {

namespace {

Result<std::unique_ptr<FileReader>> openReader(const std::string& path, const OpenOptions& options, CaptureInfo& info) {
    auto opened = openInput(path, options);
    if (!opened) return opened.error();
    std::unique_ptr<InputBytes>& input = opened->input;
    if (input->need(4, waitForever) == Have::Yes) {
        if (PcapReader::recognises(input->at(0))) return PcapReader::open(std::move(input), opened->name, info);
        if (PcapngReader::recognises(input->at(0))) return PcapngReader::open(std::move(input), opened->name, info);
    }
    return notACapture(*input, opened->name);
}

} // namespace

Result<std::unique_ptr<PacketSource>> openCapture(std::span<const std::string> paths, const OpenOptions& options) {
    if (paths.empty()) return Error{"no capture file is given", "", {}};
    auto capture = std::make_unique<FileCapture>();
    for (const std::string& path : paths) {
        auto reader = openReader(path, options, capture->sharedInfo());
        if (!reader) return reader.error();
        capture->add(std::move(*reader));
    }
    return std::unique_ptr<PacketSource>(std::move(capture));
}

} // namespace brokerscope
