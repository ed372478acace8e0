// Files that are part of the program.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace sightline::server {

/// The description of the API (openapi.json).
std::string_view EmbeddedOpenApi();

/// The files of the web page by path ("/assets/index-1a2b.js"); empty when the program was built
/// without it.
const std::map<std::string, std::string_view, std::less<>>& EmbeddedWebFiles();

}  // namespace sightline::server
