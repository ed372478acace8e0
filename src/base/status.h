// Status: why an operation did not succeed, with a message that a person can act on.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace sightline::base {

/// Whose fault a failure is decides who can act on it: the caller, the environment, or the data.
enum class StatusCode {
  kOk,
  // The caller's fault.
  kInvalidArgument,
  kNotFound,
  kAlreadyExists,
  kPermissionDenied,
  kFailedPrecondition,
  kCancelled,
  // The environment's fault.
  kUnavailable,
  kIo,
  kResourceExhausted,
  kStorageFull,
  kDeadlineExceeded,
  // The data's fault.
  kDataLoss,
};

/// Stable snake_case name of a code, as it stands in logs and in the API ("invalid_argument").
std::string_view StatusCodeName(StatusCode code);

/// The outcome of an operation that returns nothing. Cheap when ok. Thread-compatible.
class [[nodiscard]] Status {
 public:
  /// Ok.
  Status() = default;
  /// A failure; `code` must not be `kOk`. The message starts with fixed text, values come last.
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

  /// The same failure, with `context` put in front of the message ("context: message").
  Status WithContext(std::string_view context) const;
  /// "ok" or "code: message".
  std::string ToString() const;

  friend bool operator==(const Status&, const Status&) = default;

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

/// Ok, for the end of a function.
inline Status OkStatus() { return {}; }

/// One function a code, so that the place of a failure reads as a sentence.
Status InvalidArgument(std::string message);
/// What was asked for does not exist.
Status NotFound(std::string message);
/// What was to be made is there.
Status AlreadyExists(std::string message);
/// The caller may not do this.
Status PermissionDenied(std::string message);
/// Right request, wrong moment or state.
Status FailedPrecondition(std::string message);
/// Nobody waits for the outcome any more.
Status Cancelled(std::string message);
/// Something that is needed does not answer; later it may.
Status Unavailable(std::string message);
/// Reading or writing failed.
Status IoError(std::string message);
/// An I/O failure with the text of `error_number` (errno) appended.
Status IoError(std::string message, int error_number);
Status ResourceExhausted(std::string message);
/// No space, or no quota, is left where data is kept; somebody has to make room.
Status StorageFull(std::string message);
Status DeadlineExceeded(std::string message);
Status DataLoss(std::string message);

}  // namespace sightline::base
