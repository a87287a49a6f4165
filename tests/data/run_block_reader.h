#pragma once

// Reads a run block again, for tests: what it returns must equal the trace that was written.

#include "engine/api/attribution.h"
#include "engine/api/trace.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tests {

/// The busy time of a lane that has no spans: by kernel, then period.
struct ReadBusyTime {
    std::uint32_t lane = 0;  ///< index into ReadRunBlock::lanes, whose spans are empty
    std::vector<std::vector<std::int64_t>> times;
};

struct ReadRunBlock {
    nlohmann::json header;
    std::vector<engine::Lane> lanes;
    std::vector<ReadBusyTime> busy;
    std::vector<engine::CounterSeries> counters;                           ///< without samples if the block has periods
    std::vector<std::vector<std::array<std::int64_t, 3>>> counterPeriods;  ///< lowest, mean and highest value
    std::vector<engine::PathStep> path;                                    ///< `lane` counts the lanes of the block
};

class RunBlockReader {
public:
    explicit RunBlockReader(std::string_view block) : m_bytes(block) {}

    ReadRunBlock read() {
        ReadRunBlock read;
        if (take(4) != "RSRB" || take(1) != std::string_view("\1"))
            throw std::runtime_error("not a run block of version 1");
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i)
            length |= std::size_t{static_cast<unsigned char>(take(1)[0])} << (8 * i);
        read.header = nlohmann::json::parse(take(length));
        for (const nlohmann::json& lane : read.header["lanes"]) {
            read.lanes.push_back(laneOf(lane));
            if (lane["form"] == "busy")
                read.busy.push_back({static_cast<std::uint32_t>(read.lanes.size() - 1), busyOf(lane)});
        }
        for (const nlohmann::json& counter : read.header["counters"]) {
            read.counters.push_back(counterOf(counter));
            if (counter["form"] == "periods")
                read.counterPeriods.push_back(counterPeriodsOf(counter));
        }
        read.path = pathOf(read.header["path"]);
        if (!m_bytes.empty())
            throw std::runtime_error("bytes are left over");
        return read;
    }

private:
    std::string_view take(std::size_t count) {
        if (count > m_bytes.size())
            throw std::runtime_error("the block ends too early");
        const std::string_view taken = m_bytes.substr(0, count);
        m_bytes.remove_prefix(count);
        return taken;
    }

    /// Reads the next column of a section: `count` numbers in exactly the bytes that the header tells.
    std::vector<std::int64_t> column(const nlohmann::json& section, const char* count = "count") {
        std::vector<std::int64_t> numbers;
        std::string_view bytes = take(section["bytes"].at(m_column++).get<std::size_t>());
        while (!bytes.empty()) {
            std::uint64_t bits = 0;
            for (int shift = 0;; shift += 7) {
                const auto byte = static_cast<unsigned char>(bytes.at(0));
                bytes.remove_prefix(1);
                bits |= std::uint64_t{byte & 127u} << shift;
                if (byte < 128)
                    break;
            }
            numbers.push_back(static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1));
        }
        if (numbers.size() != section[count].get<std::size_t>())
            throw std::runtime_error("a column has another length than the header tells");
        return numbers;
    }

    static void sum(std::vector<std::int64_t>& differences) {
        for (std::size_t i = 1; i < differences.size(); ++i)
            differences[i] += differences[i - 1];
    }

    std::vector<std::int64_t> sums(const nlohmann::json& section, const char* count = "count") {
        std::vector<std::int64_t> numbers = column(section, count);
        sum(numbers);
        return numbers;
    }

    engine::Lane laneOf(const nlohmann::json& section) {
        engine::Lane lane;
        lane.gpu = section["gpu"];
        lane.kind = static_cast<engine::LaneKind>(section["kind"].get<int>());
        lane.index = section["index"];
        lane.exclusive = section["exclusive"];
        if (section["form"] == "busy")
            return lane;
        m_column = 0;
        const auto start = column(section), length = column(section), first = sums(section), second = sums(section),
                   bytes = column(section);
        const std::string_view kinds = take(section["bytes"].at(5).get<std::size_t>());
        std::int64_t before = 0;
        for (std::size_t i = 0; i < start.size(); ++i) {
            engine::Span span;
            span.start = {before + start[i]};
            span.end = {span.start.ps + length[i]};
            span.first = static_cast<std::uint32_t>(first[i]);
            span.second = static_cast<std::uint32_t>(second[i]);
            span.bytes = static_cast<std::uint32_t>(bytes[i]);
            span.kind = static_cast<engine::SpanKind>(kinds.at(2 * i));
            span.peer = static_cast<std::uint8_t>(kinds.at(2 * i + 1));
            before = lane.exclusive ? span.end.ps : span.start.ps;
            lane.spans.push_back(span);
        }
        return lane;
    }

    std::vector<std::vector<std::int64_t>> busyOf(const nlohmann::json& section) {
        std::vector<std::vector<std::int64_t>> times;
        m_column = 0;
        for (std::size_t i = 0; i < section["kernels"].size(); ++i)
            times.push_back(sums(section, "buckets"));
        return times;
    }

    engine::CounterSeries counterOf(const nlohmann::json& section) {
        engine::CounterSeries series;
        series.gpu = section["gpu"];
        series.kind = static_cast<engine::CounterKind>(section["kind"].get<int>());
        if (section["form"] == "periods")
            return series;
        m_column = 0;
        const auto times = sums(section), values = sums(section);
        for (std::size_t i = 0; i < times.size(); ++i)
            series.samples.push_back({{times[i]}, values[i]});
        return series;
    }

    std::vector<std::array<std::int64_t, 3>> counterPeriodsOf(const nlohmann::json& section) {
        std::vector<std::array<std::int64_t, 3>> periods;
        m_column = 0;
        const auto low = sums(section, "buckets"), mean = column(section, "buckets"), high = column(section, "buckets");
        for (std::size_t i = 0; i < low.size(); ++i)
            periods.push_back({low[i], low[i] + mean[i], low[i] + mean[i] + high[i]});
        return periods;
    }

    std::vector<engine::PathStep> pathOf(const nlohmann::json& section) {
        std::vector<engine::PathStep> steps;
        m_column = 0;
        const auto ends = sums(section), causes = column(section), phases = column(section), acts = column(section),
                   gpus = column(section), lanes = sums(section), first = sums(section), last = sums(section),
                   bytes = column(section);
        for (std::size_t i = 0; i < ends.size(); ++i)
            steps.push_back({.start = {i == 0 ? 0 : ends[i - 1]},
                             .end = {ends[i]},
                             .cause = static_cast<engine::Cause>(causes[i]),
                             .phase = static_cast<engine::WorkPhase>(phases[i]),
                             .act = static_cast<engine::PathAct>(acts[i]),
                             .gpu = static_cast<std::uint32_t>(gpus[i]),
                             .lane = static_cast<std::uint32_t>(lanes[i]),
                             .firstSpan = static_cast<std::uint32_t>(first[i]),
                             .lastSpan = static_cast<std::uint32_t>(last[i]),
                             .bytes = bytes[i]});
        return steps;
    }

    std::string_view m_bytes;
    std::size_t m_column = 0;
};

}  // namespace tests
