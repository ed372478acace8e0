#include "server/error_response.h"

#include <boost/json.hpp>

#include "base/utf8.h"
#include "server/json_response.h"

namespace sightline::server {
namespace {

namespace json = boost::json;

std::string_view ErrorType(int status) {
  switch (status) {
    case 403:
    case 421:
      return "permission_denied";
    case 404:
      return "not_found";
    case 408:
    case 504:
      return "timeout";
    case 413:
    case 431:
      return "too_large";
    case 429:
    case 503:
      return "overloaded";
    case 507:
      return "storage_full";
    default:
      return status < 500 ? "invalid_request" : "server_error";
  }
}

// The failure names files of the server; the client needs to know what to do.
Response StorageFullResponse() {
  return ErrorResponse({507, std::string(base::StatusCodeName(base::StatusCode::kStorageFull)),
                        "the server's disk is full: free space on the disk of its data folder, "
                        "then send this again; "
                        "what was stored before is safe",
                        ""});
}

}  // namespace

int HttpStatus(base::StatusCode code) {
  switch (code) {
    case base::StatusCode::kOk:
      return 200;
    case base::StatusCode::kInvalidArgument:
      return 400;
    case base::StatusCode::kNotFound:
      return 404;
    case base::StatusCode::kAlreadyExists:
    case base::StatusCode::kFailedPrecondition:
      return 409;
    case base::StatusCode::kPermissionDenied:
      return 403;
    case base::StatusCode::kCancelled:
      return 499;
    case base::StatusCode::kUnavailable:
    case base::StatusCode::kResourceExhausted:
      return 503;
    case base::StatusCode::kStorageFull:
      return 507;
    case base::StatusCode::kDeadlineExceeded:
      return 504;
    case base::StatusCode::kIo:
    case base::StatusCode::kDataLoss:
      return 500;
  }
  return 500;
}

Response ErrorResponse(const ApiError& error) {
  json::object body;
  body["message"] = base::SanitizeUtf8(error.message);
  body["type"] = ErrorType(error.status);
  body["code"] = error.code;
  if (error.param.empty()) {
    body["param"] = nullptr;
  } else {
    body["param"] = error.param;
  }
  Response response = JsonResponse(error.status, json::object{{"error", std::move(body)}});
  if (error.status == 503) response.AddHeader("Retry-After", "1");
  return response;
}

Response ErrorResponse(const base::Status& status, std::string_view param) {
  if (status.code() == base::StatusCode::kStorageFull) return StorageFullResponse();
  return ErrorResponse({HttpStatus(status.code()), std::string(base::StatusCodeName(status.code())),
                        status.message(), std::string(param)});
}

}  // namespace sightline::server
