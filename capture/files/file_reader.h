// SPDX-License-Identifier: Apache-2.0
// What the readers of the capture formats have in common: one file in, its packets out in the file's order. Interfaces,
// comments, secrets and damage go to the CaptureInfo of the whole capture, which several readers may share.
#pragma once

#include "capture/files/input_bytes.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

enum class Step : std::uint8_t { Packet, NotYet, End };

class FileReader {
  public:
    virtual ~FileReader() = default;

    // The next packet, without its number. Its comments stand in comments() until the next call.
    virtual Step step(Packet& out, Deadline until) = 0;

    const std::vector<std::string_view>& comments() const { return m_comments; }
    InputBytes& input() { return *m_input; }
    Progress progress() const { return m_input->progress(m_position); }

  protected:
    FileReader(std::unique_ptr<InputBytes> input, std::string name, CaptureInfo& info)
        : m_input(std::move(input)), m_name(std::move(name)), m_info(info) {}

    // No record begins here any more: was that the true end?
    Step finish();
    // The input ended before `needed`, inside `what` ("packet 3", "a block of type 5").
    Step cut(const std::string& what, std::uint64_t needed);
    // The bytes at m_position make no sense; `what` says why.
    Step damaged(const std::string& what);

    std::unique_ptr<InputBytes> m_input;
    std::string m_name;
    CaptureInfo& m_info;
    std::uint64_t m_position = 0; // where the next record begins
    std::uint64_t m_packets = 0;  // of this file, so far
    std::vector<std::string_view> m_comments;

  private:
    Step report(std::string what, std::uint64_t offset);

    bool m_over = false;
};

// The error of a file that is smaller than its first header.
Error endsInsideHeader(const InputBytes& input, const std::string& name, std::uint64_t headerSize);

} // namespace brokerscope
