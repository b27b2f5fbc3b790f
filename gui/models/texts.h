// SPDX-License-Identifier: Apache-2.0
// How numbers, times and sizes are written in the window. Pure functions; the source language is English and the
// forms are the same everywhere, so that what is read here can be found again in the command line's output.
#pragma once

#include "capture/types/bytes.h"
#include "capture/types/time.h"

#include <QString>

#include <cstdint>
#include <string_view>

namespace brokerscope {

enum class TimeStyle : std::uint8_t { Relative, Utc, Local, Epoch, Delta };

namespace texts {

QString fromUtf8(std::string_view text);
QString grouped(std::uint64_t number);                                        // 61,204
QString milliseconds(Duration time);                                          // 14.730
QString seconds(Duration time, int digits);                                   // 0.012498, -3.000001
QString span(Duration time);                                                  // 842.118 s, 1.5 ms, 3 min 4 s
QString bytes(std::uint64_t count);                                           // 1 byte, 4,388 bytes
QString bytesShort(std::uint64_t count);                                      // 812 B, 4.3 KiB, 50 MiB
QString count(std::uint64_t number, const char* noun);                        // 1 record, 3 records
QString plural(std::uint64_t count, const QString& one, const QString& many); // many: "%1 errors"
QString date(Timestamp time, int digits, bool local);                         // 2026-11-29 15:15:01.123456
QString clock(Timestamp time, int digits, bool local);                        // 15:15:01.123456
QString hex(Bytes bytes, std::size_t atMost = SIZE_MAX);                      // 00 00 04 12 …
// What people see of text from the wire: quoted, escapes for what cannot be seen, cut at `atMost` characters.
QString quoted(std::string_view text, int atMost = 256);
QString escaped(std::string_view text, int atMost = 256); // the same without the quotes
// Below, equal or above 0: numbers inside by their value ("t-2" before "t-10"), case only where all else is equal.
int naturalOrder(QStringView a, QStringView b);
bool printable(Bytes bytes); // UTF-8 without control characters

} // namespace texts
} // namespace brokerscope
