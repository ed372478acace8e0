// Stands in for base/crc32c.cc in the fuzz targets: every checksum is 0. A changed byte then
// reaches the checks behind the checksum, which are the ones that a forged file meets.
#include "base/digest.h"

namespace sightline::base {

uint32_t Crc32c(std::span<const std::byte> /*data*/, uint32_t /*crc*/) { return 0; }
uint32_t Crc32cPortable(std::span<const std::byte> /*data*/, uint32_t /*crc*/) { return 0; }

}  // namespace sightline::base
