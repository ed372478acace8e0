// `sightline serve`
#include <CLI/CLI.hpp>

#include "base/mutex.h"
#include "cmd/session.h"
#include "cmd/verb.h"
#include "server/server.h"

namespace sightline::cmd {
namespace {

/// Blocks until the token is cancelled.
void WaitFor(const base::CancelToken& cancel) {
  base::Mutex mutex;
  base::CondVar wake;
  const std::stop_callback stop(cancel.stop_token(), [&] {
    const base::MutexLock lock(mutex);
    wake.NotifyAll();
  });
  const base::MutexLock lock(mutex);
  while (!cancel.IsCancelled()) wake.WaitFor(mutex, cancel.remaining());
}

class ServeVerb final : public Verb {
 public:
  std::string_view name() const override { return "serve"; }
  std::string_view summary() const override { return "run the server with its web page"; }
  std::string_view description() const override {
    return "Serves the web page, the HTTP API and metrics, and works on documents that wait. Other "
           "sightline commands on the same data folder talk to it. Listens on loopback only. "
           "Ctrl-C "
           "lets requests end, then stops; nothing is lost.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline serve", "http://127.0.0.1:7801/"},
            {"sightline serve --port 8000", "another port"},
            {"sightline serve --port 0", "any free port; the first line says which"},
            {"sightline serve --data /srv/sightline", "another data folder"},
            {"sightline serve --set ingest.workers=2", "two documents at once"}};
  }
  void Declare(CLI::App& app) override {
    app.add_option("--listen", listen_, "address (default: 127.0.0.1)");
    app.add_option("--port", port_, "port (default: 7801); 0: any free one");
  }
  ExitCode Run(Session& session) override;

 private:
  std::string listen_;
  std::string port_;
};

ExitCode ServeVerb::Run(Session& session) {
  if (!listen_.empty()) session.SetFlag("server.listen", listen_);
  if (!port_.empty()) session.SetFlag("server.port", port_);
  const base::Result<engine::Config> config = session.LoadConfig();
  if (!config.ok()) return session.Fail(config.status(), "sightline help serve");
  base::Result<OpenedEngine> opened = session.Open(engine::Engine::Mode::kIngest);
  if (!opened.ok()) return session.FailOpen(opened.status());
  if (!opened->server_url.empty()) {
    return session.FailEnvironment(
        base::FailedPrecondition("the data folder is served already: " + opened->server_url),
        opened->server_url + " or another folder with --data DIR");
  }
  server::ServerOptions options;
  options.listen = config->listen;
  options.port = config->port;
  options.web_dir = config->web_dir;
  options.temporary_dir = engine::TemporaryFolder(config->data_dir);
  options.limits.connections = static_cast<size_t>(config->max_connections);
  options.limits.in_flight_requests = static_cast<size_t>(config->max_in_flight);
  options.limits.upload_bytes = static_cast<uint64_t>(config->max_upload_bytes);
  base::Result<std::unique_ptr<server::Server>> started =
      server::Server::Start(options, *opened->engine);
  if (!started.ok()) {
    return session.FailEnvironment(started.status(), "another port: sightline serve --port 0");
  }
  Console& console = session.console();
  console.PrintLine((*started)->url());
  console.Flush();
  console.Remark("serving " + config->data_dir + "; Ctrl-C stops");
  WaitFor(session.cancel());
  console.Remark("stopping");
  (*started)->Stop();
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeServeVerb() { return std::make_unique<ServeVerb>(); }

}  // namespace sightline::cmd
