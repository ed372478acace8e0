// Requests and responses as handlers see them, without anything of the network library.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"

namespace sightline::server {

/// One header line.
struct Header {
  std::string name;
  std::string value;
};

/// One request, checked: the path is decoded and without dots, the query is decoded.
struct Request {
  std::string method;
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;
  std::vector<Header> headers;
  std::string body;
  /// What stood in the place of `{name}` in the route's pattern.
  std::map<std::string, std::string, std::less<>> parameters;
  std::string request_id;
  /// Cancelled when the client goes away; carries the request's deadline.
  base::CancelToken cancel;

  /// The first header of that name, compared without case; empty when there is none.
  std::string_view header(std::string_view name) const;
  /// The first value of that name in the query; nullopt when there is none.
  std::optional<std::string> query_value(std::string_view name) const;
  /// Every value of that name in the query.
  std::vector<std::string> query_values(std::string_view name) const;
  /// The path parameter of that name.
  const std::string& parameter(std::string_view name) const;
};

/// The bytes of a response that are read piece by piece while it is sent. Used by one thread at a
/// time.
class BodySource {
 public:
  virtual ~BodySource() = default;
  /// The next bytes; empty at the end. Blocking: called on the engine's pool.
  virtual base::Result<std::string> Next() = 0;
};

/// Messages for one client that come whenever something happens. Thread-safe.
class EventStream {
 public:
  virtual ~EventStream() = default;
  /// What has to be sent now, already in the form of the stream; empty when there is nothing.
  virtual std::string Take() = 0;
  /// `wake` is called, on any thread, when there is something to take. Called at most once.
  virtual void OnEvent(std::function<void()> wake) = 0;
};

/// How long a stage took.
struct Timing {
  std::string stage;
  double ms = 0;
};

/// What a handler answers. Exactly one of `body`, `source` and `events` is used.
struct Response {
  int status = 200;
  std::vector<Header> headers;
  std::string body;
  /// With `source_bytes` bytes in all.
  std::unique_ptr<BodySource> source;
  uint64_t source_bytes = 0;
  std::shared_ptr<EventStream> events;
  /// Stages for `server-timing`, beside the total.
  std::vector<Timing> timing;

  /// Appends a header; names may repeat.
  void AddHeader(std::string name, std::string value) {
    headers.push_back({std::move(name), std::move(value)});
  }
};

/// Takes the body of a request as it arrives. Dropping it without `Finish` discards it.
class BodySink {
 public:
  virtual ~BodySink() = default;
  /// Blocking: called on the engine's pool, one call at a time.
  virtual base::Status Append(std::string_view bytes) = 0;
  /// The body is complete: the response.
  virtual Response Finish() = 0;
};

/// "OK" for 200, …
std::string_view ReasonPhrase(int status);
/// Whether two header names are the same.
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

}  // namespace sightline::server
