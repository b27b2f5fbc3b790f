// SPDX-License-Identifier: Apache-2.0
#include "gui/models/exchange_columns.h"

#include <QCoreApplication>

#include <array>

namespace brokerscope {

namespace {

using Column = ExchangeColumn;
constexpr std::array<ExchangeColumnRow, exchangeColumnCount> columns{{
    {Column::State, "state", "", QT_TRANSLATE_NOOP("columns", "State: error, unanswered, slow, damaged"), 30, false,
     true},
    {Column::Number, "number", QT_TRANSLATE_NOOP("columns", "No."),
     QT_TRANSLATE_NOOP("columns", "Number of the exchange, in the order of the first byte seen"), 64, true, true},
    {Column::Time, "time", QT_TRANSLATE_NOOP("columns", "Time"),
     QT_TRANSLATE_NOOP("columns", "First byte of the request (View > Time chooses the form)"), 92, true, true},
    {Column::Client, "client", QT_TRANSLATE_NOOP("columns", "Client"),
     QT_TRANSLATE_NOOP("columns", "Client id, or the client's address where there is none"), 122, false, true},
    {Column::Broker, "broker", QT_TRANSLATE_NOOP("columns", "Broker"),
     QT_TRANSLATE_NOOP("columns", "Address of the broker"), 128, false, true},
    {Column::Api, "api", QT_TRANSLATE_NOOP("columns", "API"),
     QT_TRANSLATE_NOOP("columns", "API and version of the request"), 146, false, true},
    {Column::Subject, "subject", QT_TRANSLATE_NOOP("columns", "Topic or group"),
     QT_TRANSLATE_NOOP("columns", "Topics, else the group, else the transactional id"), 124, false, true},
    {Column::Request, "request", QT_TRANSLATE_NOOP("columns", "Request"),
     QT_TRANSLATE_NOOP("columns", "Bytes of the request, with the 4-byte length"), 70, true, true},
    {Column::Response, "response", QT_TRANSLATE_NOOP("columns", "Response"),
     QT_TRANSLATE_NOOP("columns", "Bytes of the response, with the 4-byte length"), 76, true, true},
    {Column::Latency, "latency", QT_TRANSLATE_NOOP("columns", "Latency ms"),
     QT_TRANSLATE_NOOP("columns", "First byte of the request to last byte of the response. The bar is logarithmic, "
                                  "0.1 ms to 10 s; a hollow bar is waiting by design"),
     150, true, true},
    {Column::Error, "error", QT_TRANSLATE_NOOP("columns", "Error"),
     QT_TRANSLATE_NOOP("columns", "First error code, or why there is no answer"), 220, false, true},
    {Column::Connection, "connection", QT_TRANSLATE_NOOP("columns", "Connection"),
     QT_TRANSLATE_NOOP("columns", "Number of the Kafka connection"), 82, true, false},
    {Column::Correlation, "correlation", QT_TRANSLATE_NOOP("columns", "Correlation"),
     QT_TRANSLATE_NOOP("columns", "Correlation id"), 84, true, false},
    {Column::ClientAddress, "client-address", QT_TRANSLATE_NOOP("columns", "Client address"),
     QT_TRANSLATE_NOOP("columns", "Address and port of the client"), 128, false, false},
    {Column::Software, "software", QT_TRANSLATE_NOOP("columns", "Software"),
     QT_TRANSLATE_NOOP("columns", "Client library and version, as ApiVersions told"), 160, false, false},
    {Column::Partitions, "partitions", QT_TRANSLATE_NOOP("columns", "Partitions"),
     QT_TRANSLATE_NOOP("columns", "Partitions named in the exchange"), 76, true, false},
    {Column::Throttle, "throttle", QT_TRANSLATE_NOOP("columns", "Throttle ms"),
     QT_TRANSLATE_NOOP("columns", "ThrottleTimeMs of the response"), 86, true, false},
    {Column::Wait, "wait", QT_TRANSLATE_NOOP("columns", "Wait ms"),
     QT_TRANSLATE_NOOP("columns", "Last byte of the request to first byte of the response"), 86, true, false},
    {Column::Transfer, "transfer", QT_TRANSLATE_NOOP("columns", "Transfer ms"),
     QT_TRANSLATE_NOOP("columns", "Time that the bytes of both took to pass"), 86, true, false},
    {Column::Packets, "packets", QT_TRANSLATE_NOOP("columns", "Packets"),
     QT_TRANSLATE_NOOP("columns", "Packets of the request and of the response"), 110, false, false},
    {Column::RequestEnd, "request-end", QT_TRANSLATE_NOOP("columns", "Request end"),
     QT_TRANSLATE_NOOP("columns", "Last byte of the request"), 92, true, false},
    {Column::Status, "status", QT_TRANSLATE_NOOP("columns", "Status"),
     QT_TRANSLATE_NOOP("columns", "paired, unanswered, open, ..."), 130, false, false},
    {Column::Mark, "mark", QT_TRANSLATE_NOOP("columns", "Mark"), QT_TRANSLATE_NOOP("columns", "Marked by you (Ctrl+M)"),
     50, false, false},
}};

const ExchangeColumnRow& rowOf(ExchangeColumn column) {
    return columns[static_cast<std::size_t>(column)];
}

} // namespace

std::span<const ExchangeColumnRow> exchangeColumns() {
    return columns;
}

QString title(ExchangeColumn column) {
    return QCoreApplication::translate("columns", rowOf(column).title);
}

QString meaning(ExchangeColumn column) {
    return QCoreApplication::translate("columns", rowOf(column).meaning);
}

} // namespace brokerscope
