// How well and how fast the index finds what a full comparison in floats finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "eval/index_input.h"

namespace sightline::eval {

/// What is measured.
struct IndexBenchOptions {
  std::size_t top_k = 10;
  /// Candidates that codes choose for the exact rerank; one line of the report each.
  std::vector<std::size_t> candidates = {50, 100, 200, 400};
  /// Sub-vectors of the codes; 0: dims ÷ 4.
  std::size_t sub_vectors = 0;
  int threads = 1;
  /// Where the segment is written; must exist.
  std::string folder;
};

/// One way of searching.
struct IndexBenchLine {
  std::string name;
  double recall = 0;       ///< Share of the true top k that is among its top k.
  double qps = 0;          ///< Queries a second, one thread.
  double qps_threads = 0;  ///< The same with all threads, each a query of its own.
  double p50_ms = 0;       ///< Of a query, one thread.
  double p99_ms = 0;
  double hot_bytes = 0;  ///< A vector: what every query reads.
  double build_seconds = 0;
};

/// What came out.
struct IndexBenchReport {
  std::size_t units = 0;
  std::uint64_t vectors = 0;
  std::size_t dims = 0;
  std::size_t queries = 0;
  std::size_t top_k = 0;
  int threads = 1;
  std::string instructions;      ///< Of the kernels.
  double truth_seconds = 0;      ///< For all queries, all threads; 0 where the input had it.
  std::uint64_t file_bytes = 0;  ///< Of the segment.
  std::vector<IndexBenchLine> lines;
};

/// Writes a segment, makes codes of it, and asks all queries of each; the truth is that of the
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
