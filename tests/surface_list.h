#pragma once

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

namespace tests {

/// A list of what callers and hands rely on, one name a line, in a text file beside the tests. What is there must stay;
/// more may come. With the environment variable RINGSIDE_WRITE_SURFACE set, `missing` writes the list anew instead.
class SurfaceList {
public:
    explicit SurfaceList(std::string path) : m_path(std::move(path)) {}

    void add(const std::string& line) { m_found.insert(line); }

    /// The lines of the file that were not added; all of it where the file cannot be read.
    std::set<std::string> missing() const {
        if (std::getenv("RINGSIDE_WRITE_SURFACE") != nullptr) {
            std::ofstream file(m_path);
            for (const std::string& line : m_found)
                file << line << "\n";
            return {};
        }
        std::ifstream file(m_path);
        std::set<std::string> missing;
        std::size_t lines = 0;
        for (std::string line; std::getline(file, line); ++lines) {
            if (!m_found.contains(line))
                missing.insert(line);
        }
        if (lines == 0)
            missing.insert(m_path + " is empty or not there");
        return missing;
    }

private:
    std::string m_path;
    std::set<std::string> m_found;
};

}  // namespace tests
