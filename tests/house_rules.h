#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tests {

/// A line that breaks a rule of the folders.
struct Trespass {
    std::string file;  ///< relative to the root of the tree
    int line = 0;
    std::string text;  ///< the target of the include or link, and the broken rule
};

/// Reads the #include lines of engine, data, ui and app, and the link lines of their CMakeLists.txt files. Returns each
/// arrow that ARCHITECTURE.md does not have, circles of includes, folders that are too deep, and headers of a house
/// that define a type of the same name. Reads text only: conditions, macros and variables are not evaluated, so an
/// include under #if counts as one.
std::vector<Trespass> trespassesIn(const std::filesystem::path& root);

/// Returns the trespass as text: "engine/memory/dram.cpp:12: includes ..."
std::string describe(const Trespass& trespass);

}  // namespace tests
