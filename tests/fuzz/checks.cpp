#include "tests/fuzz/checks.h"

#include "engine/api/expected_work.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace fuzz {
namespace {

// The most requests and K-steps of a small run, over all GPUs.
constexpr double kSmall = 20'000;

}  // namespace

std::vector<Target>& targets() {
    static std::vector<Target> added;
    return added;
}

bool addTarget(const Target& target) {
    targets().push_back(target);
    return true;
}

void fail(const char* what, const std::string& evidence) {
    std::fprintf(stderr, "does not hold: %s\n%s\n", what, evidence.c_str());
    std::abort();
}

void require(bool held, const char* what, const std::string& evidence) {
    if (!held)
        fail(what, evidence);
}

void checkMessages(const engine::Problems& problems) {
    for (const engine::Problem& problem : problems)
        require(!engine::describe(problem).empty() && !problem.text.empty(), "every problem has words", problem.path);
}

bool isSmall(const engine::Experiment& experiment) {
    const engine::Shape shape = engine::shapeOf(experiment);
    const auto granule = static_cast<double>(experiment.detail.granule.count);
    const auto gpus = static_cast<double>(experiment.parallel.tp);
    const double steps = static_cast<double>(shape.k) / static_cast<double>(experiment.gemm.kStep) + 1;
    const double slab = 2.0 * static_cast<double>(experiment.gemm.tileM + experiment.gemm.tileN) *
                            static_cast<double>(experiment.gemm.kStep) / granule +
                        2;
    const auto tiles = static_cast<double>(shape.tiles);
    const double output = static_cast<double>(shape.outputBytes.count) / granule + tiles;
    const double loads = shape.k == 0 ? 0 : tiles * steps * slab;
    // Background reads continue as long as the run, whose duration is unknown.
    const bool background = experiment.variation.backgroundTraffic.bytesPerSecond > 0;
    const double slots =
        static_cast<double>(experiment.cu.count) * static_cast<double>(engine::residentWorkgroups(experiment));
    const bool smallCompanion = !engine::hasCompanion(experiment) || engine::expectedEvents(experiment) < kSmall;
    return !background && smallCompanion && gpus * (loads + 4 * output) < kSmall && slots < kSmall;
}

ScratchFolder::ScratchFolder() : m_path((std::filesystem::temp_directory_path() / "ringside-fuzz-XXXXXX").string()) {
    if (mkdtemp(m_path.data()) == nullptr)
        fail("the folder for files exists", m_path);
}

ScratchFolder::~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(m_path, error);
}

void writeFile(const std::string& path, std::string_view bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    require(file.good(), "the folder for files has room", path);
}

std::string readFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::uint8_t InputBytes::byte() {
    const std::string_view found = next(1);
    return found.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(found.front());
}

std::uint64_t InputBytes::number(std::size_t bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        number |= static_cast<std::uint64_t>(byte()) << 8 * i;
    return number;
}

std::string_view InputBytes::next(std::size_t count) {
    const std::string_view found = m_bytes.substr(0, count);
    m_bytes.remove_prefix(found.size());
    return found;
}

}  // namespace fuzz
