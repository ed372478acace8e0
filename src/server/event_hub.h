// Changes of documents, told to every client that listens (server-sent events).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "engine/engine.h"
#include "server/http_message.h"

namespace sightline::server {

/// Follows an engine's documents. A slow client misses states in between, never the last one: what
/// waits for it holds one message a document, of at most the `kMaxWaiting` documents that changed
/// last. Thread-safe.
class EventHub {
 public:
  static constexpr size_t kMaxWaiting = 4096;

  /// The engine must live longer. At most `max_streams` clients listen at a time.
  EventHub(engine::Engine& engine, size_t max_streams);
  ~EventHub();
  EventHub(const EventHub&) = delete;
  EventHub& operator=(const EventHub&) = delete;

  /// A new stream, or null when too many are open. It ends when it is dropped.
  std::shared_ptr<EventStream> Open();
  size_t open_streams() const;

 private:
  class Stream;
  void Publish(const store::Document& document);

  engine::Engine& engine_;
  const size_t max_streams_;
  int listener_id_;
  mutable base::Mutex mutex_;
  std::vector<std::weak_ptr<Stream>> streams_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::server
