#include "cmd/session.h"

#include <thread>

#include "cmd/remote_engine.h"
#include "engine/data_folder.h"
#include "io/file_system.h"

namespace sightline::cmd {
namespace {

using base::Result;
using base::Status;
using base::StatusCode;

constexpr std::chrono::milliseconds kLockPatience{3000};
constexpr std::chrono::milliseconds kLockRetry{50};

Status NoFolder(const std::string& path) {
  return base::NotFound("there is no data folder here yet: " + path);
}

/// Ok when there is something at `path`.
Status CheckFolder(const std::string& path) {
  const Result<bool> there = io::PosixFileSystem().Exists(path);
  if (!there.ok()) return there.status();
  return *there ? base::OkStatus() : NoFolder(path);
}

}  // namespace

std::string NextStep(const Status& status) {
  switch (status.code()) {
    case StatusCode::kNotFound:
      return "sightline documents";
    case StatusCode::kResourceExhausted:
      return "free memory, then the same command again";
    case StatusCode::kStorageFull:
      return "free space on the disk of the data folder, then the same command again";
    case StatusCode::kPermissionDenied:
      return "another folder with --data DIR, or change its rights";
    case StatusCode::kUnavailable:
    case StatusCode::kIo:
    case StatusCode::kDataLoss:
      return "sightline doctor";
    case StatusCode::kFailedPrecondition:
      return "another folder with --data DIR";
    case StatusCode::kInvalidArgument:
      return "sightline help";
    case StatusCode::kDeadlineExceeded:
      return "the same command again";
    case StatusCode::kOk:
    case StatusCode::kAlreadyExists:
    case StatusCode::kCancelled:
      break;
  }
  return "";
}

void Session::SetFlag(std::string key, std::string value) {
  inputs_.flags.emplace_back(std::move(key), std::move(value));
}

Result<engine::Config> Session::LoadConfig() const { return engine::LoadConfig(inputs_); }

Result<OpenedEngine> Session::Open(engine::Engine::Mode mode) {
  SIGHTLINE_ASSIGN_OR_RETURN(const engine::Config config, LoadConfig());
  if (mode == engine::Engine::Mode::kLookUp) {
    SIGHTLINE_RETURN_IF_ERROR(CheckFolder(config.data_dir));
  }
  const base::Clock& clock = base::SystemClock();
  const base::MonotonicTime patience = clock.Now() + kLockPatience;
  while (true) {
    Result<std::unique_ptr<engine::Engine>> opened = engine::Engine::Open(config, mode);
    if (opened.ok()) return OpenedEngine{*std::move(opened), ""};
    if (opened.status().code() != StatusCode::kFailedPrecondition ||
        !engine::IsHeld(io::PosixFileSystem(), config.data_dir)) {
      return opened.status();
    }
    const Result<std::string> url = engine::LockHolder(config.data_dir);
    if (url.ok() && !url->empty()) {
      SIGHTLINE_ASSIGN_OR_RETURN(std::unique_ptr<RemoteEngine> remote,
                                 RemoteEngine::Connect(*url, io::MakeHttpClient(), cancel_));
      return OpenedEngine{std::move(remote), *url};
    }
    // Another command holds it for a moment, or for long: both are told apart by waiting a little.
    SIGHTLINE_RETURN_IF_ERROR(cancel_.Check());
    if (clock.Now() >= patience) return opened.status();
    std::this_thread::sleep_for(kLockRetry);
  }
}

ExitCode Session::Fail(const Status& status, std::string_view next) {
  if (status.code() == StatusCode::kCancelled) {
    console_.Error("stopped");
    return ExitCode::kInterrupted;
  }
  console_.Error(status, next.empty() ? NextStep(status) : std::string(next));
  return ExitCodeFor(status);
}

ExitCode Session::FailEnvironment(const Status& status, std::string_view next) {
  const ExitCode code = Fail(status, next);
  return code == ExitCode::kSomeFailed ? ExitCode::kEnvironment : code;
}

ExitCode Session::FailOpen(const Status& status) {
  std::string_view next;
  if (status.code() == StatusCode::kNotFound) {
    const Result<engine::Config> config = LoadConfig();
    const bool no_folder = config.ok() && status == NoFolder(config->data_dir);
    next = no_folder ? "sightline add PATH" : "sightline doctor";
  }
  return FailEnvironment(status, next);
}

ExitCode Session::Usage(std::string_view message, std::string_view verb) {
  console_.Error(message, "sightline help " + std::string(verb));
  return ExitCode::kUsage;
}

}  // namespace sightline::cmd
