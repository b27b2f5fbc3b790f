// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/text_export.h"

#include "capture/compressor.h"
#include "cli/commands/commands.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace brokerscope {
namespace {

class TextFile {
  public:
    explicit TextFile(const std::string& path)
        : m_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {}
    ~TextFile() {
        if (m_descriptor >= 0) ::close(m_descriptor);
    }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    int descriptor() const { return m_descriptor; }

  private:
    int m_descriptor;
};

} // namespace

std::optional<Format> textFormatOf(std::string_view path) {
    for (const std::string_view compressed : {".gz", ".zst"})
        if (path.ends_with(compressed)) path.remove_suffix(compressed.size());
    if (path.ends_with(".ndjson") || path.ends_with(".jsonl")) return Format::Ndjson;
    if (path.ends_with(".csv")) return Format::Csv;
    return std::nullopt;
}

Ending exportText(const Options& options, Console& console, Format format) {
    const auto failed = [&](int error) {
        console.messages.error(fmt::format("{} cannot be written: {}", options.output, std::strerror(error)));
        return Ending::Unusable;
    };
    const TextFile file(options.output);
    if (file.descriptor() < 0) return failed(errno);
    Options listing = options;
    listing.format = format;
    listing.output.clear(); // is written here, not by the session
    Console into(listing, file.descriptor(), Compressor::byName(options.output));
    into.protocol = console.protocol;
    const Ending ending = runList(listing, into);
    into.out.finish();
    if (into.out.error() != 0) return failed(into.out.error());
    if (ending != Ending::Unusable) console.messages.note(fmt::format("exchanges written to {}", options.output));
    return ending;
}

} // namespace brokerscope
