// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/key_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

namespace brokerscope {

namespace {

constexpr std::size_t maxLine = 1024;

struct LabelName {
    std::string_view name;
    SecretLabel label;
};

constexpr LabelName labelNames[] = {
    {"CLIENT_RANDOM", SecretLabel::Master},
    {"CLIENT_EARLY_TRAFFIC_SECRET", SecretLabel::ClientEarly},
    {"CLIENT_HANDSHAKE_TRAFFIC_SECRET", SecretLabel::ClientHandshake},
    {"SERVER_HANDSHAKE_TRAFFIC_SECRET", SecretLabel::ServerHandshake},
    {"CLIENT_TRAFFIC_SECRET_0", SecretLabel::ClientTraffic},
    {"SERVER_TRAFFIC_SECRET_0", SecretLabel::ServerTraffic},
};

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// True when `text` is exactly out.size() bytes in hex.
bool readHex(std::string_view text, std::span<std::uint8_t> out) {
    if (text.size() != out.size() * 2) return false;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int high = hexDigit(text[2 * i]);
        const int low = hexDigit(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        out[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    return true;
}

constexpr std::string_view blanks = " \t\r";

std::string_view nextWord(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

} // namespace

// One followed file: where reading stopped, and the beginning of a line whose end is not written yet.
class KeyLog::Follower {
  public:
    explicit Follower(std::string path) : m_path(std::move(path)) {}
    ~Follower() { close(); }
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;

    // 0 or an errno.
    int open() {
        // O_NONBLOCK: a FIFO without a writer must not stop us.
        m_file = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (m_file < 0) return errno;
        struct stat status {};
        if (::fstat(m_file, &status) != 0) return errno;
        if (S_ISDIR(status.st_mode)) return EISDIR;
        m_regular = S_ISREG(status.st_mode);
        m_device = status.st_dev;
        m_inode = status.st_ino;
        return 0;
    }

    void readNews(KeyLog& log) {
        if (m_file >= 0 && m_regular && replaced()) close();
        if (m_file < 0 && open() != 0) {
            close();
            return;
        }
        char buffer[64 * 1024];
        while (true) {
            const ssize_t count = ::read(m_file, buffer, sizeof buffer);
            if (count <= 0) break;
            m_offset += static_cast<std::uint64_t>(count);
            split(log, {buffer, static_cast<std::size_t>(count)});
        }
        // A last line without its line break counts when it is whole; its rest, if one comes, is read with it again.
        if (m_partial.size() <= maxLine && !m_partial.empty()) log.parseSecret(m_partial);
    }

  private:
    void close() {
        if (m_file >= 0) ::close(m_file);
        m_file = -1;
        m_offset = 0;
        m_partial.clear();
    }

    bool replaced() const {
        struct stat open {};
        struct stat named {};
        if (::fstat(m_file, &open) != 0) return true;
        if (static_cast<std::uint64_t>(open.st_size) < m_offset) return true;
        if (::stat(m_path.c_str(), &named) != 0) return false; // removed: what is open may still grow
        return named.st_dev != m_device || named.st_ino != m_inode;
    }

    void split(KeyLog& log, std::string_view text) {
        for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
            m_partial.append(text.substr(0, std::min(end, maxLine + 1)));
            log.parseLine(m_partial);
            m_partial.clear();
            text.remove_prefix(end + 1);
        }
        // Of a line without end only so much is kept as shows that it is too long.
        const std::size_t room = maxLine + 1 - std::min(m_partial.size(), maxLine + 1);
        m_partial.append(text.substr(0, room));
    }

    std::string m_path;
    int m_file = -1;
    bool m_regular = false;
    dev_t m_device = 0;
    ino_t m_inode = 0;
    std::uint64_t m_offset = 0;
    std::string m_partial;
};

std::size_t KeyLog::KeyHash::operator()(const Key& key) const noexcept {
    const std::string_view text(reinterpret_cast<const char*>(key.random.data()), key.random.size());
    return std::hash<std::string_view>{}(text)*8 + static_cast<std::size_t>(key.label);
}

KeyLog::KeyLog(Options options) : m_options(std::move(options)) {}

KeyLog::~KeyLog() = default;

Result<std::uint64_t> KeyLog::addFile(const std::string& path, Missing missing) {
    auto follower = std::make_unique<Follower>(path);
    const int problem = follower->open();
    if (problem != 0 && !(problem == ENOENT && missing == Missing::MayAppear))
        return Error{fmt::format("cannot read the key log: {}", std::strerror(problem)), path, std::nullopt};
    const std::uint64_t before = m_counts.secrets;
    follower->readNews(*this);
    m_files.push_back(std::move(follower));
    return m_counts.secrets - before;
}

void KeyLog::addText(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        parseLine(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void KeyLog::followText(const std::string& text) {
    m_texts.push_back({&text, 0});
    readTexts();
}

// Texts grow by whole lines.
void KeyLog::readTexts() {
    for (Text& known : m_texts) {
        addText(std::string_view(*known.text).substr(known.read));
        known.read = known.text->size();
    }
}

std::optional<Secret> KeyLog::find(SecretLabel label, const ClientRandom& clientRandom) {
    return find(Key{clientRandom, label});
}

std::optional<Secret> KeyLog::findSession(Bytes sessionId) {
    Key key{{}, SecretLabel::Session};
    if (sessionId.empty() || sessionId.size() > key.random.size()) return std::nullopt;
    key.size = static_cast<std::uint8_t>(sessionId.size());
    std::ranges::copy(sessionId, key.random.begin());
    return find(key);
}

std::optional<Secret> KeyLog::find(const Key& key) {
    readTexts();
    auto found = m_secrets.find(key);
    if (found == m_secrets.end() && !m_files.empty() && m_options.now() - m_lastRefresh >= m_options.refreshInterval) {
        refresh();
        found = m_secrets.find(key);
    }
    if (found == m_secrets.end()) return std::nullopt;
    found->second.used = true;
    return found->second.secret;
}

void KeyLog::refresh() {
    m_lastRefresh = m_options.now();
    readTexts();
    for (const auto& file : m_files)
        file->readNews(*this);
}

void KeyLog::parseLine(std::string_view line) {
    const std::size_t start = line.find_first_not_of(blanks);
    if (start == std::string_view::npos || line[start] == '#') {
        ++m_counts.comments;
    } else if (line.size() > maxLine) {
        ++m_counts.junk;
    } else if (!parseSecret(line)) {
        // Other secrets have the same form: an upper-case label and two fields of hex.
        const std::string_view label = nextWord(line);
        const auto isHex = [](std::string_view word) {
            return !word.empty() && std::ranges::all_of(word, [](char c) { return hexDigit(c) >= 0; });
        };
        const bool named = label.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
        const bool known = std::ranges::find(labelNames, label, &LabelName::name) != std::end(labelNames);
        const std::string_view first = nextWord(line);
        const std::string_view second = nextWord(line);
        const bool form = named && !known && isHex(first) && isHex(second) && nextWord(line).empty();
        ++(form ? m_counts.ignored : m_counts.junk);
    }
}

bool KeyLog::parseSecret(std::string_view line) {
    const std::string_view label = nextWord(line);
    if (label == "RSA") return parseSession(line);
    const auto name = std::ranges::find(labelNames, label, &LabelName::name);
    if (name == std::end(labelNames)) return false;
    Key key{{}, name->label};
    if (!readHex(nextWord(line), key.random)) return false;
    const std::string_view text = nextWord(line);
    const bool sizeFits = text.size() == 96 || (text.size() == 64 && key.label != SecretLabel::Master);
    if (!sizeFits || !nextWord(line).empty()) return false;
    Secret secret(text.size() / 2);
    if (!readHex(text, secret.writable())) return false;
    store(key, secret);
    return true;
}

// What Java's and some older programs' logs have: a session's id and its master secret.
bool KeyLog::parseSession(std::string_view line) {
    constexpr std::string_view idPrefix = "Session-ID:", secretPrefix = "Master-Key:";
    std::string_view id = nextWord(line);
    std::string_view text = nextWord(line);
    if (!id.starts_with(idPrefix) || !text.starts_with(secretPrefix) || !nextWord(line).empty()) return false;
    id.remove_prefix(idPrefix.size());
    text.remove_prefix(secretPrefix.size());
    Key key{{}, SecretLabel::Session};
    Secret secret(Secret::maxSize);
    if (id.empty() || id.size() > key.random.size() * 2) return false;
    key.size = static_cast<std::uint8_t>(id.size() / 2);
    if (!readHex(id, std::span(key.random).first(id.size() / 2)) || !readHex(text, secret.writable())) return false;
    store(key, secret);
    return true;
}

std::string KeyLog::text(std::uint64_t before) const {
    const std::uint64_t left = m_stored - m_order.size(); // for the bound
    std::string text;
    for (std::uint64_t i = std::max(before, left); i < m_stored; ++i) {
        const Key& key = m_order[i - left];
        appendLine(text, key, m_secrets.at(key).secret);
    }
    return text;
}

std::string KeyLog::usedText() const {
    std::string text;
    for (const Key& key : m_order)
        if (const Entry& entry = m_secrets.at(key); entry.used) appendLine(text, key, entry.secret);
    return text;
}

void KeyLog::appendLine(std::string& out, const Key& key, const Secret& secret) {
    if (key.label == SecretLabel::Session) {
        const Bytes id = Bytes(key.random).first(key.size);
        fmt::format_to(std::back_inserter(out), "RSA Session-ID:{:02x} Master-Key:{:02x}\n", fmt::join(id, ""),
                       fmt::join(secret.bytes(), ""));
        return;
    }
    const auto* name = std::ranges::find(labelNames, key.label, &LabelName::label);
    fmt::format_to(std::back_inserter(out), "{} {:02x} {:02x}\n", name->name, fmt::join(key.random, ""),
                   fmt::join(secret.bytes(), ""));
}

void KeyLog::store(const Key& key, const Secret& secret) {
    const auto [place, isNew] = m_secrets.try_emplace(key);
    place->second.secret = secret;
    if (!isNew) return;
    ++m_counts.secrets;
    ++m_stored;
    m_order.push_back(key);
    if (m_order.size() > m_options.maxSecrets) {
        m_secrets.erase(m_order.front());
        m_order.pop_front();
    }
}

} // namespace brokerscope
