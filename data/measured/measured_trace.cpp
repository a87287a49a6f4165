#include "data/measured/measured_trace.h"

#include "data/document/names.h"
#include "engine/api/letters.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

namespace data {
namespace {

/// Reads a step's number, which is not negative.
std::optional<std::int32_t> stepNumberIn(std::string_view text) {
    std::int32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || number < 0)
        return std::nullopt;
    return number;
}

}  // namespace

MeasuredOperation operationNamed(std::string_view name) {
    using enum MeasuredOperation;
    // The longer names first: "reduce" is a part of others.
    static constexpr std::array<std::pair<std::string_view, MeasuredOperation>, 12> kParts{{
        {"allreduce", allReduce},
        {"reducescatter", reduceScatter},
        {"allgather", allGather},
        {"alltoall", allToAll},
        {"broadcast", broadcast},
        {"barrier", barrier},
        {"reduce", reduce},
        {"gather", gather},
        {"scatter", scatter},
        {"send", send},
        {"recv", receive},
        {"receive", receive},
    }};
    std::string letters;
    for (const char c : name) {
        if (c != '_' && c != '-')
            letters += engine::lowerLetter(c);
    }
    // A kernel that sends and receives may be a part of any operation.
    if (letters.find("sendrecv") != std::string::npos)
        return unknown;
    for (const auto& [part, operation] : kParts) {
        if (letters.find(part) != std::string::npos)
            return operation;
    }
    return unknown;
}

std::optional<std::int64_t> SpanLaunch::productOf(const std::array<std::int64_t, 3>& sides) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    std::int64_t product = 1;
    for (const std::int64_t side : sides) {
        if (side < 1 || side > kMost / product)
            return std::nullopt;
        product *= side;
    }
    return product;
}

const MeasuredDevice* MeasuredTrace::deviceOf(const MeasuredSpan& span) const {
    if (span.stream < streams.size()) {
        if (const MeasuredDevice* own = findNamed(devices, &MeasuredDevice::id, streams[span.stream].device))
            return own;
    }
    const bool oneKind = !devices.empty() && std::ranges::all_of(devices, [&](const MeasuredDevice& device) {
        return device.name == devices.front().name && device.multiprocessors == devices.front().multiprocessors;
    });
    return oneKind ? &devices.front() : nullptr;
}

const MeasuredGroup* MeasuredTrace::groupNamed(std::string_view name) const {
    return findNamed(groups, &MeasuredGroup::name, name);
}

std::optional<StepChoice> stepChoiceOf(std::string_view text) {
    if (text == "all")
        return StepChoice{};
    if (text == "all-but-last")
        return StepChoice{StepChoice::Kind::allButLast, 0, 0};
    const std::size_t dash = text.find('-');
    const auto first = stepNumberIn(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : stepNumberIn(text.substr(dash + 1));
    if (!first || !last || *last < *first)
        return std::nullopt;
    return StepChoice{StepChoice::Kind::range, *first, *last};
}

std::string textOf(const StepChoice& choice) {
    switch (choice.kind) {
    case StepChoice::Kind::all: break;
    case StepChoice::Kind::allButLast: return "all-but-last";
    case StepChoice::Kind::range:
        return std::to_string(choice.first) +
               (choice.last == choice.first ? std::string() : "-" + std::to_string(choice.last));
    }
    return "all";
}

ChosenSteps::ChosenSteps(const MeasuredTrace& trace, const StepChoice& choice) {
    switch (choice.kind) {
    case StepChoice::Kind::all: m_all = true; return;
    case StepChoice::Kind::range:
        m_first = choice.first;
        m_last = choice.last;
        return;
    case StepChoice::Kind::allButLast: break;
    }
    const auto last = std::ranges::max_element(trace.steps, {}, &MeasuredStep::number);
    if (last != trace.steps.end())
        m_last = last->number - 1;
}

}  // namespace data
