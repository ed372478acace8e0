#include "eval/json_lines.h"

#include <boost/json.hpp>
#include <fstream>

namespace sightline::eval {

using base::DataLoss;
using base::OkStatus;
using base::Result;
using base::Status;

Status ForEachJsonLine(const std::string& path,
                       const std::function<Status(const boost::json::object&)>& each) {
  std::ifstream file(path);
  if (!file) return base::NotFound("no data set here: " + path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    boost::system::error_code error;
    const boost::json::value value = boost::json::parse(line, error);
    const std::string where = path + " line " + std::to_string(number);
    if (error || !value.is_object()) return DataLoss("not a JSON object: " + where);
    SIGHTLINE_RETURN_IF_ERROR(each(value.get_object()).WithContext(where));
  }
  return OkStatus();
}

Result<std::string> TextMember(const boost::json::object& object, const char* name) {
  const boost::json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) {
    return DataLoss(std::string("text member missing: ") + name);
  }
  return std::string(value->get_string());
}

Result<double> NumberMember(const boost::json::object& object, const char* name) {
  const boost::json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) {
    return DataLoss(std::string("number member missing: ") + name);
  }
  boost::system::error_code error;
  const auto number = value->to_number<double>(error);
  if (error) return DataLoss(std::string("number member unreadable: ") + name);
  return number;
}

}  // namespace sightline::eval
