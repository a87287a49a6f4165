#pragma once

#include <cstdint>
#include <fstream>
#include <set>
#include <string>

namespace tests {

/// Which experiments have been verified without an alarm, a line each, flushed as they end, so that what was stopped
/// goes on where it was. Lines of other engines or of other series (another seed) are left alone and do not count; so
/// do those that gave an alarm, which run again.
class Journal {
public:
    /// Nothing is kept without a path. Throws std::runtime_error when the file cannot be written.
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
