#include "tests/random_experiments/journal.h"

#include <sstream>
#include <stdexcept>
#include <utility>

namespace tests {

Journal::Journal(const std::string& path, std::string engine, std::string series, Use use)
    : m_engine(std::move(engine)), m_series(std::move(series)), m_use(use) {
    if (path.empty())
        return;
    read(path);
    m_file.open(path, std::ios::app);
    if (!m_file)
        throw std::runtime_error(path + ": cannot be written");
    if (m_use == Use::rotates)
        write(0, "opened");
    m_turn %= kTurns;
}

void Journal::read(const std::string& path) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string engine, series, outcome, end;
        std::uint64_t index = 0;
        // A line that was cut off when the program was killed has no full stop.
        if (!(words >> engine >> series >> index >> outcome >> end) || engine != m_engine || series != m_series ||
            end != ".")
            continue;
        if (outcome == "held")
            m_held.insert(index);
        else if (outcome == "alarm")
            m_held.erase(index);
        else if (outcome == "opened")
            ++m_turn;
    }
}

void Journal::add(std::uint64_t index, bool held) {
    if (!held || !m_held.contains(index))
        write(index, held ? "held" : "alarm");
}

void Journal::write(std::uint64_t index, std::string_view outcome) {
    if (m_file.is_open())
        m_file << m_engine << " " << m_series << " " << index << " " << outcome << " ." << std::endl;
}

}  // namespace tests
