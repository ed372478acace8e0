// Sizes as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::base {

/// "0 B", "1023 B", "1.0 KiB", "1.2 MiB", "340 GiB": one decimal below 100, powers of 1024.
std::string FormatSize(uint64_t size_bytes);

/// Reads "512", "512MiB", "1.5 GiB", "20G", "64k" (all powers of 1024); kInvalidArgument otherwise.
Result<uint64_t> ParseSize(std::string_view text);

}  // namespace sightline::base
