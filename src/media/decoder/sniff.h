// What a file is, by its content. Names and extensions are never looked at.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "media/decoded.h"

namespace sightline::media {

/// How many bytes from the front of a file `Sniff` wants to see.
inline constexpr std::size_t kSniffBytes = 8192;

/// What the first bytes say. `kind` is unknown when nothing that we decode begins so; `refusal`
/// then names what it is when that is known ("Word document"), for the message to its owner.
struct SniffedType {
  DocumentKind kind = DocumentKind::kUnknown;
  std::string media_type;
  std::string refusal;
};

/// Looks at the first `kSniffBytes` of a file (or all of a shorter one). Containers that hold video
/// or sound come out as video; the decoder finds out which streams there are.
SniffedType Sniff(std::string_view head);

}  // namespace sightline::media
