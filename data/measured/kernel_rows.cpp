#include "data/measured/kernel_rows.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace data {
namespace {

/// What decides the row of a span within one trace.
struct LocalKey {
    std::uint32_t name = 0, launch = kNoIndex, facts = kNoIndex;
    std::uint8_t notes = 0, kernelClass = 0;
    bool operator==(const LocalKey&) const = default;
};

struct LocalKeyHash {
    std::size_t operator()(const LocalKey& key) const {
        constexpr std::size_t kFactor = 1'000'003;
        std::size_t hash = key.name;
        for (const std::uint32_t part :
             {key.launch, key.facts, std::uint32_t{key.notes}, std::uint32_t{key.kernelClass}})
            hash = hash * kFactor ^ part;
        return hash;
    }
};

LocalKey localKeyOf(const MeasuredSpan& span) {
    const bool isGemm = span.kernelClass == KernelClass::gemm;
    constexpr std::uint8_t kOfShape = kOfGraph | kNoLaunchCall | kSharesOperator;
    return {span.name, span.launch, isGemm ? span.facts : kNoIndex,
            isGemm ? static_cast<std::uint8_t>(span.notes & kOfShape) : std::uint8_t{0},
            static_cast<std::uint8_t>(span.kernelClass)};
}

}  // namespace

std::optional<std::int64_t> medianOf(std::vector<std::int64_t> times) {
    if (times.empty())
        return std::nullopt;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    if (times.size() % 2 == 1)
        return *middle;
    const std::int64_t lower = *std::max_element(times.begin(), middle);
    return lower + (*middle - lower) / 2;
}

std::optional<double> KernelRow::stretch() const {
    if (!alone || !beside || *alone == 0)
        return std::nullopt;
    return static_cast<double>(*beside) / static_cast<double>(*alone);
}

std::optional<double> KernelRow::flopRate() const {
    constexpr double kPsPerSecond = 1e12;
    if (!shape || !alone || *alone == 0)
        return std::nullopt;
    return shape->flops() * kPsPerSecond / static_cast<double>(*alone);
}

KernelRowBuilder::Times& KernelRowBuilder::rowOf(const MeasuredTrace& trace, const MeasuredSpan& span) {
    Key key;
    key.isGemm = span.kernelClass == KernelClass::gemm;
    key.name = trace.nameOf(span.name);
    const SpanLaunch* launch = trace.launchOf(span);
    if (key.isGemm) {
        GemmShapeReading reading = gemmShapeOf(trace, span);
        key.shape = reading.shape;
        key.type = std::move(reading.type);
        key.unknown = std::move(reading.unknown);
    }
    if (!key.shape && launch != nullptr) {
        for (std::size_t i = 0; i < launch->grid.size(); ++i) {
            key.sides.at(i) = launch->grid.at(i);
            key.sides.at(launch->grid.size() + i) = launch->block.at(i);
        }
    }
    const auto [entry, isNew] = m_rows.try_emplace(key);
    KernelRow& row = entry->second.row;
    if (isNew) {
        row.name = key.name;
        row.kernelClass = span.kernelClass;
        row.shape = key.shape;
        row.shapeUnknown = key.unknown;
        row.type = key.type;
        if (launch != nullptr)
            row.launch = *launch;
        if (key.isGemm)
            row.waves = gemmWavesOf(key.shape ? &*key.shape : nullptr, key.name, launch, trace.deviceOf(span));
    } else if (key.isGemm && (launch == nullptr ? row.launch.has_value() : row.launch != *launch)) {
        entry->second.severalGrids = true;
    }
    return entry->second;
}

void KernelRowBuilder::add(const MeasuredTrace& trace, const StepChoice& steps, const IntervalUnion& communication) {
    const ChosenSteps chosen(trace, steps);
    const std::vector<TimeInterval>& beside = communication.intervals();
    std::size_t at = 0;  // the first interval of communication that ends after the start of the span
    std::unordered_map<LocalKey, Times*, LocalKeyHash> rows;
    for (const MeasuredSpan& span : trace.spans) {
        if (!span.isCompute() || !chosen.has(span))
            continue;
        while (at < beside.size() && beside[at].end <= span.start)
            ++at;
        std::int64_t overlap = 0;
        for (std::size_t i = at; i < beside.size() && beside[i].start < span.end(); ++i)
            overlap += std::min(beside[i].end, span.end()) - std::max(beside[i].start, span.start);
        const auto [entry, isNew] = rows.try_emplace(localKeyOf(span), nullptr);
        if (isNew)
            entry->second = &rowOf(trace, span);
        Times& times = *entry->second;
        ++times.row.count;
        times.row.total = sumOfTimes(times.row.total, span.duration);
        if (overlap == 0)
            times.alone.push_back(span.duration);
        else if (overlap >= span.duration - overlap)
            times.beside.push_back(span.duration);
    }
}

std::vector<KernelRow> KernelRowBuilder::take() {
    std::vector<KernelRow> rows;
    for (auto& [key, times] : m_rows) {
        KernelRow& row = times.row;
        row.aloneCount = times.alone.size();
        row.besideCount = times.beside.size();
        row.alone = medianOf(std::move(times.alone));
        row.beside = medianOf(std::move(times.beside));
        if (times.severalGrids) {
            row.waves = {};
            row.waves.unknown = "the kernel was launched with several grids or limits";
        }
        rows.push_back(std::move(row));
    }
    m_rows.clear();
    std::ranges::stable_sort(rows, std::greater{}, &KernelRow::total);
    return rows;
}

}  // namespace data
