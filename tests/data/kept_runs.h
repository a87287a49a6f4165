#pragma once

#include "tests/source_hash.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace tests {

/// A store of runs that a slow test keeps outside the build. While the sources that its runs follow from are the same,
/// the next test run reads them instead of simulating them. One in eight is simulated all the same, another eighth each
/// time. Without a folder for records (RINGSIDE_TEST_RECORD of CMake), everything is simulated.
class KeptRuns {
public:
    /// `test` names the files in the folder.
    explicit KeptRuns(const std::string& test) {
        namespace fs = std::filesystem;
        const fs::path folder = RINGSIDE_TEST_RECORD;
        if (folder.empty())
            return;
        fs::create_directories(folder);
        const std::string hash =
            sourceHash({"engine", "data/document", "data/presets", "data/experiment", "data/results", "data/store",
                        "data/laboratory", "data/model", "data/sweep"});
        const std::string name = test + "-" + hash.substr(0, 16) + ".sqlite";
        for (const auto& entry : fs::directory_iterator(folder)) {
            const std::string other = entry.path().filename().string();
            if (other.starts_with(test + "-") && !other.starts_with(name))
                fs::remove(entry.path());  // of other sources
        }
        m_store = (folder / name).string();
        std::ifstream(m_store + ".turn") >> m_turn;
        std::ofstream(m_store + ".turn") << (m_turn + 1) % kTurns;
    }

    /// Returns the store for the runs of this name; an empty text if they have to be simulated now.
    std::string storeFor(const std::string& name) const {
        return std::hash<std::string>()(name) % kTurns == m_turn ? std::string() : m_store;
    }

private:
    static constexpr std::size_t kTurns = 8;

    std::string m_store;
    std::size_t m_turn = 0;
};

}  // namespace tests
