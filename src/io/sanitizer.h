// Whether this build runs under a sanitizer, whose runtime needs more address space and threads
// than a sandbox gives.
#pragma once

namespace sightline::io {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
/// True in builds with an address, memory or thread sanitizer.
inline constexpr bool kSanitized = false;
#endif

}  // namespace sightline::io
