// Background compaction: small segments of a collection are merged after commits.
#pragma once

#include <set>
#include <string>
#include <thread>

#include "base/deadline.h"
#include "base/mutex.h"
#include "store/catalog.h"
#include "store/vector_store.h"

namespace sightline::engine {

/// One thread. Thread-safe.
class Compactor {
 public:
  /// Both must live longer.
  Compactor(store::Catalog& catalog, store::VectorStore& vectors)
      : catalog_(catalog), vectors_(vectors) {}
  ~Compactor() { Stop(); }
  Compactor(const Compactor&) = delete;
  Compactor& operator=(const Compactor&) = delete;

  /// Starts the thread; once.
  void Start();
  /// Ends the thread; idempotent.
  void Stop();
  /// Something was committed to the collection or removed from it.
  void Wake(const std::string& collection);

 private:
  void Loop();

  store::Catalog& catalog_;
  store::VectorStore& vectors_;
  const base::CancelToken stop_;
  std::thread thread_;
  base::Mutex mutex_;
  base::CondVar changed_;
  std::set<std::string> waiting_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::engine
