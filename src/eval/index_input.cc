#include "eval/index_input.h"

#include <utility>

namespace sightline::eval {
namespace {

using base::InvalidArgument;
using base::OkStatus;
using base::Result;
using base::Status;

struct NpyFile {
  std::unique_ptr<io::MappedBytes> mapped;
  format::NpyHeader header;
};

Result<NpyFile> OpenNpy(io::FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, files.OpenForRead(path));
  NpyFile npy;
  SIGHTLINE_ASSIGN_OR_RETURN(npy.mapped, file->Map());
  auto header = format::ParseNpyHeader(npy.mapped->bytes());
  if (!header.ok()) return header.status().WithContext(path);
  npy.header = *std::move(header);
  return npy;
}

/// Where each of some units begins, and `vectors` at the end.
Result<std::vector<std::uint64_t>> LoadOffsets(io::FileSystem& files, const std::string& path,
                                               std::uint64_t vectors) {
  SIGHTLINE_ASSIGN_OR_RETURN(const NpyFile npy, OpenNpy(files, path));
  auto offsets = format::ReadNpyIntegers(npy.mapped->bytes(), npy.header);
  if (!offsets.ok()) return offsets.status().WithContext(path);
  std::vector<std::uint64_t> starts;
  for (const std::int64_t offset : *offsets) {
    const bool grows =
        starts.empty() ? offset == 0 : offset > static_cast<std::int64_t>(starts.back());
    if (!grows || static_cast<std::uint64_t>(offset) > vectors) {
      return InvalidArgument("offsets must start at 0, grow, and end at the number of vectors (" +
                             std::to_string(vectors) + "): " + path);
    }
    starts.push_back(static_cast<std::uint64_t>(offset));
  }
  if (starts.size() < 2 || starts.back() != vectors) {
    return InvalidArgument("offsets must end at the number of vectors (" + std::to_string(vectors) +
                           "): " + path);
  }
  return starts;
}

}  // namespace

Result<IndexInput> IndexInput::Load(io::FileSystem& files, const IndexFiles& paths) {
  IndexInput input;
  SIGHTLINE_RETURN_IF_ERROR(input.LoadVectors(files, paths));
  SIGHTLINE_RETURN_IF_ERROR(input.LoadQueries(files, paths));
  if (!paths.truth.empty()) SIGHTLINE_RETURN_IF_ERROR(input.LoadTruth(files, paths.truth));
  return input;
}

Status IndexInput::LoadVectors(io::FileSystem& files, const IndexFiles& paths) {
  SIGHTLINE_ASSIGN_OR_RETURN(NpyFile npy, OpenNpy(files, paths.vectors));
  mapped_ = std::move(npy.mapped);
  header_ = std::move(npy.header);
  const auto& shape = header_.shape;
  if (shape.size() < 2 || header_.size() == 0) {
    return InvalidArgument("vectors must have two or three dimensions and not be empty: " +
                           paths.vectors);
  }
  dims_ = static_cast<std::size_t>(shape.back());
  if (!paths.offsets.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(starts_, LoadOffsets(files, paths.offsets, header_.size() / dims_));
    return OkStatus();
  }
  const std::uint64_t each = shape.size() == 3 ? shape[1] : 1;
  for (std::uint64_t unit = 0; unit <= shape[0]; ++unit) starts_.push_back(unit * each);
  return OkStatus();
}

Status IndexInput::LoadQueries(io::FileSystem& files, const IndexFiles& paths) {
  const std::string& path = paths.queries;
  SIGHTLINE_ASSIGN_OR_RETURN(const NpyFile npy, OpenNpy(files, path));
  const auto& shape = npy.header.shape;
  if (shape.size() < 2 || npy.header.size() == 0 || shape.back() != dims_) {
    return InvalidArgument("queries must be [queries, vectors a query, dims] with the " +
                           std::to_string(dims_) + " dims of the vectors: " + path);
  }
  const std::uint64_t vectors = npy.header.size() / dims_;
  std::vector<std::uint64_t> starts;
  if (paths.query_offsets.empty()) {
    const std::uint64_t each = vectors / shape[0];
    for (std::uint64_t query = 0; query <= shape[0]; ++query) starts.push_back(query * each);
  } else {
    SIGHTLINE_ASSIGN_OR_RETURN(starts, LoadOffsets(files, paths.query_offsets, vectors));
  }
  for (std::size_t query = 0; query + 1 < starts.size(); ++query) {
    auto numbers = format::ReadNpyFloats(npy.mapped->bytes(), npy.header, starts[query] * dims_,
                                         (starts[query + 1] - starts[query]) * dims_);
    if (!numbers.ok()) return numbers.status().WithContext(path);
    queries_.push_back(*std::move(numbers));
  }
  return OkStatus();
}

Status IndexInput::LoadTruth(io::FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const NpyFile npy, OpenNpy(files, path));
  auto numbers = format::ReadNpyIntegers(npy.mapped->bytes(), npy.header);
  if (!numbers.ok()) return numbers.status().WithContext(path);
  if (npy.header.shape.size() != 2 || npy.header.shape[0] != queries_.size()) {
    return InvalidArgument("the truth must be [queries, k] for " + std::to_string(queries_.size()) +
                           " queries: " + path);
  }
  const auto k = static_cast<std::size_t>(npy.header.shape[1]);
  truth_.resize(queries_.size());
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    const std::int64_t unit = (*numbers)[i];
    if (unit < 0 || static_cast<std::size_t>(unit) >= units()) {
      return InvalidArgument("the truth names a unit that is not there: " + std::to_string(unit) +
                             " of " + std::to_string(units()) + ": " + path);
    }
    truth_[i / k].push_back(static_cast<std::size_t>(unit));
  }
  return OkStatus();
}

Result<std::vector<float>> IndexInput::Unit(std::size_t unit) const {
  return format::ReadNpyFloats(mapped_->bytes(), header_, starts_[unit] * dims_,
                               (starts_[unit + 1] - starts_[unit]) * dims_);
}

}  // namespace sightline::eval
