// The query flow: plan → encode → candidates → rerank → fuse → evidence.
#pragma once

#include "base/deadline.h"
#include "base/result.h"
#include "retrieve/search.h"
#include "retrieve/services.h"

namespace sightline::retrieve {

/// Answers questions. Thread-safe; holds no state of its own.
class Searcher {
 public:
  explicit Searcher(const SearchServices& services) : services_(services) {}

  /// An empty list of hits is an answer; `kInvalidArgument` says what is wrong with the request.
  base::Result<SearchResponse> Search(const SearchRequest& request,
                                      const base::CancelToken& cancel) const;

 private:
  const SearchServices services_;
};

}  // namespace sightline::retrieve
