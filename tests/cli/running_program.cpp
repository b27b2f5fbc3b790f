// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/running_program.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace brokerscope {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 20s;

int newFile(const std::string& path) {
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

[[noreturn]] void become(const std::vector<std::string>& words, int in, int out, int err) {
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    std::vector<std::string> arguments = {BROKERSCOPE_BINARY_DIR "/cli/brokerscope"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& word : arguments)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

} // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& words, const std::string& folder) {
    static int count = 0;
    const std::string name = folder + "/run" + std::to_string(++count);
    m_output = name + ".out";
    m_errors = name + ".err";
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    m_input = ends[1];
    const int out = newFile(m_output), err = newFile(m_errors);
    m_child = ::fork();
    if (m_child == 0) become(words, ends[0], out, err);
    for (const int descriptor : {ends[0], out, err})
        ::close(descriptor);
}

RunningProgram::~RunningProgram() {
    endInput();
    if (m_child <= 0) return;
    ::kill(m_child, SIGKILL);
    ::waitpid(m_child, nullptr, 0);
}

void RunningProgram::give(const std::string& input) {
    [[maybe_unused]] const ssize_t written = ::write(m_input, input.data(), input.size());
}

void RunningProgram::endInput() {
    if (m_input >= 0) ::close(m_input);
    m_input = -1;
}

std::string RunningProgram::output() const {
    return contentOf(m_output);
}

std::string RunningProgram::errors() const {
    return contentOf(m_errors);
}

bool RunningProgram::waitFor(const std::function<bool()>& condition) const {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(20ms);
    }
    return true;
}

void RunningProgram::signal(int number) const {
    if (m_child > 0) ::kill(m_child, number);
}

int RunningProgram::wait() {
    int status = 0;
    pid_t ended = 0;
    if (!waitFor([&] { return (ended = ::waitpid(m_child, &status, WNOHANG)) != 0; })) return -1;
    m_child = -1;
    return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int RunningProgram::interrupt() {
    signal(SIGINT);
    return wait();
}

} // namespace brokerscope
