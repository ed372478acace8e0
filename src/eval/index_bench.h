// How well and how fast the index finds what a full comparison in floats finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "eval/index_input.h"
#include "index/codebook_trainer.h"
#include "index/search.h"

namespace sightline::eval {

/// What is measured.
struct IndexBenchOptions {
  std::size_t top_k = 10;
  /// Ways of searching; `kAuto` is the one that the product would take.
  std::vector<index::SearchPath> paths = {index::SearchPath::kExact, index::SearchPath::kFlat,
                                          index::SearchPath::kLists};
  /// Units that codes choose for the exact rerank; one line of the report each.
  std::vector<std::size_t> candidates = {100, 200, 400};
  /// Lists that a vector of a query probes; with lists one line each.
  std::vector<std::size_t> probes = {32};
  /// Units that lists hand on to the codes; 0: the default.
  std::size_t gathered = 0;
  /// How codes and lists are learned.
  index::CodebookTraining training;
  /// Threads of the build and of the search with all threads.
  int threads = 1;
  /// Where the segment is written. A segment that is there already is searched as it is.
  std::string segment;
};

/// One way of searching.
struct IndexBenchLine {
  std::string name;
  double recall = 0;       ///< Share of the true top k that is among its top k.
  double qps = 0;          ///< Queries a second, one thread.
  double qps_threads = 0;  ///< The same with all threads, each a query of its own.
  double p50_ms = 0;       ///< Of a query, one thread.
  double p99_ms = 0;
  double first_ms = 0;   ///< Of the query before all others, which finds the file as it is.
  double hot_bytes = 0;  ///< A vector: what queries read, but for the vectors of the best units.
  /// Of the process, the files that it has mapped and read included, after this way's queries.
  std::uint64_t resident_bytes = 0;
};

/// What came out.
struct IndexBenchReport {
  std::size_t units = 0;
  std::uint64_t vectors = 0;
  std::size_t dims = 0;
  std::size_t queries = 0;
  std::size_t top_k = 0;
  int threads = 1;
  std::string instructions;  ///< Of the kernels.
  std::string codec;         ///< Of the codes; empty where there are none.
  std::size_t lists = 0;
  double truth_seconds = 0;  ///< For all queries, all threads; 0 where the input had it.
  double build_seconds = 0;  ///< From the floats to the durable segment; 0 if it was there.
  double open_ms = 0;        ///< From the file to a segment that can be searched.
  std::uint64_t build_peak_bytes = 0;  ///< Most memory of the process up to then.
  std::uint64_t file_bytes = 0;        ///< Of the segment.
  std::vector<IndexBenchLine> lines;
};

/// Writes a segment with codes and lists and asks all queries in each way; the truth is that of the
/// input or, where it has none, MaxSim of the float vectors themselves.
base::Result<IndexBenchReport> RunIndexBench(const IndexInput& input,
                                             const IndexBenchOptions& options,
                                             io::FileSystem& files,
                                             const base::CancelToken& cancel);

/// Aligned columns, one row a way of searching.
std::string IndexBenchTable(const IndexBenchReport& report);
/// The same as one JSON object.
std::string IndexBenchJson(const IndexBenchReport& report);

}  // namespace sightline::eval
