#include "format/npy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace sightline::format {
namespace {

using base::InvalidArgument;
using base::Result;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10U;

struct TypeName {
  std::string_view name;
  NpyType type;
  std::size_t size_bytes;
};
constexpr std::array kTypes = {
    TypeName{"<f2", NpyType::kFloat16, 2}, TypeName{"<f4", NpyType::kFloat32, 4},
    TypeName{"<i4", NpyType::kInt32, 4}, TypeName{"<i8", NpyType::kInt64, 8}};

/// What stands after `'key':` in the dictionary of the header; empty if the key is not there.
std::string_view ValueOf(std::string_view dictionary, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "':";
  const std::size_t at = dictionary.find(quoted);
  if (at == std::string_view::npos) return {};
  std::string_view rest = dictionary.substr(at + quoted.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

/// The numbers of "(12, 3)" or "(12,)".
std::optional<std::vector<std::uint64_t>> ParseShape(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  std::vector<std::uint64_t> shape;
  bool in_number = false;
  for (const char c : text.substr(1)) {
    if (c >= '0' && c <= '9') {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (!in_number) shape.push_back(0);
      in_number = true;
      if (shape.back() > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) break;
      shape.back() = shape.back() * 10 + digit;
    } else if (c == ')') {
      return shape;
    } else if (c == ',' || c == ' ') {
      in_number = false;
    } else {
      break;
    }
  }
  return std::nullopt;
}

/// The dictionary as text, and where it ends; empty text when the head is broken.
std::string_view Dictionary(std::span<const std::byte> file, std::size_t& end) {
  const auto* bytes = reinterpret_cast<const char*>(file.data());
  const bool is_long = file[6] >= std::byte{2};
  const std::size_t start = kMagic.size() + 2 + (is_long ? 4 : 2);
  if (file.size() < start) return {};
  std::size_t length = 0;
  for (std::size_t i = start; i > kMagic.size() + 2; --i) {
    length = length << 8U | static_cast<std::size_t>(file[i - 1]);
  }
  if (length > kMaxHeaderBytes || length > file.size() - start) return {};
  end = start + length;
  return {bytes + start, length};
}

/// IEEE 754 half precision.
float FromHalf(std::uint16_t bits) {
  const int exponent = (bits >> 10U) & 0x1F;
  const auto fraction = static_cast<float>(bits & 0x3FFU);
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent < 31) return sign * std::ldexp(fraction + 1024, exponent - 25);
  return fraction == 0 ? sign * std::numeric_limits<float>::infinity()
                       : std::numeric_limits<float>::quiet_NaN();
}

template <typename Stored, typename Number, typename Convert>
std::vector<Number> Numbers(std::span<const std::byte> file, std::size_t offset,
                            std::uint64_t count, const Convert& convert) {
  std::vector<Number> numbers(count);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, file.data() + offset + i * sizeof(Stored), sizeof(Stored));
    numbers[i] = convert(stored);
  }
  return numbers;
}

}  // namespace

std::uint64_t NpyHeader::size() const {
  std::uint64_t product = 1;
  for (const std::uint64_t length : shape) product *= length;
  return product;
}

Result<NpyHeader> ParseNpyHeader(std::span<const std::byte> file) {
  if (file.size() < kMagic.size() + 2 ||
      std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
    return InvalidArgument("this is no .npy file");
  }
  const int version = static_cast<int>(file[6]);
  if (version < 1 || version > 3) {
    return InvalidArgument("the version of the .npy file is not known: " + std::to_string(version));
  }
  NpyHeader header;
  const std::string_view dictionary = Dictionary(file, header.data_offset);
  const std::string_view description = ValueOf(dictionary, "descr");
  const auto* type = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) {
    return description.starts_with("'" + std::string(t.name) + "'");
  });
  if (type == kTypes.end()) {
    return InvalidArgument("the .npy file must hold little-endian f2, f4, i4 or i8: " +
                           std::string(description.substr(0, 12)));
  }
  header.type = type->type;
  if (!ValueOf(dictionary, "fortran_order").starts_with("False")) {
    return InvalidArgument("the .npy file must be in C order; save numpy.ascontiguousarray(array)");
  }
  const auto shape = ParseShape(ValueOf(dictionary, "shape"));
  if (!shape || shape->empty() || shape->size() > 3) {
    return InvalidArgument("the .npy file must hold one to three dimensions");
  }
  header.shape = *shape;
  if (std::ranges::count(header.shape, 0U) > 0) return header;
  std::uint64_t left = (file.size() - header.data_offset) / type->size_bytes;
  for (const std::uint64_t length : header.shape) {
    if (length > left) return InvalidArgument("the .npy file is shorter than its shape says");
    left /= length;
  }
  return header;
}

Result<std::vector<float>> ReadNpyFloats(std::span<const std::byte> file, const NpyHeader& header,
                                         std::uint64_t first, std::uint64_t count) {
  if (header.type == NpyType::kFloat32) {
    const std::size_t offset = header.data_offset + first * sizeof(float);
    return Numbers<float, float>(file, offset, count, [](float value) { return value; });
  }
  if (header.type == NpyType::kFloat16) {
    const std::size_t offset = header.data_offset + first * sizeof(std::uint16_t);
    return Numbers<std::uint16_t, float>(file, offset, count, FromHalf);
  }
  return InvalidArgument("the .npy file holds integers; floats are needed");
}

Result<std::vector<std::int64_t>> ReadNpyIntegers(std::span<const std::byte> file,
                                                  const NpyHeader& header) {
  const auto same = [](auto value) { return static_cast<std::int64_t>(value); };
  const std::size_t offset = header.data_offset;
  if (header.type == NpyType::kInt64) {
    return Numbers<std::int64_t, std::int64_t>(file, offset, header.size(), same);
  }
  if (header.type == NpyType::kInt32) {
    return Numbers<std::int32_t, std::int64_t>(file, offset, header.size(), same);
  }
  return InvalidArgument("the .npy file holds floats; integers are needed");
}

}  // namespace sightline::format
