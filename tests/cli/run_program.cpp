// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/run_program.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace brokerscope {
namespace {

// An unlinked temporary file: pipes would need somebody who reads while the program runs.
struct TemporaryFile {
    TemporaryFile() : file(std::tmpfile()) { EXPECT_NE(file, nullptr); }
    ~TemporaryFile() { std::fclose(file); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return ::fileno(file); }
    std::string content() const {
        std::string all;
        std::array<char, 65536> part{};
        std::rewind(file);
        for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), file)) > 0;)
            all.append(part.data(), n);
        return all;
    }
    std::FILE* file;
};

[[noreturn]] void become(const std::vector<std::string>& words, const RunSettings& settings, int in, int out, int err) {
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    std::vector<std::string> environment = {"TERM=dumb"};
    if (const char* path = std::getenv("PATH")) environment.push_back(std::string("PATH=") + path);
    for (const auto& [name, value] : settings.environment)
        environment.push_back(name + "=" + value);
    std::vector<std::string> arguments = {BROKERSCOPE_BINARY_DIR "/cli/brokerscope"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::vector<char*> argv, envp;
    for (std::string& word : arguments)
        argv.push_back(word.data());
    for (std::string& word : environment)
        envp.push_back(word.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    ::alarm(60);
    const int program = ::open(argv[0], O_RDONLY | O_CLOEXEC); // before the rights are gone: it may lie anywhere
    constexpr uid_t nobody = 65534;
    if (settings.withoutRights && ::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(126);
    ::fexecve(program, argv.data(), envp.data());
    ::_exit(127);
}

} // namespace

ProgramRun runProgram(const std::vector<std::string>& words, const RunSettings& settings) {
    const TemporaryFile in, out, err;
    std::fwrite(settings.input.data(), 1, settings.input.size(), in.file);
    std::fflush(in.file);
    std::rewind(in.file);
    const pid_t child = ::fork();
    if (child == 0) become(words, settings, in.descriptor(), out.descriptor(), err.descriptor());
    int status = 0;
    ::waitpid(child, &status, 0);
    ProgramRun run;
    if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
    run.output = out.content();
    run.errors = err.content();
    return run;
}

} // namespace brokerscope
