// Running the real program in tests: through pipes, and in a pseudo terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sightline::cmd {

/// What became of a run.
struct RunResult {
  int exit_status = -1;  ///< 128 + signal where a signal ended it
  std::string output;    ///< of a terminal: both streams
  std::string errors;
};

/// How the program is started.
struct RunRequest {
  std::vector<std::string> arguments;
  std::string input;                                             ///< for standard input
  std::vector<std::pair<std::string, std::string>> environment;  ///< besides PATH and a fresh HOME
  std::string folder;                                            ///< to run in
};

/// Runs the program that was built and waits for its end.
RunResult RunProgram(const RunRequest& request);

/// The same in a pseudo terminal of `columns`; `typed` is typed at once.
RunResult RunInTerminal(const RunRequest& request, int columns, const std::string& typed);

/// Runs a line of bash with the program's folder first in PATH.
RunResult RunShell(const std::string& line, const RunRequest& request);

}  // namespace sightline::cmd
