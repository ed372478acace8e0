// The program: verbs, global options, help; from argv to an exit status.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cmd/exit_code.h"
#include "cmd/interrupt.h"
#include "cmd/verb.h"

namespace CLI {
class App;
}

namespace sightline::cmd {

/// One run. Everything that the command line understands is declared here and in the verbs; help,
/// completion and the man page are made from these declarations. Results go to standard output;
/// from the constructor on, the log of the process goes to standard error.
class Program {
 public:
  Program();
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Runs `arguments` (without the program's own name).
  ExitCode Run(std::vector<std::string> arguments, const Interrupt& interrupt);

 private:
  struct Globals;

  void DeclareGlobals();
  void DeclareVerbs();
  ExitCode Parse(std::vector<std::string> arguments, bool* parsed);
  ExitCode Dispatch(const Interrupt& interrupt);
  /// A command line that is wrong: the message with the nearest names, and where to read on.
  ExitCode Wrong(const std::string& message, const std::vector<std::string>& arguments);
  ExitCode Help();
  ExitCode Completion();

  std::unique_ptr<Globals> globals_;
  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Verb>> verbs_;
};

}  // namespace sightline::cmd
