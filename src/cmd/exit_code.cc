#include "cmd/exit_code.h"

namespace sightline::cmd {

ExitCode ExitCodeFor(const base::Status& status) {
  switch (status.code()) {
    case base::StatusCode::kOk:
      return ExitCode::kOk;
    case base::StatusCode::kInvalidArgument:
      return ExitCode::kUsage;
    case base::StatusCode::kNotFound:
    case base::StatusCode::kAlreadyExists:
    case base::StatusCode::kDataLoss:
      return ExitCode::kSomeFailed;
    case base::StatusCode::kCancelled:
      return ExitCode::kInterrupted;
    case base::StatusCode::kPermissionDenied:
    case base::StatusCode::kFailedPrecondition:
    case base::StatusCode::kUnavailable:
    case base::StatusCode::kIo:
    case base::StatusCode::kResourceExhausted:
    case base::StatusCode::kStorageFull:
    case base::StatusCode::kDeadlineExceeded:
      break;
  }
  return ExitCode::kEnvironment;
}

}  // namespace sightline::cmd
