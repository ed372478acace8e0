// Result<T>: a value or the Status that says why there is none.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "base/status.h"

namespace sightline::base {

/// A `T`, or a Status that is not ok. Construct from either: `return value;` or `return status;`.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}                       // NOLINT
  Result(Status status) : state_(tl::unexpect, std::move(status)) {}  // NOLINT

  bool ok() const { return state_.has_value(); }
  explicit operator bool() const { return ok(); }

  /// The failure, or ok.
  Status status() const { return ok() ? Status() : state_.error(); }

  /// The value; only when ok.
  T& operator*() & { return *state_; }
  const T& operator*() const& { return *state_; }
  T&& operator*() && { return *std::move(state_); }
  T* operator->() { return &*state_; }
  const T* operator->() const { return &*state_; }

  /// The value, or `fallback` after a failure.
  T ValueOr(T fallback) const& { return ok() ? *state_ : std::move(fallback); }

 private:
  tl::expected<T, Status> state_;
};

}  // namespace sightline::base

#define SIGHTLINE_CONCAT_INNER(a, b) a##b
#define SIGHTLINE_CONCAT(a, b) SIGHTLINE_CONCAT_INNER(a, b)

/// Returns from the enclosing function when `expression` (a Status) failed.
#define SIGHTLINE_RETURN_IF_ERROR(expression)                  \
  do {                                                         \
    ::sightline::base::Status sightline_status = (expression); \
    if (!sightline_status.ok()) return sightline_status;       \
  } while (false)

/// `declaration` = the value of `expression` (a Result), or returns its Status.
#define SIGHTLINE_ASSIGN_OR_RETURN(declaration, expression)                                    \
  SIGHTLINE_ASSIGN_OR_RETURN_INNER(SIGHTLINE_CONCAT(sightline_result_, __LINE__), declaration, \
                                   expression)
// Neither a declaration nor a name that is declared can stand in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define SIGHTLINE_ASSIGN_OR_RETURN_INNER(result, declaration, expression) \
  auto result = (expression);                                             \
  if (!result.ok()) return result.status();                               \
  declaration = *std::move(result)
// NOLINTEND(bugprone-macro-parentheses)
