#include "cmd/model_pull.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "cmd/hub_pull.h"
#include "cmd/interrupt.h"
#include "cmd/session.h"
#include "engine/components.h"
#include "io/file_system.h"
#include "model/model_store.h"

namespace sightline::cmd {
namespace {

constexpr int kNoProgram = 127;
constexpr std::string_view kHubPrefix = "hf:";

/// Runs the fetch tool for one model of the registry; its progress goes to standard error. Every
/// byte of what is there is read, so that a damaged file is replaced and not taken for installed.
base::Status Fetch(const engine::Config& config, const std::string& name) {
  const std::string tool = engine::SharePath("tools/fetch");
  std::error_code error;
  if (!std::filesystem::exists(tool, error)) {
    return base::NotFound("the fetch tool is not installed: " + tool);
  }
  const std::string cache = engine::CachePath(config);
  const std::string registry = engine::RegistryPath(config);
  const pid_t child = fork();
  if (child < 0) return base::Unavailable("cannot start the fetch tool");
  if (child == 0) {
    RestoreSignals();
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl(tool.c_str(), tool.c_str(), "--verify", "--models", name.c_str(), "--cache",
          cache.c_str(), "--registry", registry.c_str(), static_cast<char*>(nullptr));
    _exit(kNoProgram);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return base::OkStatus();
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoProgram) {
    return base::NotFound("the fetch tool cannot be started (it needs python3): " + tool);
  }
  return base::Unavailable("the model could not be fetched, see above: " + name);
}

base::Status PullOne(Session& session, const engine::Config& config, const std::string& name) {
  if (name.starts_with(kHubPrefix)) {
    return PullFromHub(session, config, name);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(
      const model::ModelStore store,
      model::ModelStore::Open(io::PosixFileSystem(), engine::CachePath(config),
                              engine::RegistryPath(config)));
  SIGHTLINE_ASSIGN_OR_RETURN(const model::ModelEntry* entry, store.Find(name));
  if (store.Verify(*entry, model::VerifyMode::kTrustStamp, session.cancel()).ok()) {
    return base::OkStatus();
  }
  SIGHTLINE_RETURN_IF_ERROR(Fetch(config, name));
  return store.Verify(*entry, model::VerifyMode::kFull, session.cancel());
}

}  // namespace

ExitCode PullModels(Session& session, const engine::Config& config,
                    const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const base::Status pulled = PullOne(session, config, name);
    if (!pulled.ok()) return session.FailEnvironment(pulled, "sightline models list");
    session.console().PrintLine("installed " + name);
  }
  return ExitCode::kOk;
}

}  // namespace sightline::cmd
