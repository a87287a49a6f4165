#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace data {

/// The names of some things, in their order: namesOf(models(), &Preset::name).
template <class Things, class Name>
std::vector<std::string> namesOf(const Things& things, Name name) {
    std::vector<std::string> names;
    names.reserve(std::size(things));
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

/// Some words as one text: joined({"a", "b"}, " ") is "a b".
inline std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words)
        text.append(&word == words.data() ? "" : between).append(word);
    return text;
}

/// Whether this is one of some things.
template <class Things, class Thing>
bool isAmong(const Things& things, const Thing& thing) {
    return std::ranges::find(things, thing) != std::ranges::end(things);
}

/// Puts a thing behind the others unless it is there already.
template <class Thing>
void addOnce(std::vector<Thing>& things, std::type_identity_t<Thing> thing) {
    if (!isAmong(things, thing))
        things.push_back(std::move(thing));
}

/// Whom each thing concerns, in the order in which the things were met. Returns those of `thing`, added when it is new.
template <class Thing>
std::vector<std::string>& concernedBy(const Thing& thing,
                                      std::vector<std::pair<Thing, std::vector<std::string>>>& met) {
    auto same = std::ranges::find(met, thing, &std::pair<Thing, std::vector<std::string>>::first);
    if (same == met.end())
        same = met.insert(met.end(), {thing, {}});
    return same->second;
}

}  // namespace data
