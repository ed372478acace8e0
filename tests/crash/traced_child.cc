#include "crash/traced_child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sightline::crash {
namespace {

std::vector<std::string> Arguments(const std::string& log, const Fault& fault,
                                   const std::string& traced) {
  std::vector<std::string> arguments = {"strace", "-f", "-qq", "-y", "-s",
                                        "0",      "-o", log,   "-e", "trace=" + traced};
  if (!fault.name.empty()) {
    arguments.emplace_back("-e");
    arguments.push_back("inject=" + fault.name + ":" + fault.what +
                        ":when=" + std::to_string(fault.at));
  }
  return arguments;
}

/// Starts strace; what the program writes comes from `output`. -1 when it cannot be started.
pid_t Start(std::vector<std::string>& arguments, int& output) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = -1;
  const int failure = posix_spawnp(&child, "strace", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  output = ends[0];
  return failure == 0 ? child : -1;
}

std::string ReadToEnd(int output) {
  std::string text;
  std::array<char, 4'096> buffer{};
  for (ssize_t got = 1; got > 0;) {
    got = read(output, buffer.data(), buffer.size());
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(output);
  return text;
}

std::vector<std::string> CompleteLines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TracedRun RunTraced(const std::string& program, const std::string& folder, const Fault& fault,
                    const std::string& traced) {
  const std::string log = folder + ".strace";
  std::vector<std::string> arguments = Arguments(log, fault, traced);
  arguments.push_back(program);
  arguments.push_back(folder);
  TracedRun run;
  int output = -1;
  const pid_t child = Start(arguments, output);
  run.journal = CompleteLines(ReadToEnd(output));
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return run;
  run.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
  run.calls = CompleteLines(ReadFile(log));
  std::filesystem::remove(log);
  return run;
}

bool TracingIsPermitted() {
  const pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace sightline::crash
