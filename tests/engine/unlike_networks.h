#pragma once

#include "engine/api/experiment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tests {

/// Draws Custom topologies whose links differ in bandwidth and latency, from a seed: a ring through the GPUs in any
/// order, further links in one direction or both, and switches that connect some of the GPUs.
class UnlikeNetworks {
public:
    explicit UnlikeNetworks(std::uint32_t seed) : m_random(seed) {}

    /// Returns `topology.links` for this many GPUs.
    std::string links(std::uint32_t gpus) {
        m_links.clear();
        m_joined.clear();
        std::vector<std::uint32_t> order(gpus);
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), m_random);
        for (std::uint32_t place = 0; place < gpus; ++place)
            join(order[place], order[(place + 1) % gpus], true);
        for (std::uint32_t more = below(4); more > 0; --more)
            join(below(gpus), below(gpus), below(2) == 0);
        const std::uint32_t switches = below(3);
        for (std::uint32_t number = 0; number < switches; ++number)
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
                if (below(3) != 0)
                    add("s" + std::to_string(number) + "-" + std::to_string(gpu));
        return m_links;
    }

    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(m_random() % end); }

    template <typename T, std::size_t n>
    T oneOf(const T (&values)[n]) {
        return values[below(n)];
    }

private:
    void join(std::uint32_t a, std::uint32_t b, bool both) {
        const auto joined = [&](std::uint32_t from, std::uint32_t to) {
            return std::find(m_joined.begin(), m_joined.end(), std::pair(from, to)) != m_joined.end();
        };
        if (a == b || joined(a, b) || (both && joined(b, a)))
            return;
        m_joined.emplace_back(a, b);
        if (both)
            m_joined.emplace_back(b, a);
        add(std::to_string(a) + (both ? "-" : ">") + std::to_string(b));
    }

    void add(const std::string& ends) {
        static constexpr const char* kBandwidths[] = {"", "1GB/s", "3GB/s", "15GB/s", "21GB/s", "150GB/s", "900GB/s"};
        static constexpr const char* kLatencies[] = {"", ",0ns", ",10ns", ",300ns", ",2us", ",20us"};
        const std::string numbers = std::string(oneOf(kBandwidths)) + oneOf(kLatencies);
        m_links += (m_links.empty() ? "" : " ") + ends + (numbers.empty() ? "" : "@") + numbers;
    }

    std::mt19937 m_random;
    std::string m_links;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_joined;
};

}  // namespace tests
