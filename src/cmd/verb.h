// Verb: one thing that the program does (`sightline VERB …`).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/exit_code.h"

namespace CLI {
class App;
}

namespace sightline::cmd {

class Session;

/// An example that `help VERB` and the man page show.
struct Example {
  std::string command;  ///< as it is typed, from the folder of the repository
  std::string meaning;
};

/// Declares its options, then runs once.
class Verb {
 public:
  virtual ~Verb() = default;
  virtual std::string_view name() const = 0;  ///< As it is typed.
  /// One line, no full stop.
  virtual std::string_view summary() const = 0;
  /// A few sentences for `help` and the man page.
  virtual std::string_view description() const = 0;
  /// Five that work on the samples.
  virtual std::vector<Example> examples() const = 0;
  /// Adds options and arguments; their variables are members of the verb.
  virtual void Declare(CLI::App& app) = 0;
  /// Does it. Failures are printed before this returns.
  virtual ExitCode Run(Session& session) = 0;
};

/// One file each: NAME_verb.cc.
std::unique_ptr<Verb> MakeAddVerb();
std::unique_ptr<Verb> MakeSearchVerb();
std::unique_ptr<Verb> MakeDocumentsVerb();
std::unique_ptr<Verb> MakeShowVerb();
std::unique_ptr<Verb> MakeRemoveVerb();
std::unique_ptr<Verb> MakeServeVerb();
std::unique_ptr<Verb> MakeModelsVerb();
std::unique_ptr<Verb> MakeInspectVerb();
std::unique_ptr<Verb> MakeEvalVerb();
std::unique_ptr<Verb> MakeBenchVerb();
std::unique_ptr<Verb> MakeDoctorVerb();
std::unique_ptr<Verb> MakeConfigVerb();

/// All of the above in the order of `help`.
std::vector<std::unique_ptr<Verb>> MakeVerbs();

}  // namespace sightline::cmd
