// CHECK: ends the program when it finds itself wrong. For bugs only: no input may reach one.
#pragma once

#include <string_view>

namespace sightline::base {

/// Prints "file:line: CHECK failed: condition: message" to stderr and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              std::string_view message = {});

}  // namespace sightline::base

/// Aborts unless `condition` holds. An optional second argument (a string) says more; it is only
/// evaluated on failure.
#define CHECK(condition, ...)                                     \
  (static_cast<bool>(condition) ? static_cast<void>(0)            \
                                : ::sightline::base::CheckFailed( \
                                      __FILE__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__))

#ifdef NDEBUG
#define DCHECK(condition, ...) static_cast<void>(sizeof(static_cast<bool>(condition)))
#else
/// CHECK in debug builds, nothing otherwise.
#define DCHECK(condition, ...) CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
#endif
