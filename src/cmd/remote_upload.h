// Uploads to a server: bytes that the caller pushes, sent while they come.
#pragma once

#include <memory>
#include <string>

#include "base/deadline.h"
#include "engine/engine.h"
#include "io/http_client.h"

namespace sightline::cmd {

/// Starts `POST /v1/documents` on its own thread. `client` must live longer than the upload.
base::Result<std::unique_ptr<engine::Upload>> BeginRemoteUpload(io::HttpClient& client,
                                                                const std::string& server_url,
                                                                const engine::AddOptions& options,
                                                                const base::CancelToken& cancel);

/// The failure that a response other than 2xx tells, with the server's own message.
base::Status StatusOfResponse(const io::HttpResponse& response);

}  // namespace sightline::cmd
