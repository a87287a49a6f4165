#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tests {

/// A line that points where the house does not let it point.
struct Trespass {
    std::string file;  ///< relative to the root of the tree
    int line = 0;
    std::string text;  ///< what it reaches for and which rule that breaks
};

/// Reads the #include lines of engine, data, ui and app, and the link lines of every CMakeLists.txt among them,
/// and reports each arrow that ARCHITECTURE.md does not draw, circles of includes, folders that are too deep, and
/// headers of a house that define a type of the same name.
/// Reads text only: conditions, macros and variables are not evaluated, so an include under #if counts as one.
std::vector<Trespass> trespassesIn(const std::filesystem::path& root);

/// "engine/memory/dram.cpp:12: includes ..."
std::string describe(const Trespass& trespass);

}  // namespace tests
