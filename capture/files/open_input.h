// SPDX-License-Identifier: Apache-2.0
// From a path to its bytes: opens, looks at what it is (file, pipe, compressed), and says in a sentence why not.
#pragma once

#include "capture/capture_file.h"
#include "capture/files/input_bytes.h"

#include <memory>
#include <string>

namespace brokerscope {

struct OpenedInput {
    std::unique_ptr<InputBytes> input;
    std::string name; // the path, or "standard input"
};

Result<OpenedInput> openInput(const std::string& path, const OpenOptions& options);

// The error for an input that starts like no format that is read.
Error notACapture(const InputBytes& input, const std::string& name);

} // namespace brokerscope
