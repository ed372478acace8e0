// The names that a classifier knows, as vectors of a text encoder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "io/file_system.h"
#include "model/encoder.h"

namespace sightline::model {

/// Where the names are and where their vectors are kept.
struct ConceptTableOptions {
  std::filesystem::path names_file;  ///< One class name a line, in the classifier's order.
  /// Where vectors are kept between runs, because encoding a thousand names takes seconds.
  std::filesystem::path cache_folder;
  /// Not owned; outlives the table.
  io::FileSystem* files = nullptr;
};

/// Class names and their vectors, the mean of all subtracted, not normalised. Immutable.
class ConceptTable {
 public:
  /// Reads the vectors from the cache, or encodes the names and writes the cache. The cache is
  /// keyed by the names and the encoder's space, and is made anew when it is damaged.
  static base::Result<std::unique_ptr<ConceptTable>> Open(const ConceptTableOptions& options,
                                                          TextEncoder& text,
                                                          const base::CancelToken& cancel);

  /// Number of names.
  std::size_t size() const { return names_.size(); }
  /// Name of a class.
  const std::string& name(std::size_t index) const { return names_[index]; }
  /// Of a vector.
  int dims() const { return dims_; }

  /// ConSE: the mean of the vectors of the `count` most probable classes, weighted by the square
  /// root of their probability, L2-normalised. `probabilities` has one value a class.
  std::vector<float> Combine(std::span<const float> probabilities, std::size_t count) const;

 private:
  std::vector<std::string> names_;
  int dims_ = 0;
  std::vector<float> vectors_;  // [size, dims]
};

/// Indices of the `count` largest values, largest first, ties by index.
std::vector<std::size_t> LargestIndices(std::span<const float> values, std::size_t count);

}  // namespace sightline::model
