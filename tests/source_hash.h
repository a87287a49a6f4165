#pragma once

#include "data/document/text_hash.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

namespace tests {

/// Returns a hash of the files in these folders of the sources, and of the compiler with its settings: of all that a
/// recorded outcome follows from.
inline std::string sourceHash(std::initializer_list<const char*> folders) {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (const char* folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(RINGSIDE_SOURCE) / folder)) {
            if (entry.is_regular_file())
                files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::string text = __VERSION__ " " RINGSIDE_BUILD;
    for (const fs::path& file : files) {
        std::ifstream source(file, std::ios::binary);
        text += "\n" + fs::relative(file, RINGSIDE_SOURCE).string() + "\n";
        text.append(std::istreambuf_iterator<char>(source), {});
    }
    return data::sha256(text);
}

}  // namespace tests
