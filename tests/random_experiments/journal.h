#pragma once

#include <cstdint>
#include <fstream>
#include <set>
#include <string>

namespace tests {

/// A file of the experiments that were verified without an alarm, one on each line, so that a stopped series can
/// continue. Each line is flushed when its experiment ends. Lines of other engines or of other series (another seed)
/// are kept but do not count. Experiments that gave an alarm do not count either and run again.
class Journal {
public:
    /// Opens the journal. With an empty path, nothing is written. Throws std::runtime_error if the file cannot be
    /// written.
    Journal(const std::string& path, std::string engine, std::string series);

    bool has(std::uint64_t index) const { return m_held.contains(index); }
    std::size_t size() const { return m_held.size(); }

    void add(std::uint64_t index, bool held);

private:
    void read(const std::string& path);

    std::string m_engine;
    std::string m_series;
    std::set<std::uint64_t> m_held;
    std::ofstream m_file;
};

}  // namespace tests
