// SPDX-License-Identifier: Apache-2.0
// Opens captures and reads them on a thread of its own. Opening another one stops the one before; stopping keeps what
// was read, and resume() goes on from there.
//
// Threads: the GUI's; the signals come queued from the loader thread and carry values. Nothing here waits for that
//          thread but the destructor (at most some 100 ms: the thread looks at its stop token every 256 packets).
// Errors:  failed() with one sentence that names the file.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/loader/mailbox.h"

#include <QObject>
#include <QString>

#include <memory>
#include <thread>
#include <vector>

namespace brokerscope {

class CaptureLoader : public QObject {
    Q_OBJECT

  public:
    explicit CaptureLoader(QObject* parent = nullptr);
    ~CaptureLoader() override;

    void open(OpenWish wish);
    void stop();   // keeps what is there; finished() will come
    void resume(); // goes on with what was stopped
    void close();  // stops and forgets; no more signals for it
    bool loading() const { return m_loading; }

  Q_SIGNALS:
    void opened(brokerscope::Capture capture);
    void failed(QString message);
    void finished(brokerscope::Capture capture, std::shared_ptr<const brokerscope::CaptureReport> report);

  private:
    struct Worker {
        std::uint64_t generation = 0;
        std::jthread thread;
    };
    void launch(Capture capture);
    void retire();
    void forget(std::uint64_t generation);
    void post(std::uint64_t generation, std::function<void()> what);
    void run(std::stop_token stop, std::uint64_t generation, Capture capture);

    Mailbox m_mailbox;             // outlives the workers
    std::vector<Worker> m_workers; // the last one is the current, the others are about to end
    std::uint64_t m_generation = 0;
    bool m_loading = false;
    Capture m_current;
};

} // namespace brokerscope
