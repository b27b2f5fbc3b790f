// SPDX-License-Identifier: Apache-2.0
// The built brokerscope while it runs: for what it prints before it ends, and for signals. Its output goes to files in
// a folder of the test's. A program that still runs when the object goes is killed.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace brokerscope {

class RunningProgram {
  public:
    RunningProgram(const std::vector<std::string>& words, const std::string& folder);
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    void give(const std::string& input);
    void endInput();
    std::string output() const; // so far
    std::string errors() const;
    // False: it did not become true in 20 s.
    bool waitFor(const std::function<bool()>& condition) const;

    void signal(int number) const;
    int wait();      // its exit status; -1: it ended by a signal, or had to be killed after 20 s
    int interrupt(); // as Ctrl-C does; then wait()

  private:
    std::string m_output, m_errors; // files
    int m_input = -1;
    pid_t m_child = -1;
};

} // namespace brokerscope
