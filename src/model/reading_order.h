// In which order people read lines that stand anywhere on a page.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/quad.h"

namespace sightline::model {

/// Indices of `lines` in reading order: columns of prose one after the other, otherwise rows from
/// the top and each row from the left. The common skew of the lines is taken out first.
std::vector<std::size_t> ReadingOrder(std::span<const Quad> lines);

}  // namespace sightline::model
