// How many terms each unit's text row has, kept in memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "index/unit_set.h"

namespace sightline::store {

/// A unit's text row is written once and its id is never used again, so a length never changes and
/// needs no invalidation. BM25 asks for one a matching row; FTS5 looks it up in a table, which was
/// four fifths of a query's time. 4 bytes a unit id. Thread-safe.
class TextLengths {
 public:
  TextLengths() = default;
  ~TextLengths();
  TextLengths(const TextLengths&) = delete;
  TextLengths& operator=(const TextLengths&) = delete;

  /// The length that `Remember` was given, or -1.
  int Find(index::UnitId id) const;
  /// Remembers a length; ids over 268 million are not kept.
  void Remember(index::UnitId id, int length);

 private:
  static constexpr std::size_t kChunkIds = std::size_t{1} << 16U;
  static constexpr std::size_t kChunks = 4096;
  /// Length + 1, so that 0 says not known.
  using Chunk = std::array<std::atomic<std::int32_t>, kChunkIds>;

  std::array<std::atomic<Chunk*>, kChunks> chunks_{};
};

}  // namespace sightline::store
