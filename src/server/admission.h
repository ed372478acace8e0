// Who gets in: connections, connections of one address, requests at work. Used on the I/O thread
// only.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "server/server_metrics.h"
#include "server/server_options.h"

namespace sightline::server {

/// Counts what is at work and refuses what would be too much.
class Admission {
 public:
  /// Both must live longer.
  Admission(const ServerLimits& limits, ServerMetrics& metrics)
      : limits_(limits), metrics_(metrics) {}

  /// Whether another connection of that address may stay; if so, `EndConnection` must follow.
  bool BeginConnection(const std::string& address);
  void EndConnection(const std::string& address);
  /// Whether another request may begin; if so, `EndRequest` must follow.
  bool BeginRequest();
  void EndRequest();

  /// Open connections.
  size_t connections() const { return connections_; }
  /// Requests at work.
  size_t requests() const { return requests_; }

 private:
  const ServerLimits& limits_;
  ServerMetrics& metrics_;
  std::map<std::string, size_t> by_address_;
  size_t connections_ = 0;
  size_t requests_ = 0;
};

/// One admitted request; ends with this.
class RequestPermit {
 public:
  /// For a request that `BeginRequest` let in.
  explicit RequestPermit(Admission& admission) : admission_(&admission) {}
  ~RequestPermit() { Release(); }
  RequestPermit(const RequestPermit&) = delete;
  RequestPermit& operator=(const RequestPermit&) = delete;
  /// Ends it before this goes.
  void Release() {
    if (admission_ != nullptr) admission_->EndRequest();
    admission_ = nullptr;
  }

 private:
  Admission* admission_;
};

}  // namespace sightline::server
