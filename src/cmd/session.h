// Session: what every verb works with: the console, the configuration, the engine, cancellation.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/result.h"
#include "cmd/console.h"
#include "cmd/exit_code.h"
#include "engine/config.h"
#include "engine/engine.h"

namespace sightline::cmd {

/// An engine, and where it is.
struct OpenedEngine {
  std::unique_ptr<engine::Engine> engine;
  std::string server_url;  ///< Of the server that holds the folder; empty: it is in this process.
};

/// What a person can try after such a failure; empty when there is nothing to say.
std::string NextStep(const base::Status& status);

/// One run of the program. Not thread-safe.
class Session {
 public:
  Session(Console& console, const base::CancelToken& cancel, engine::ConfigInputs inputs)
      : console_(console), cancel_(cancel), inputs_(std::move(inputs)) {}

  Console& console() { return console_; }                      ///< Where to speak.
  const base::CancelToken& cancel() const { return cancel_; }  ///< Ctrl-C.

  /// Flags of a verb, before `LoadConfig`: they go above everything else.
  void SetFlag(std::string key, std::string value);
  /// The effective configuration.
  base::Result<engine::Config> LoadConfig() const;

  /// Opens the data folder, or connects to the server that holds it. To look something up the
  /// folder must exist. Failures say what to do.
  base::Result<OpenedEngine> Open(engine::Engine::Mode mode);

  /// Prints a failure with the next thing to try (one that fits its code, unless given) and gives
  /// the exit status for it.
  ExitCode Fail(const base::Status& status, std::string_view next = {});
  /// Prints why the command line is wrong.
  ExitCode Usage(std::string_view message, std::string_view verb);
  /// Prints why `Open` failed, with what to do about it.
  ExitCode FailOpen(const base::Status& status);
  /// `ExitCode::kEnvironment`, with the failure printed.
  ExitCode FailEnvironment(const base::Status& status, std::string_view next = {});

 private:
  Console& console_;
  const base::CancelToken cancel_;
  engine::ConfigInputs inputs_;
};

}  // namespace sightline::cmd
