#pragma once

#include "engine/api/parameters.h"

#include <nlohmann/json.hpp>

#include <ostream>
#include <variant>

namespace cli {

/// Keys stay in the order they are written.
using Json = nlohmann::ordered_json;

inline Json jsonOf(const engine::ParameterValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

/// A list of what `entry` makes of each.
template <typename Range, typename Entry>
Json jsonList(const Range& range, Entry entry) {
    Json list = Json::array();
    for (const auto& each : range)
        list.push_back(entry(each));
    return list;
}

/// Prints a document as all commands do.
inline void printJson(const Json& document, std::ostream& out) {
    constexpr int kIndent = 2;
    out << document.dump(kIndent) << "\n";
}

}  // namespace cli
