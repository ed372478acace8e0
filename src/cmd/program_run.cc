#include "cmd/program_run.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace sightline::cmd {
namespace {

namespace fs = std::filesystem;

std::string ProgramPath() { return SIGHTLINE_PROGRAM; }

/// Replaces this process; never returns.
[[noreturn]] void Exec(const RunRequest& request, const std::vector<std::string>& command) {
  std::vector<std::string> variables = {
      "PATH=" + fs::path(ProgramPath()).parent_path().string() + ":/usr/local/bin:/usr/bin:/bin",
      "HOME=" + request.folder, "LANG=C.UTF-8", "TERM=xterm"};
  // Models and sanitizer settings come from outside.
  for (const char* name : {"XDG_CACHE_HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
  }
  for (const auto& [name, value] : request.environment) variables.push_back(name + "=" + value);
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (!request.folder.empty() && chdir(request.folder.c_str()) != 0) _exit(126);
  execve(arguments[0], arguments.data(), environment.data());
  _exit(127);
}

int ExitStatus(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::array<int, 2> MakePipe() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
  return ends;
}

/// Writes the input and reads both outputs until all are closed.
void Exchange(int input, const std::string& text, int output, int errors, RunResult* result) {
  size_t written = 0;
  if (text.empty()) close(std::exchange(input, -1));
  while (output >= 0 || errors >= 0) {
    std::array<pollfd, 3> descriptors = {pollfd{output, POLLIN, 0}, pollfd{errors, POLLIN, 0},
                                         pollfd{input, POLLOUT, 0}};
    if (poll(descriptors.data(), descriptors.size(), -1) < 0) continue;
    const auto take = [](pollfd& descriptor, int* end, std::string* into) {
      if (*end < 0 || descriptor.revents == 0) return;
      std::array<char, 65536> buffer{};
      const ssize_t size = read(*end, buffer.data(), buffer.size());
      if (size > 0) {
        into->append(buffer.data(), static_cast<size_t>(size));
      } else if (size == 0 || errno != EINTR) {
        close(std::exchange(*end, -1));
      }
    };
    take(descriptors[0], &output, &result->output);
    take(descriptors[1], &errors, &result->errors);
    if (input >= 0 && descriptors[2].revents != 0) {
      const ssize_t size = write(input, text.data() + written, text.size() - written);
      if (size > 0) written += static_cast<size_t>(size);
      if (size < 0 || written == text.size()) close(std::exchange(input, -1));
    }
  }
  if (input >= 0) close(input);
}

RunResult Run(const RunRequest& request, const std::vector<std::string>& command) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::array<int, 2> input = MakePipe();
  const std::array<int, 2> output = MakePipe();
  const std::array<int, 2> errors = MakePipe();
  const pid_t child = fork();
  if (child == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    dup2(errors[1], STDERR_FILENO);
    std::signal(SIGPIPE, SIG_DFL);
    Exec(request, command);
  }
  for (const int end : {input[0], output[1], errors[1]}) close(end);
  RunResult result;
  Exchange(input[1], request.input, output[0], errors[0], &result);
  result.exit_status = ExitStatus(child);
  return result;
}

std::vector<std::string> Command(const RunRequest& request) {
  std::vector<std::string> command = {ProgramPath()};
  command.insert(command.end(), request.arguments.begin(), request.arguments.end());
  return command;
}

}  // namespace

RunResult RunProgram(const RunRequest& request) { return Run(request, Command(request)); }

RunResult RunShell(const std::string& line, const RunRequest& request) {
  return Run(request, {"/bin/bash", "-c", line});
}

RunResult RunInTerminal(const RunRequest& request, int columns, const std::string& typed) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<uint16_t>(columns);
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) Exec(request, Command(request));
  RunResult result;
  if (!typed.empty() && write(terminal, typed.data(), typed.size()) < 0) std::abort();
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t got = read(terminal, buffer.data(), buffer.size());
    if (got > 0) result.output.append(buffer.data(), static_cast<size_t>(got));
    if (got <= 0 && errno != EINTR) break;  // EIO: the program has ended
  }
  close(terminal);
  result.exit_status = ExitStatus(child);
  return result;
}

}  // namespace sightline::cmd
