// SPDX-License-Identifier: Apache-2.0
// Captures of the repository, loaded as the window loads them, and waiting with an event loop that turns.
#pragma once

#include "gui/loader/capture_loader.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTimer>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace brokerscope {

// Turns the event loop until it holds; false after `most` milliseconds.
inline bool waitFor(const std::function<bool()>& holds, int most = 60'000) {
    QElapsedTimer since;
    since.start();
    QTimer wake; // so that the loop sleeps between events and still looks at the clock
    wake.start(5);
    while (!holds()) {
        if (since.elapsed() > most) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    return true;
}

inline std::string samplePath(const std::string& name) {
    return std::string(BROKERSCOPE_SOURCE_DIR) + "/samples/" + name;
}

inline std::vector<std::string> allSamples() {
    std::vector<std::string> paths;
    for (const QFileInfo& file : QDir(QString::fromStdString(samplePath(""))).entryInfoList(QDir::Files, QDir::Name))
        if (file.suffix() != QStringLiteral("md")) paths.push_back(file.filePath().toStdString());
    return paths;
}

struct Loaded {
    Capture capture;
    std::shared_ptr<const CaptureReport> report;
    QString failure;
};

inline Loaded load(std::vector<std::string> paths, std::vector<std::uint16_t> ports = {}) {
    Loaded loaded;
    CaptureLoader loader;
    QObject::connect(&loader, &CaptureLoader::finished, &loader,
                     [&](const Capture& capture, const std::shared_ptr<const CaptureReport>& report) {
                         loaded.capture = capture;
                         loaded.report = report;
                     });
    QObject::connect(&loader, &CaptureLoader::failed, &loader,
                     [&](const QString& message) { loaded.failure = message; });
    OpenWish wish;
    wish.paths = std::move(paths);
    wish.ports = std::move(ports);
    loader.open(std::move(wish));
    waitFor([&] { return loaded.report || !loaded.failure.isEmpty(); });
    return loaded;
}

inline Capture loadSample(const std::string& name) {
    return load({samplePath(name)}).capture;
}

} // namespace brokerscope
