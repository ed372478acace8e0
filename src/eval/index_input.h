// Vectors from `.npy` files, for measuring the index beside other engines on the same files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/npy.h"
#include "io/file_system.h"

namespace sightline::eval {

/// Where the arrays are.
struct IndexFiles {
  /// Floats [vectors, dims], or [units, vectors a unit, dims].
  std::string vectors;
  /// Integers [units + 1]: unit i has the vectors from offsets[i] up to offsets[i + 1]. Empty:
  /// every unit has as many vectors as the three dimensions of `vectors` say, or one.
  std::string offsets;
  /// Floats [queries, vectors a query, dims], or [queries, dims].
  std::string queries;
  /// As `offsets`, of `queries` [vectors, dims].
  std::string query_offsets;
  /// Integers [queries, k]: the numbers of the best units of each query, counted from 0, best
  /// first. Empty: not known.
  std::string truth;
};

/// Units whose vectors are read from the mapped file when they are asked for. Thread-safe.
class IndexInput {
 public:
  /// kNotFound, kInvalidArgument naming the file and what is wrong with it.
  static base::Result<IndexInput> Load(io::FileSystem& files, const IndexFiles& paths);

  std::size_t dims() const { return dims_; }
  std::size_t units() const { return starts_.size() - 1; }
  std::uint64_t vectors() const { return starts_.back(); }
  /// The vectors of a unit, row-major.
  base::Result<std::vector<float>> Unit(std::size_t unit) const;
  /// Gives the memory back that holds what was read; it is read again when it is asked for.
  void Forget() const { mapped_->Forget(0, mapped_->bytes().size()); }
  /// Each row-major [m, dims].
  const std::vector<std::vector<float>>& queries() const { return queries_; }
  /// The numbers of the best units of each query; empty when no file was given.
  const std::vector<std::vector<std::size_t>>& truth() const { return truth_; }

 private:
  base::Status LoadVectors(io::FileSystem& files, const IndexFiles& paths);
  base::Status LoadQueries(io::FileSystem& files, const IndexFiles& paths);
  base::Status LoadTruth(io::FileSystem& files, const std::string& path);

  std::unique_ptr<io::MappedBytes> mapped_;
  format::NpyHeader header_;
  std::size_t dims_ = 0;
  std::vector<std::uint64_t> starts_;  // First vector by unit, and their number at the end.
  std::vector<std::vector<float>> queries_;
  std::vector<std::vector<std::size_t>> truth_;
};

}  // namespace sightline::eval
