#include "server/server_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <unistd.h>

#include <cstdio>

#include "base/version.h"

namespace sightline::server {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;

const prometheus::Histogram::BucketBoundaries kSeconds = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

// Resident memory of this process; negative when the system does not say.
double ResidentBytes() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"),
                                                             &std::fclose);
  long total = 0;
  long resident = 0;
  if (file == nullptr || std::fscanf(file.get(), "%ld %ld", &total, &resident) != 2) return -1;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

struct ServerMetrics::State {
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& requests =
      BuildCounter()
          .Name("sightline_http_requests_total")
          .Help("Requests answered, by method, route and status.")
          .Register(registry);
  prometheus::Family<prometheus::Histogram>& request_seconds =
      BuildHistogram()
          .Name("sightline_http_request_duration_seconds")
          .Help("Time from a request's head to the end of its answer, by route.")
          .Register(registry);
  prometheus::Family<prometheus::Histogram>& search_seconds =
      BuildHistogram()
          .Name("sightline_search_stage_duration_seconds")
          .Help("Time of each stage of a search.")
          .Register(registry);
  prometheus::Family<prometheus::Counter>& refusals =
      BuildCounter()
          .Name("sightline_http_refused_total")
          .Help("Connections and requests refused at a limit, by limit.")
          .Register(registry);
  prometheus::Gauge& connections = BuildGauge()
                                       .Name("sightline_http_connections")
                                       .Help("Open connections.")
                                       .Register(registry)
                                       .Add({});
  prometheus::Gauge& in_flight = BuildGauge()
                                     .Name("sightline_http_in_flight_requests")
                                     .Help("Requests that are being answered.")
                                     .Register(registry)
                                     .Add({});
  prometheus::Gauge& event_streams = BuildGauge()
                                         .Name("sightline_http_event_streams")
                                         .Help("Clients that follow events.")
                                         .Register(registry)
                                         .Add({});
  prometheus::Counter& uploaded = BuildCounter()
                                      .Name("sightline_http_uploaded_bytes_total")
                                      .Help("Bytes of documents received.")
                                      .Register(registry)
                                      .Add({});
};

ServerMetrics::ServerMetrics() : state_(std::make_unique<State>()) {
  BuildGauge()
      .Name("sightline_build_info")
      .Help("Always 1; the label is the version.")
      .Register(state_->registry)
      .Add({{"version", std::string(base::kVersion)}})
      .Set(1);
}
ServerMetrics::~ServerMetrics() = default;

void ServerMetrics::AddRequest(const RequestSample& sample) {
  state_->requests
      .Add({{"method", sample.method},
            {"route", sample.route},
            {"status", std::to_string(sample.status)}})
      .Increment();
  state_->request_seconds.Add({{"route", sample.route}}, kSeconds).Observe(sample.seconds);
}

void ServerMetrics::AddSearch(const std::vector<Timing>& stages) {
  for (const Timing& timing : stages) {
    state_->search_seconds.Add({{"stage", timing.stage}}, kSeconds).Observe(timing.ms / 1000);
  }
}

void ServerMetrics::AddRefusal(std::string_view reason) {
  state_->refusals.Add({{"limit", std::string(reason)}}).Increment();
}

void ServerMetrics::SetConnections(size_t count) {
  state_->connections.Set(static_cast<double>(count));
}
void ServerMetrics::SetInFlight(size_t count) { state_->in_flight.Set(static_cast<double>(count)); }
void ServerMetrics::SetEventStreams(size_t count) {
  state_->event_streams.Set(static_cast<double>(count));
}
void ServerMetrics::AddUploadedBytes(size_t count) {
  state_->uploaded.Increment(static_cast<double>(count));
}

std::string ServerMetrics::Render(engine::Engine& engine) {
  // The engine's figures belong to one answer: a registry of its own forgets what is gone.
  prometheus::Registry now;
  const auto gauge = [&](const char* name,
                         const char* help) -> prometheus::Family<prometheus::Gauge>& {
    return BuildGauge().Name(name).Help(help).Register(now);
  };
  const base::Result<engine::SystemInfo> info = engine.GetSystemInfo();
  if (info.ok()) {
    auto& documents = gauge("sightline_documents", "Documents, by state.");
    documents.Add({{"state", "ready"}}).Set(static_cast<double>(info->counts.ready));
    documents.Add({{"state", "failed"}}).Set(static_cast<double>(info->counts.failed));
    documents.Add({{"state", "pending"}})
        .Set(
            static_cast<double>(info->counts.documents - info->counts.ready - info->counts.failed));
    gauge("sightline_units", "Units that can be found.")
        .Add({})
        .Set(static_cast<double>(info->counts.units));
    gauge("sightline_vectors", "Vectors of all units.")
        .Add({})
        .Set(static_cast<double>(info->counts.vectors));
    gauge("sightline_data_bytes", "Size of the data folder.")
        .Add({})
        .Set(static_cast<double>(info->data_bytes));
    auto& jobs = gauge("sightline_jobs", "Jobs, by state.");
    jobs.Add({{"state", "queued"}}).Set(static_cast<double>(info->queue.queued));
    jobs.Add({{"state", "running"}}).Set(static_cast<double>(info->queue.running));
    jobs.Add({{"state", "dead"}}).Set(static_cast<double>(info->queue.dead));
  }
  const double resident_bytes = ResidentBytes();
  if (resident_bytes >= 0) {
    gauge("process_resident_memory_bytes", "Resident memory of the server.")
        .Add({})
        .Set(resident_bytes);
  }
  const prometheus::TextSerializer serializer;
  return serializer.Serialize(state_->registry.Collect()) + serializer.Serialize(now.Collect());
}

}  // namespace sightline::server
