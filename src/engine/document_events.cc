#include "engine/document_events.h"

#include <chrono>
#include <utility>

namespace sightline::engine {
namespace {

using base::Result;

/// A waiter looks again this often even when nothing woke it: another process of the same catalog
/// may have finished the document.
constexpr std::chrono::milliseconds kLookAgain{500};

bool IsSettled(const store::Document& document) {
  return document.state == store::DocumentState::kReady ||
         document.state == store::DocumentState::kFailed;
}

}  // namespace

int DocumentEvents::Add(DocumentListener listener) {
  const base::MutexLock lock(mutex_);
  const base::MutexLock listeners_lock(listeners_mutex_);
  listeners_[next_id_] = std::move(listener);
  return next_id_++;
}

void DocumentEvents::Remove(int id) {
  const base::MutexLock lock(listeners_mutex_);
  listeners_.erase(id);
}

void DocumentEvents::Publish(const store::Document& document) {
  {
    const base::MutexLock lock(listeners_mutex_);
    for (const auto& [id, listener] : listeners_) listener(document);
  }
  const base::MutexLock lock(mutex_);
  ++version_;
  changed_.NotifyAll();
}

Result<store::Document> DocumentEvents::Wait(store::Catalog& catalog, std::string_view id,
                                             const std::function<base::Status()>& trouble,
                                             const base::CancelToken& cancel) {
  while (true) {
    std::int64_t seen = 0;
    {
      const base::MutexLock lock(mutex_);
      seen = version_;
    }
    SIGHTLINE_ASSIGN_OR_RETURN(store::Document document, catalog.GetDocument(id));
    if (IsSettled(document)) return document;
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    SIGHTLINE_RETURN_IF_ERROR(trouble());
    const base::MutexLock lock(mutex_);
    if (version_ == seen) changed_.WaitFor(mutex_, kLookAgain);
  }
}

}  // namespace sightline::engine
