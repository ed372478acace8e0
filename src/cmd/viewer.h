// Opening a hit outside of the terminal.
#pragma once

#include <string>

#include "base/status.h"
#include "engine/engine.h"

namespace sightline::cmd {

/// Opens the hit: the server's page for it where there is a server, else its preview, with xdg-open
/// (`open` on macOS). `kUnavailable` when there is no viewer or nothing to view.
base::Status OpenHit(engine::Engine& engine, const std::string& server_url,
                     const retrieve::Hit& hit);

}  // namespace sightline::cmd
