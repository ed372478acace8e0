// Who wants to know how documents are doing.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/deadline.h"
#include "base/mutex.h"
#include "base/result.h"
#include "engine/engine.h"

namespace sightline::engine {

/// Hands every change to the listeners and wakes those who wait for one document. Thread-safe.
class DocumentEvents {
 public:
  /// Returns the id for `Remove`.
  int Add(DocumentListener listener);
  /// Returns when no call of the listener is running any more.
  void Remove(int id);
  void Publish(const store::Document& document);

  /// Reads the document until it is `ready` or `failed`, or until `trouble` says why that will not
  /// come.
  base::Result<store::Document> Wait(store::Catalog& catalog, std::string_view id,
                                     const std::function<base::Status()>& trouble,
                                     const base::CancelToken& cancel);

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  std::int64_t version_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
  int next_id_ SIGHTLINE_GUARDED_BY(mutex_) = 1;
  base::Mutex listeners_mutex_;  ///< Held while listeners run, so that `Remove` can wait.
  std::map<int, DocumentListener> listeners_ SIGHTLINE_GUARDED_BY(listeners_mutex_);
};

}  // namespace sightline::engine
