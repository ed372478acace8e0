// How much memory this process has.
#pragma once

#include <cstdint>

namespace sightline::eval {

/// Bytes that are resident now, mapped files included; 0 where the system does not say.
std::uint64_t ResidentBytes();
/// The most that were resident since the process began; 0 where the system does not say.
std::uint64_t PeakResidentBytes();

}  // namespace sightline::eval
