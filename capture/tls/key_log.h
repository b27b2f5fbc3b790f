// SPDX-License-Identifier: Apache-2.0
// TLS secrets by client random (or session id), from any number of sources in the NSS key log format (what
// SSLKEYLOGFILE programs write): files that may grow while they are read, and text (the Decryption Secrets Blocks of
// pcapng).
//
// Files:   followed: find() looks for news in them when it does not know a secret, at most once in `refreshInterval`.
//          Truncated and replaced files are read again from their start. A half-written last line waits for its rest.
// Bounds:  at most `maxSecrets` secrets; the oldest leave first. Lines over 1 KiB are junk, and so is anything else
// that
//          does not parse: it is counted and stepped over.
// Threads: one at a time.
#pragma once

#include "capture/tls/secret.h"
#include "capture/types/result.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace brokerscope {

enum class SecretLabel : std::uint8_t {
    Master,          // CLIENT_RANDOM: TLS 1.2 and older
    ClientEarly,     // TLS 1.3 from here on
    ClientHandshake, //
    ServerHandshake,
    ClientTraffic,
    ServerTraffic,
    Session, // TLS 1.2 and older, by session id: "RSA Session-ID:... Master-Key:..."
};

class KeyLog {
  public:
    using Clock = std::chrono::steady_clock;

    struct Options {
        std::size_t maxSecrets = 500'000; // about 60 MB
        Clock::duration refreshInterval = std::chrono::milliseconds(5);
        std::function<Clock::time_point()> now = Clock::now;
    };

    enum class Missing : std::uint8_t {
        IsAnError,
        MayAppear, // a file that its program has not created yet
    };

    struct Counts {
        std::uint64_t secrets = 0;  // lines with a secret of use here
        std::uint64_t ignored = 0;  // well-formed lines of other secrets (exporter secrets and the like)
        std::uint64_t comments = 0; // and empty lines
        std::uint64_t junk = 0;     // everything else
    };

    KeyLog() : KeyLog(Options{}) {}
    explicit KeyLog(Options options);
    ~KeyLog();
    KeyLog(const KeyLog&) = delete;
    KeyLog& operator=(const KeyLog&) = delete;

    // Reads what the file holds now and follows it from there. The value is the number of secrets read.
    Result<std::uint64_t> addFile(const std::string& path, Missing missing = Missing::IsAnError);
    void addText(std::string_view text);
    // A text that only ever grows, as CaptureInfo::keyLog; news in it are seen at once. It must outlive this object.
    void followText(const std::string& text);

    std::optional<Secret> find(SecretLabel label, const ClientRandom& clientRandom);
    // The master secret of a session of TLS 1.2 or older.
    std::optional<Secret> findSession(Bytes sessionId);
    // Looks for news in all sources regardless of when it last did.
    void refresh();

    // Key log text of secrets that are known, in the order they came. Who writes secrets beside packets writes those
    // that came since the last time: `before` is what stored() was then.
    std::string text(std::uint64_t before = 0) const;
    std::uint64_t stored() const { return m_stored; } // ever; those that left for the bound too
    // Only of secrets that find() or findSession() gave: those of the sessions that were read.
    std::string usedText() const;

    const Counts& counts() const { return m_counts; }
    std::size_t size() const { return m_secrets.size(); }

  private:
    struct Key {
        ClientRandom random; // or session id, with zeros at its end
        SecretLabel label;
        std::uint8_t size = 32; // of the random or session id
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept;
    };
    struct Entry {
        Secret secret;
        bool used = false;
    };
    class Follower;

    void parseLine(std::string_view line);
    bool parseSecret(std::string_view line); // false when it is not one of ours
    bool parseSession(std::string_view line);
    void readTexts();
    std::optional<Secret> find(const Key& key);
    void store(const Key& key, const Secret& secret);
    static void appendLine(std::string& out, const Key& key, const Secret& secret);

    Options m_options;
    std::unordered_map<Key, Entry, KeyHash> m_secrets;
    std::deque<Key> m_order; // oldest first
    std::uint64_t m_stored = 0;
    std::vector<std::unique_ptr<Follower>> m_files;
    struct Text {
        const std::string* text;
        std::size_t read; // so far
    };
    std::vector<Text> m_texts;
    Clock::time_point m_lastRefresh{};
    Counts m_counts;
};

} // namespace brokerscope
