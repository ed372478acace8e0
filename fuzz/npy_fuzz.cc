// Arrays of NumPy, as `sightline bench index` reads them.
#include <algorithm>

#include "base/check.h"
#include "format/npy.h"
#include "fuzz/target.h"

namespace sightline::fuzz {
namespace {

void Run(std::string_view input) {
  const auto file = std::as_bytes(std::span(input.data(), input.size()));
  const auto header = format::ParseNpyHeader(file);
  if (!header.ok()) return;
  CHECK(!header->shape.empty() && header->shape.size() <= 3);
  // What the header promises is there, so that everything may be read.
  CHECK(header->size() <= file.size() - header->data_offset);
  const auto floats = format::ReadNpyFloats(file, *header, 0, header->size());
  const auto integers = format::ReadNpyIntegers(file, *header);
  CHECK(floats.ok() != integers.ok());
  if (floats.ok()) CHECK(floats->size() == header->size());
  if (integers.ok()) CHECK(integers->size() == header->size());
}

const Registration kTarget({.name = "npy", .max_bytes = 4096, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
