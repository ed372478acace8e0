#include "cmd/hub_pull.h"

#include <memory>

#include "base/size_text.h"
#include "cmd/session.h"
#include "engine/components.h"
#include "io/file_system.h"
#include "io/http_client.h"
#include "model/hub.h"

namespace sightline::cmd {

base::Status PullFromHub(Session& session, const engine::Config& config, const std::string& id) {
  SIGHTLINE_ASSIGN_OR_RETURN(const model::HubSource source, model::ParseHubSource(id));
  model::PullOptions options;
  options.endpoint = model::HubEndpoint();
  options.token = model::HubToken();
  options.cache_folder = engine::CachePath(config);
  options.cancel = session.cancel();
  std::string file;
  options.progress = [&](const model::PullProgress& progress) {
    if (progress.file == file) return;
    file = progress.file;
    session.console().Remark("fetching " + file + " (" + base::FormatSize(progress.done_bytes) +
                             " of " + base::FormatSize(progress.total_bytes) + " are there)");
  };
  const std::unique_ptr<io::HttpClient> client = io::MakeHttpClient();
  SIGHTLINE_ASSIGN_OR_RETURN(const model::ModelEntry entry,
                             model::PullModel(source, options, *client, io::PosixFileSystem()));
  if (entry.kind == "dual") {
    session.console().Remark("Use it: sightline --set models.dual_encoder=" + entry.name + " …");
  }
  return base::OkStatus();
}

}  // namespace sightline::cmd
