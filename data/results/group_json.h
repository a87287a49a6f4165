#pragma once

#include "data/results/result_fields.h"
#include "data/results/result_json.h"

#include <functional>

namespace data {

/// Returns an object of all numbers of a group, by their keys. Fields that are `later` come last, where they are told.
template <class Group>
ResultJson groupJson(const Group& group) {
    ResultJson json = ResultJson::object();
    for (const bool later : {false, true}) {
        if (later && !tellsLater(group))
            break;
        visitFields(&group, [&](const ResultField& field, auto member) {
            if (field.later == later)
                json[field.key] = plain(std::invoke(member, group));
        });
    }
    return json;
}

}  // namespace data
