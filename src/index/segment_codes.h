// Codes and inverted lists of one segment, from its file or made in memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "index/codebook.h"
#include "index/segment_reader.h"
#include "kernels/max_sim.h"

namespace sightline::index {

/// Immutable; thread-safe. What lies in a file is checked when it is opened or, codes and postings,
/// page by page when they are first touched: kDataLoss with path and offset.
class SegmentCodes {
 public:
  using Pointer = std::shared_ptr<const SegmentCodes>;
  using Segment = std::shared_ptr<const SegmentReader>;

  /// The code part of a segment that has one. `known`: a codebook that is used in place of an equal
  /// one in the file; may be null.
  static base::Result<Pointer> Open(Segment segment, std::shared_ptr<const Codebook> known);
  /// What the code part of a segment would be, made in memory.
  static base::Result<Pointer> Encode(Segment segment, std::shared_ptr<const Codebook> codebook,
                                      int threads, const base::CancelToken& cancel);

  /// What they were made with.
  const std::shared_ptr<const Codebook>& codebook() const { return codebook_; }
  /// Whether there are inverted lists.
  bool has_lists() const { return !list_ends_.empty(); }
  /// The codes of all vectors, of which those of `range` may be read.
  base::Result<const std::uint8_t*> Codes(kernels::VectorRange range) const;
  /// The units that have a vector in a list, growing.
  base::Result<std::span<const std::uint32_t>> List(std::size_t list) const;
  /// The list of each vector; empty for codes that were made in memory.
  std::span<const std::uint16_t> assignments() const { return assignments_; }
  /// Tells the system that codes are about to be read, unless they have been.
  void CodesWillBeNeeded(kernels::VectorRange range) const;
  /// The same for a list.
  void ListWillBeNeeded(std::size_t list) const;
  /// Reads and checks everything.
  base::Status Verify() const;
  /// Bytes of codes and lists, without the codebook.
  std::size_t hot_bytes() const;

 private:
  explicit SegmentCodes(Segment segment) : segment_(std::move(segment)) {}
  base::Status Load(std::shared_ptr<const Codebook> known);
  base::Status LoadCodebook(std::shared_ptr<const Codebook> known);
  base::Status CheckGaps() const;
  base::Status CheckLists() const;
  base::Status CheckPages(std::span<const std::byte> bytes) const;
  base::Status CheckPage(std::size_t page) const;
  void WillBeNeeded(std::span<const std::byte> bytes) const;
  std::span<const std::byte> CodesOf(kernels::VectorRange range) const;
  std::span<const std::uint32_t> PostingsOf(std::size_t list) const;
  base::Status Damaged(std::string_view what, std::uint64_t offset) const;

  const Segment segment_;
  std::shared_ptr<const Codebook> codebook_;
  std::span<const std::uint8_t> codes_;
  std::span<const std::uint16_t> assignments_;
  std::span<const std::uint64_t> list_ends_;
  std::span<const std::uint32_t> postings_;
  // Of a file.
  format::CodeLayout layout_;
  std::span<const std::uint32_t> checksums_;
  mutable std::vector<std::atomic<bool>> checked_;  // By page.
  // Of codes in memory: what the spans show.
  std::vector<std::uint8_t> own_codes_;
  std::vector<std::uint64_t> own_ends_;
  std::vector<std::uint32_t> own_postings_;
};

}  // namespace sightline::index
