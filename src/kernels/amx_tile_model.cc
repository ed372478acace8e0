// The AMX kernels with the tile instructions replaced by what the manual says they do, so that
// machines without AMX check everything but the processor. For one thread; needs AVX-512.
#include "kernels/amx_tile_model.h"

#include <immintrin.h>
#include <string.h>

namespace sightline::kernels {
namespace {

constexpr size_t kRows = 16;
constexpr size_t kRowBytes = 64;

struct ModelTile {
  uint8_t bytes[kRows][kRowBytes];
};

ModelTile tiles[8];
bool configured = false;

void Configure(const void* configuration) {
  const auto* bytes = static_cast<const uint8_t*>(configuration);
  configured = bytes[0] == 1;
  for (size_t t = 0; t < 8; ++t) {
    configured = configured && bytes[16 + 2 * t] == kRowBytes && bytes[48 + t] == kRows;
  }
  memset(tiles, 0, sizeof(tiles));
}

void Load(ModelTile& tile, const void* base, size_t stride) {
  if (!configured) __builtin_trap();
  for (size_t r = 0; r < kRows; ++r) {
    memcpy(tile.bytes[r], static_cast<const uint8_t*>(base) + r * stride, kRowBytes);
  }
}

void Store(const ModelTile& tile, void* base, size_t stride) {
  if (!configured) __builtin_trap();
  for (size_t r = 0; r < kRows; ++r) {
    memcpy(static_cast<uint8_t*>(base) + r * stride, tile.bytes[r], kRowBytes);
  }
}

// TDPBSUD of the Intel SDM, volume 2: signed bytes of `a` by unsigned bytes of `b`.
void MultiplySignedUnsigned(ModelTile& sums, const ModelTile& a, const ModelTile& b) {
  if (!configured) __builtin_trap();
  for (size_t m = 0; m < kRows; ++m) {
    int32_t row[kRows];
    memcpy(row, sums.bytes[m], sizeof(row));
    for (size_t k = 0; k < kRows; ++k) {
      for (size_t n = 0; n < kRows; ++n) {
        for (size_t i = 0; i < 4; ++i) {
          row[n] += static_cast<int8_t>(a.bytes[m][4 * k + i]) * int32_t{b.bytes[k][4 * n + i]};
        }
      }
    }
    memcpy(sums.bytes[m], row, sizeof(row));
  }
}

}  // namespace
}  // namespace sightline::kernels

#undef _tile_loadd
#undef _tile_stored
#undef _tile_zero
#undef _tile_dpbsud
#undef _tile_loadconfig
#undef _tile_release
#define _tile_loadd(tile, base, stride) Load(tiles[tile], base, stride)
#define _tile_stored(tile, base, stride) Store(tiles[tile], base, stride)
#define _tile_zero(tile) static_cast<void>(tiles[tile] = ModelTile{})
#define _tile_dpbsud(sums, a, b) MultiplySignedUnsigned(tiles[sums], tiles[a], tiles[b])
#define _tile_loadconfig(configuration) Configure(configuration)
#define _tile_release() static_cast<void>(configured = false)
#define kAmxKernels kModelledAmxKernels
#include "kernels/kernels_amx.cc"  // The code under test.

namespace sightline::kernels {

bool ModelledTilesAreReleased() { return !configured; }

}  // namespace sightline::kernels
