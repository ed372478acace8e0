#include "kernels/query_batch.h"

#include <numeric>

#include "kernels/quantize_int8.h"
#include "kernels/vector_group.h"

namespace sightline::kernels {
namespace {

/// Rows are padded to a multiple of this: AMX reads 16 of them at once.
constexpr std::size_t kRowPadding = 16;

}  // namespace

QueryBatch::QueryBatch(std::span<const std::span<const float>> queries, std::size_t dims,
                       const KernelTable& table)
    : table_(&table), dims_(dims), lines_a_row_((dims + sizeof(Line) - 1) / sizeof(Line)) {
  for (const auto& query : queries) ends_.push_back(first_row(ends_.size()) + query.size() / dims);
  const std::size_t padded = (ends_.back() + kRowPadding - 1) / kRowPadding * kRowPadding;
  scales_.reserve(ends_.back());
  lines_.resize(padded * lines_a_row_);
  starts_.resize(padded);
  for (const auto& query : queries) {
    for (std::size_t at = 0; at < query.size(); at += dims) {
      const std::size_t row = scales_.size();
      std::int8_t* codes = lines_[row * lines_a_row_].codes.data();
      scales_.push_back(QuantizeQuery(query.subspan(at, dims), codes));
      starts_[row] = -kCodeBias * std::accumulate(codes, codes + dims, 0);
    }
  }
}

QueryRows QueryBatch::rows() const {
  return {lines_.front().codes.data(), starts_.data(), ends_.back(), lines_a_row_ * sizeof(Line)};
}

}  // namespace sightline::kernels
