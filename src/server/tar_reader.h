// Files in a tar archive (POSIX ustar): the web page inside the program.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace sightline::server {

/// Every regular file of `archive` by path, with "/" in front; contents are views into `archive`.
/// Reading ends at the first header that is not whole.
std::map<std::string, std::string_view, std::less<>> ReadTar(std::string_view archive);

}  // namespace sightline::server
