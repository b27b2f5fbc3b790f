// SPDX-License-Identifier: Apache-2.0
// Calls that other threads leave for the thread this object lives in; they run there, in order, when its event loop
// comes to them. What QMetaObject::invokeMethod does, but over a mutex of our own: tools that look for races see who
// waits for whom, which Qt's libraries hide from them.
//
// Threads: post() by any. Calls that were not run yet when the mailbox goes are dropped.
#pragma once

#include <QObject>

#include <functional>
#include <mutex>
#include <vector>

namespace brokerscope {

class Mailbox : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    void post(std::function<void()> call);

  private:
    Q_INVOKABLE void deliver();

    std::mutex m_mutex;
    std::vector<std::function<void()>> m_calls;
};

} // namespace brokerscope
