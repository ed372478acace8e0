#include "index/segment_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/digest.h"
#include "index/code_part_writer.h"
#include "index/segment_reader.h"
#include "kernels/quantize_int8.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::size_t kBlockTargetBytes = std::size_t{32} << 10U;

std::string Describe(UnitId id) { return "unit " + std::to_string(id); }

}  // namespace

Result<std::unique_ptr<SegmentWriter>> SegmentWriter::Create(io::FileSystem& files,
                                                             const std::string& path, int dims,
                                                             SegmentKind kind) {
  if (dims < 1 || dims > static_cast<int>(format::kMaxDims)) {
    return base::InvalidArgument("vectors must have 1 to 4096 dims: " + std::to_string(dims));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, files.OpenForWrite(path, io::WriteMode::kCreateNew));
  std::unique_ptr<SegmentWriter> writer(
      new SegmentWriter(files, path, dims, kind, std::move(file)));
  format::SegmentHeader header;
  header.version = kind == SegmentKind::kCoded ? format::kCodedVersion : format::kPlainVersion;
  header.dims = static_cast<std::uint32_t>(dims);
  SIGHTLINE_RETURN_IF_ERROR(writer->file_->Append(format::EncodeHeader(header)));
  writer->block_.offset = format::kSegmentHeaderBytes;
  return writer;
}

SegmentWriter::SegmentWriter(io::FileSystem& files, std::string path, int dims, SegmentKind kind,
                             std::unique_ptr<io::WritableFile> file)
    : files_(files),
      path_(std::move(path)),
      dims_(static_cast<std::size_t>(dims)),
      kind_(kind),
      file_(std::move(file)),
      codes_(dims_) {}

SegmentWriter::~SegmentWriter() {
  if (finished_) return;
  file_.reset();
  // Nothing refers to the file; what cannot be removed now is collected at the next start.
  [[maybe_unused]] const Status removed = files_.RemoveFile(path_);
}

Status SegmentWriter::CheckNext(UnitId id, std::size_t vectors) const {
  if (!failure_.ok()) return failure_;
  if (finished_) return base::FailedPrecondition("the segment is finished: " + path_);
  if (id < 1 || (!ids_.empty() && id <= ids_.back())) {
    return base::InvalidArgument("unit ids must be positive and grow: " + Describe(id));
  }
  if (vectors < 1 || vectors > format::kMaxVectorsPerUnit) {
    return base::InvalidArgument("a unit must have 1 to 8192 vectors: " + Describe(id) + " has " +
                                 std::to_string(vectors));
  }
  return OkStatus();
}

/// Puts `codes_` behind the vectors of the open block.
void SegmentWriter::AppendVector(float scale) {
  const std::size_t lane = block_.vectors % kernels::kGroupLanes;
  const std::size_t group_bytes = kernels::GroupBytes(dims_);
  if (lane == 0) {
    groups_.resize(groups_.size() + group_bytes);
    kernels::ClearGroup(dims_, groups_.data() + groups_.size() - group_bytes);
  }
  kernels::StoreVector(codes_, scale, lane, groups_.data() + groups_.size() - group_bytes);
  ++block_.vectors;
}

void SegmentWriter::AppendUnit(UnitId id, std::size_t vectors) {
  ids_.push_back(id);
  ends_.push_back((ends_.empty() ? 0 : ends_.back()) + vectors);
  ++block_.units;
}

Status SegmentWriter::Add(UnitId id, std::span<const float> vectors) {
  const std::size_t count = vectors.size() / dims_;
  SIGHTLINE_RETURN_IF_ERROR(CheckNext(id, count));
  if (count * dims_ != vectors.size()) {
    return base::InvalidArgument("vectors do not have the space's dims: " + Describe(id) + " has " +
                                 std::to_string(vectors.size()) + " values, dims " +
                                 std::to_string(dims_));
  }
  if (!std::all_of(vectors.begin(), vectors.end(), [](float v) { return std::isfinite(v); })) {
    return base::InvalidArgument("vectors must be finite: " + Describe(id));
  }
  SIGHTLINE_RETURN_IF_ERROR(FlushIfFull());
  for (std::size_t i = 0; i < count; ++i) {
    AppendVector(kernels::QuantizeDocument(vectors.subspan(i * dims_, dims_), codes_.data()));
  }
  AppendUnit(id, count);
  return OkStatus();
}

Status SegmentWriter::AddStored(UnitId id, const StoredVectors& vectors) {
  SIGHTLINE_RETURN_IF_ERROR(CheckNext(id, vectors.size()));
  SIGHTLINE_RETURN_IF_ERROR(FlushIfFull());
  for (std::size_t i = 0; i < vectors.size(); ++i) AppendVector(vectors.Load(i, codes_));
  AppendUnit(id, vectors.size());
  return OkStatus();
}

Status SegmentWriter::FlushIfFull() {
  const std::size_t full_groups = block_.vectors / kernels::kGroupLanes;
  return full_groups * kernels::GroupBytes(dims_) >= kBlockTargetBytes ? FlushBlock() : OkStatus();
}

Status SegmentWriter::FlushBlock() {
  if (block_.units == 0) return OkStatus();
  const auto bytes = std::as_bytes(std::span(groups_));
  block_.size_bytes = bytes.size();
  block_.crc = base::Crc32c(bytes);
  failure_ = file_->Append(bytes);
  if (!failure_.ok()) return failure_;
  blocks_.push_back(block_);
  const format::BlockEntry done = block_;
  block_ = {};
  block_.offset = done.offset + done.size_bytes;
  block_.first_unit = done.first_unit + done.units;
  block_.first_vector = done.first_vector + done.vectors;
  groups_.clear();
  return OkStatus();
}

Status SegmentWriter::WriteTables() {
  SIGHTLINE_RETURN_IF_ERROR(FlushBlock());
  format::SegmentFooter footer;
  footer.units = ids_.size();
  footer.vectors = ends_.back();
  footer.blocks = blocks_.size();
  footer.unit_table_offset = block_.offset;
  footer.block_table_offset = block_.offset + ids_.size() * format::kUnitEntryBytes;
  footer.file_bytes = footer.block_table_offset + blocks_.size() * format::kBlockEntryBytes +
                      format::kSegmentFooterBytes;
  const auto ids = std::as_bytes(std::span(ids_));
  const auto ends = std::as_bytes(std::span(ends_));
  footer.unit_table_crc = base::Crc32c(ends, base::Crc32c(ids));
  SIGHTLINE_RETURN_IF_ERROR(file_->Append(ids));
  SIGHTLINE_RETURN_IF_ERROR(file_->Append(ends));
  std::vector<std::byte> table;
  for (const format::BlockEntry& block : blocks_) {
    const auto entry = format::EncodeBlockEntry(block);
    table.insert(table.end(), entry.begin(), entry.end());
  }
  footer.block_table_crc = base::Crc32c(table);
  SIGHTLINE_RETURN_IF_ERROR(file_->Append(table));
  return file_->Append(format::EncodeFooter(footer));
}

Status SegmentWriter::WriteCodes(const SegmentCoding& coding, const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto segment, SegmentReader::OpenPlainPart(files_, path_));
  std::shared_ptr<const Codebook> codebook = coding.codebook;
  if (codebook == nullptr) {
    SIGHTLINE_ASSIGN_OR_RETURN(codebook, TrainCodebook(*segment, coding.training, cancel));
  }
  return CodePartWriter(files_, *file_, *segment, *codebook, coding.training.threads).Write(cancel);
}

Status SegmentWriter::MakeDurable() {
  SIGHTLINE_RETURN_IF_ERROR(file_->Sync());
  SIGHTLINE_RETURN_IF_ERROR(file_->Close());
  return files_.SyncDirectory(io::ParentPath(path_));
}

Status SegmentWriter::CheckComplete(SegmentKind kind) const {
  if (!failure_.ok()) return failure_;
  if (finished_) return base::FailedPrecondition("the segment is finished: " + path_);
  if (ids_.empty()) return base::FailedPrecondition("a segment must hold a unit: " + path_);
  if (kind != kind_) return base::FailedPrecondition("the segment is of another kind: " + path_);
  return OkStatus();
}

SegmentInfo SegmentWriter::Info() const {
  return SegmentInfo{static_cast<std::int64_t>(ids_.size()),
                     static_cast<std::int64_t>(ends_.back()),
                     static_cast<std::int64_t>(file_->size_bytes()), ids_.front(), ids_.back()};
}

Result<SegmentInfo> SegmentWriter::Finish() {
  SIGHTLINE_RETURN_IF_ERROR(CheckComplete(SegmentKind::kPlain));
  failure_ = WriteTables();
  if (failure_.ok()) failure_ = MakeDurable();
  if (!failure_.ok()) return failure_;
  finished_ = true;
  return Info();
}

Result<SegmentInfo> SegmentWriter::FinishCoded(const SegmentCoding& coding,
                                               const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckComplete(SegmentKind::kCoded));
  failure_ = WriteTables();
  if (failure_.ok()) failure_ = WriteCodes(coding, cancel);
  if (failure_.ok()) failure_ = MakeDurable();
  if (!failure_.ok()) return failure_;
  finished_ = true;
  return Info();
}

}  // namespace sightline::index
