#pragma once

#include "data/results/result_fields.h"
#include "data/results/result_json.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

namespace data {

/// Returns the value of a key in an object. For a key with a dot, "dram_bytes.read", returns the value in the nested
/// object.
inline ResultJson& placeOf(ResultJson& json, std::string_view key) {
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos)
        return json[std::string(key)];
    return json[std::string(key.substr(0, dot))][std::string(key.substr(dot + 1))];
}

/// Returns an object with all numbers of a group by key. Missing numbers have no key. Fields that are `later` come
/// last, if they are written at all.
template <class Group>
ResultJson groupJson(const Group& group) {
    ResultJson json = ResultJson::object();
    for (const bool later : {false, true}) {
        if (later && !hasLaterFields(group))
            break;
        visitFields(&group, [&](const ResultField& field, auto member) {
            const auto& held = std::invoke(member, group);  // a sum is returned by value
            const auto* value = pointerTo(held);
            if (field.later != later || value == nullptr)
                return;
            using Value = std::remove_cvref_t<decltype(*value)>;
            if constexpr (kIsGroup<Value>)
                placeOf(json, field.key) = groupJson(*value);
            else
                placeOf(json, field.key) = plain(*value);
        });
    }
    return json;
}

}  // namespace data
