#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace data {

/// Returns the names of `things` in their order: namesOf(models(), &Preset::name).
template <class Things, class Name>
std::vector<std::string> namesOf(const Things& things, Name name) {
    std::vector<std::string> names;
    names.reserve(std::size(things));
    for (const auto& thing : things)
        names.emplace_back(thing.*name);
    return names;
}

/// Returns the first thing with this name, or null: findNamed(metrics(), &Metric::path, path).
template <class Things, class Member, class Name>
auto findNamed(const Things& things, Member member, const Name& name) -> decltype(&*things.begin()) {
    const auto found = std::ranges::find(things, name, member);
    return found == things.end() ? nullptr : &*found;
}

/// Joins words into one text: joined({"a", "b"}, " ") is "a b".
inline std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words)
        text.append(&word == words.data() ? "" : between).append(word);
    return text;
}

/// Returns whether `thing` is one of `things`.
template <class Things, class Thing>
bool isAmong(const Things& things, const Thing& thing) {
    return std::ranges::find(things, thing) != std::ranges::end(things);
}

/// Appends `thing` unless it is already among `things`.
template <class Thing>
void addOnce(std::vector<Thing>& things, std::type_identity_t<Thing> thing) {
    if (!isAmong(things, thing))
        things.push_back(std::move(thing));
}

/// Groups names by thing: returns the list of names for `thing` in `met`. Adds an empty list if `thing` is new; `met`
/// keeps the order in which things were added.
template <class Thing>
std::vector<std::string>& concernedBy(const Thing& thing,
                                      std::vector<std::pair<Thing, std::vector<std::string>>>& met) {
    auto same = std::ranges::find(met, thing, &std::pair<Thing, std::vector<std::string>>::first);
    if (same == met.end())
        same = met.insert(met.end(), {thing, {}});
    return same->second;
}

}  // namespace data
