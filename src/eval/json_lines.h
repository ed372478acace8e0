// JSON Lines files of labels.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace boost::json {
class object;
}

namespace sightline::eval {

/// Calls `each` with every line's object. A failure names file and line.
base::Status ForEachJsonLine(const std::string& path,
                             const std::function<base::Status(const boost::json::object&)>& each);

/// A member that must be text / a number.
base::Result<std::string> TextMember(const boost::json::object& object, const char* name);
base::Result<double> NumberMember(const boost::json::object& object, const char* name);

}  // namespace sightline::eval
