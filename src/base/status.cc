#include "base/status.h"

#include <system_error>

namespace sightline::base {

std::string_view StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kInvalidArgument:
      return "invalid_argument";
    case StatusCode::kNotFound:
      return "not_found";
    case StatusCode::kAlreadyExists:
      return "already_exists";
    case StatusCode::kPermissionDenied:
      return "permission_denied";
    case StatusCode::kFailedPrecondition:
      return "failed_precondition";
    case StatusCode::kCancelled:
      return "cancelled";
    case StatusCode::kUnavailable:
      return "unavailable";
    case StatusCode::kIo:
      return "io";
    case StatusCode::kResourceExhausted:
      return "resource_exhausted";
    case StatusCode::kStorageFull:
      return "storage_full";
    case StatusCode::kDeadlineExceeded:
      return "deadline_exceeded";
    case StatusCode::kDataLoss:
      return "data_loss";
  }
  return "unknown";
}

Status Status::WithContext(std::string_view context) const {
  if (ok()) return *this;
  return {code_, std::string(context) + ": " + message_};
}

std::string Status::ToString() const {
  if (ok()) return "ok";
  return std::string(StatusCodeName(code_)) + ": " + message_;
}

Status InvalidArgument(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}
Status NotFound(std::string message) { return {StatusCode::kNotFound, std::move(message)}; }
Status AlreadyExists(std::string message) {
  return {StatusCode::kAlreadyExists, std::move(message)};
}
Status PermissionDenied(std::string message) {
  return {StatusCode::kPermissionDenied, std::move(message)};
}
Status FailedPrecondition(std::string message) {
  return {StatusCode::kFailedPrecondition, std::move(message)};
}
Status Cancelled(std::string message) { return {StatusCode::kCancelled, std::move(message)}; }
Status Unavailable(std::string message) { return {StatusCode::kUnavailable, std::move(message)}; }
Status IoError(std::string message) { return {StatusCode::kIo, std::move(message)}; }
Status IoError(std::string message, int error_number) {
  return {StatusCode::kIo,
          std::move(message) + ": " + std::generic_category().message(error_number)};
}
Status ResourceExhausted(std::string message) {
  return {StatusCode::kResourceExhausted, std::move(message)};
}
Status StorageFull(std::string message) { return {StatusCode::kStorageFull, std::move(message)}; }
Status DeadlineExceeded(std::string message) {
  return {StatusCode::kDeadlineExceeded, std::move(message)};
}
Status DataLoss(std::string message) { return {StatusCode::kDataLoss, std::move(message)}; }

}  // namespace sightline::base
