#pragma once

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

namespace tests {

/// A list of names on which scripts and users rely, one on each line of a text file beside the tests. Names may be
/// added, but none may disappear. With the environment variable RINGSIDE_WRITE_SURFACE set, `missing` rewrites the list
/// instead.
class SurfaceList {
public:
    explicit SurfaceList(std::string path) : m_path(std::move(path)) {}

    void add(const std::string& line) { m_found.insert(line); }

    /// Returns the lines of the file that were not added. If the file is empty or cannot be read, returns a line about
    /// that.
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
