// SPDX-License-Identifier: Apache-2.0
#include "tests/support/vectors.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <zstd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace brokerscope {

namespace {

std::string readFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot open " + path);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string decompress(const std::string& packed, const std::string& path) {
    const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        throw std::runtime_error("no zstd file with its size: " + path);
    std::string text(size, '\0');
    if (ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size()) != size)
        throw std::runtime_error("damaged: " + path);
    return text;
}

std::uint8_t digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
    throw std::runtime_error(std::string("no hex digit: ") + c);
}

} // namespace

std::vector<rapidjson::Document> readVectors(std::string_view file) {
    const std::string path = std::string(BROKERSCOPE_SOURCE_DIR "/tests/data/vectors/").append(file) + ".zst";
    const std::string text = decompress(readFile(path), path);
    std::vector<rapidjson::Document> vectors;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string::npos) throw std::runtime_error("no line end in " + path);
        vectors.emplace_back().Parse<rapidjson::kParseFullPrecisionFlag>(text.data() + begin, end - begin);
        if (vectors.back().HasParseError())
            throw std::runtime_error("no JSON in line " + std::to_string(vectors.size()) + " of " + path);
        begin = end + 1;
    }
    return vectors;
}

std::vector<std::uint8_t> bytesOfHex(std::string_view hex) {
    std::vector<std::uint8_t> bytes(hex.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return bytes;
}

std::string textOf(const rapidjson::Value& value) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value.Accept(writer);
    return {buffer.GetString(), buffer.GetSize()};
}

} // namespace brokerscope
