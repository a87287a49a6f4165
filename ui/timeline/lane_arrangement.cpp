#include "ui/timeline/lane_arrangement.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ui {
namespace {

constexpr std::uint32_t kMostNumber = 1'000'000;  // of a GPU or channel: beyond it a file is not ours

// Files know rows by these words.
constexpr std::array<std::pair<RowKind, const char*>, 14> kNames{{{RowKind::waves, "compute"},
                                                                  {RowKind::slots, "slots"},
                                                                  {RowKind::loads, "loads"},
                                                                  {RowKind::stores, "stores"},
                                                                  {RowKind::reduceScatter, "reduce-scatter"},
                                                                  {RowKind::allGather, "all-gather"},
                                                                  {RowKind::collective, "collective"},
                                                                  {RowKind::tracker, "tracker"},
                                                                  {RowKind::dma, "dma"},
                                                                  {RowKind::link, "link-out"},
                                                                  {RowKind::linkIn, "link-in"},
                                                                  {RowKind::dram, "dram"},
                                                                  {RowKind::dramChannel, "dram-channel"},
                                                                  {RowKind::queues, "queues"}}};

QString nameOf(RowKind kind) {
    const auto named = std::find_if(kNames.begin(), kNames.end(), [&](const auto& pair) { return pair.first == kind; });
    return named != kNames.end() ? QString::fromLatin1(named->second) : QString();
}

std::optional<RowKind> kindOf(const QString& name) {
    for (const auto& [kind, word] : kNames) {
        if (name == QLatin1String(word))
            return kind;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> numberOf(const QJsonValue& value) {
    const double number = value.toDouble(-1);
    if (!(number >= 0 && number <= kMostNumber))
        return std::nullopt;
    return static_cast<std::uint32_t>(number);
}

QJsonArray write(LaneKey key) {
    return {static_cast<qint64>(key.gpu), nameOf(key.kind), static_cast<qint64>(key.index)};
}

template <class Keys>
QJsonArray writeAll(const Keys& keys) {
    QJsonArray array;
    for (const LaneKey& key : keys)
        array.append(write(key));
    return array;
}

template <class Numbers>
QJsonArray writeNumbers(const Numbers& numbers) {
    QJsonArray array;
    for (const std::uint32_t number : numbers)
        array.append(static_cast<qint64>(number));
    return array;
}

std::vector<LaneKey> readKeys(const QJsonValue& value) {
    std::vector<LaneKey> keys;
    for (const QJsonValue& entry : value.toArray()) {
        const QJsonArray parts = entry.toArray();
        const auto gpu = numberOf(parts.at(0)), index = numberOf(parts.at(2));
        const auto kind = kindOf(parts.at(1).toString());
        if (gpu && index && kind)
            keys.push_back({*gpu, *kind, *index});
    }
    return keys;
}

std::vector<std::uint32_t> readNumbers(const QJsonValue& value) {
    std::vector<std::uint32_t> numbers;
    for (const QJsonValue& entry : value.toArray()) {
        if (const auto number = numberOf(entry))
            numbers.push_back(*number);
    }
    return numbers;
}

}  // namespace

const std::vector<RowKind>& LaneArrangement::usualOrder() {
    static const std::vector<RowKind> kOrder{RowKind::waves,   RowKind::reduceScatter, RowKind::allGather,
                                             RowKind::tracker, RowKind::dma,           RowKind::link,
                                             RowKind::dram,    RowKind::queues};
    return kOrder;
}

const std::vector<RowKind>& LaneArrangement::detailsOf(RowKind kind) {
    static const std::vector<RowKind> kOfWaves{RowKind::slots, RowKind::loads, RowKind::stores};
    static const std::vector<RowKind> kOfLink{RowKind::linkIn};
    static const std::vector<RowKind> kOfDram{RowKind::dramChannel};
    static const std::vector<RowKind> kNone;
    return kind == RowKind::waves  ? kOfWaves
           : kind == RowKind::link ? kOfLink
           : kind == RowKind::dram ? kOfDram
                                   : kNone;
}

RowKind LaneArrangement::lanesOwner(RowKind kind) {
    for (const RowKind owner : usualOrder()) {
        const std::vector<RowKind>& details = detailsOf(owner);
        if (std::find(details.begin(), details.end(), kind) != details.end())
            return owner;
    }
    return kind;
}

bool LaneArrangement::isPinned(LaneKey key) const {
    return std::find(pinned.begin(), pinned.end(), key) != pinned.end();
}

void LaneArrangement::togglePinned(LaneKey key) {
    if (std::erase(pinned, key) == 0)
        pinned.push_back(key);
}

void LaneArrangement::showAll() {
    hidden.clear();
    hiddenGpus.clear();
}

std::vector<std::uint32_t> LaneArrangement::gpusInOrder(std::uint32_t gpus) const {
    std::vector<std::uint32_t> shown;
    std::vector<bool> taken(gpus, false);
    const auto take = [&](std::uint32_t gpu) {
        if (gpu < gpus && !taken[gpu]) {
            taken[gpu] = true;
            shown.push_back(gpu);
        }
    };
    for (const std::uint32_t gpu : gpuOrder)
        take(gpu);
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        take(gpu);
    return shown;
}

bool LaneArrangement::moveLane(RowKind kind, int by, const std::set<RowKind>& seen) {
    const auto from = std::find(order.begin(), order.end(), lanesOwner(kind));
    if (from == order.end() || by == 0)
        return false;
    const auto step = by > 0 ? 1 : -1;
    auto at = from - order.begin();
    for (int left = std::abs(by); left > 0;) {
        const auto next = at + step;
        if (next < 0 || next >= static_cast<std::ptrdiff_t>(order.size()))
            return false;
        const bool counts = seen.contains(order[static_cast<std::size_t>(next)]);
        std::swap(order[static_cast<std::size_t>(at)], order[static_cast<std::size_t>(next)]);
        at = next;
        left -= counts ? 1 : 0;
    }
    return true;
}

bool LaneArrangement::moveGpu(std::uint32_t gpu, int by, std::uint32_t gpus) {
    std::vector<std::uint32_t> shown = gpusInOrder(gpus);
    const auto from = std::find(shown.begin(), shown.end(), gpu);
    const auto to = from - shown.begin() + by;
    if (from == shown.end() || to < 0 || to >= static_cast<std::ptrdiff_t>(shown.size()))
        return false;
    shown.erase(from);
    shown.insert(shown.begin() + to, gpu);
    gpuOrder = std::move(shown);
    return true;
}

QJsonObject LaneArrangement::toJson() const {
    QJsonArray kinds;
    for (const RowKind kind : order)
        kinds.append(nameOf(kind));
    return {{QStringLiteral("order"), kinds},
            {QStringLiteral("gpuOrder"), writeNumbers(gpuOrder)},
            {QStringLiteral("expanded"), writeNumbers(expanded)},
            {QStringLiteral("opened"), writeAll(opened)},
            {QStringLiteral("hidden"), writeAll(hidden)},
            {QStringLiteral("hiddenGpus"), writeNumbers(hiddenGpus)},
            {QStringLiteral("pinned"), writeAll(pinned)}};
}

LaneArrangement LaneArrangement::fromJson(const QJsonObject& json) {
    LaneArrangement read;
    std::vector<RowKind> kinds;
    for (const QJsonValue& name : json.value(QStringLiteral("order")).toArray()) {
        if (const auto kind = kindOf(name.toString()))
            kinds.push_back(*kind);
    }
    // Only a rearrangement of the usual lanes is an order.
    if (std::is_permutation(kinds.begin(), kinds.end(), usualOrder().begin(), usualOrder().end()))
        read.order = kinds;
    const auto setOf = [&](const char* name) {
        const std::vector<std::uint32_t> numbers = readNumbers(json.value(QLatin1String(name)));
        return std::set<std::uint32_t>(numbers.begin(), numbers.end());
    };
    const auto keysOf = [&](const char* name) {
        const std::vector<LaneKey> keys = readKeys(json.value(QLatin1String(name)));
        return std::set<LaneKey>(keys.begin(), keys.end());
    };
    read.gpuOrder = readNumbers(json.value(QStringLiteral("gpuOrder")));
    if (json.contains(QStringLiteral("expanded")))
        read.expanded = setOf("expanded");
    read.opened = keysOf("opened");
    read.hidden = keysOf("hidden");
    read.hiddenGpus = setOf("hiddenGpus");
    for (const LaneKey& key : readKeys(json.value(QStringLiteral("pinned")))) {
        if (!read.isPinned(key))
            read.pinned.push_back(key);
    }
    return read;
}

}  // namespace ui
