// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/lost_pages.h"

#include <cstdint>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

namespace brokerscope {

namespace {

std::uintptr_t pageSize = 0; // asked before there is a handler

void replacePage(int number, siginfo_t* about, void* /*context*/) {
    const auto at = reinterpret_cast<std::uintptr_t>(about->si_addr) & ~(pageSize - 1);
    const bool lost = about->si_code == BUS_ADRERR;
    if (lost && mmap(reinterpret_cast<void*>(at), pageSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                     0) != MAP_FAILED)
        return; // and the read is done again
    signal(number, SIG_DFL);
}

} // namespace

void outliveLostPages() {
    pageSize = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = replacePage;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, nullptr);
}

} // namespace brokerscope
