#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace data {

/// The names of some things, in their order: namesOf(models(), &Preset::name).
template <class Things, class Name>
std::vector<std::string> namesOf(const Things& things, Name name) {
    std::vector<std::string> names;
    for (const auto& thing : things)
        names.emplace_back(thing.*name);
    return names;
}

/// The first of some things with this name, or null: findNamed(metrics(), &Metric::path, path).
template <class Things, class Member, class Name>
auto findNamed(const Things& things, Member member, const Name& name) -> decltype(&*things.begin()) {
    const auto found = std::ranges::find(things, name, member);
    return found == things.end() ? nullptr : &*found;
}

}  // namespace data
