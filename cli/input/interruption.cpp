// SPDX-License-Identifier: Apache-2.0
#include "cli/input/interruption.h"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace brokerscope {

namespace {

// A signal handler can reach nothing but statics.
std::atomic<PacketSource*> stopped = nullptr;
std::atomic<bool> rotation = false;

void stopSource(int signal) {
    if (PacketSource* source = stopped.exchange(nullptr)) source->stop();
    std::signal(signal, SIG_DFL);
}

void askForRotation(int) {
    rotation = true;
}

void handle(std::initializer_list<int> signals, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    for (const int signal : signals)
        sigaction(signal, &action, nullptr);
}

} // namespace

Interruption::Interruption(PacketSource& source, bool rotates) {
    stopped = &source;
    handle({SIGINT, SIGTERM}, stopSource);
    if (rotates) handle({SIGHUP, SIGUSR1}, askForRotation);
}

Interruption::~Interruption() {
    stopped = nullptr;
    handle({SIGINT, SIGTERM, SIGHUP, SIGUSR1}, SIG_DFL);
}

bool Interruption::takeRotation() {
    return rotation.exchange(false);
}

} // namespace brokerscope
