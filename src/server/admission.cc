#include "server/admission.h"

namespace sightline::server {

bool Admission::BeginConnection(const std::string& address) {
  if (connections_ >= limits_.connections) {
    metrics_.AddRefusal("connections");
    return false;
  }
  const auto found = by_address_.find(address);
  if (found != by_address_.end() && found->second >= limits_.connections_per_address) {
    metrics_.AddRefusal("connections_per_address");
    return false;
  }
  ++by_address_[address];
  metrics_.SetConnections(++connections_);
  return true;
}

void Admission::EndConnection(const std::string& address) {
  const auto found = by_address_.find(address);
  if (--found->second == 0) by_address_.erase(found);
  metrics_.SetConnections(--connections_);
}

bool Admission::BeginRequest() {
  if (requests_ >= limits_.in_flight_requests) {
    metrics_.AddRefusal("in_flight_requests");
    return false;
  }
  metrics_.SetInFlight(++requests_);
  return true;
}

void Admission::EndRequest() { metrics_.SetInFlight(--requests_); }

}  // namespace sightline::server
