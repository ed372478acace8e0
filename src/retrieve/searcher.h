// The query flow: plan → encode → candidates → rerank → fuse → evidence.
#pragma once

#include "base/deadline.h"
#include "base/result.h"
#include "base/thread_pool.h"
#include "retrieve/search.h"
#include "retrieve/services.h"

namespace sightline::retrieve {

/// Answers questions. Thread-safe; holds no state but the threads that share the work of one
/// question.
class Searcher {
 public:
  explicit Searcher(const SearchServices& services);

  /// An empty list of hits is an answer; `kInvalidArgument` says what is wrong with the request.
  base::Result<SearchResponse> Search(const SearchRequest& request,
                                      const base::CancelToken& cancel) const;

 private:
  const SearchServices services_;
  mutable base::ThreadPool pool_;
};

}  // namespace sightline::retrieve
