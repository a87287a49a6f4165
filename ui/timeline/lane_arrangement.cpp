#include "ui/timeline/lane_arrangement.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>
#include <array>
#include <optional>

namespace ui {
namespace {

constexpr std::uint32_t kMostNumber = 1'000'000;  // of a GPU or channel; a larger number in a file is ignored

// In the order of RowKind.
constexpr std::array<RowTraits, 18> kTraits{{
    {"compute", QT_TRANSLATE_NOOP("TimelineModel", "compute"), 2.8, Role::gemm, "wave"},
    {"slots", QT_TRANSLATE_NOOP("TimelineModel", "workgroups"), 6, Role::gemm, "slot"},
    {"loads", QT_TRANSLATE_NOOP("TimelineModel", "loads"), 1.3, Role::gemm, "cache"},
    {"stores", QT_TRANSLATE_NOOP("TimelineModel", "stores"), 1.3, Role::gemm, "address-map"},
    {"reduce-scatter", nullptr, 1.3, Role::reduceScatter, nullptr},
    {"all-gather", QT_TRANSLATE_NOOP("TimelineModel", "all-gather"), 1.3, Role::allGather, "all-gather"},
    {"collective", "", 1.3, Role::reduceScatter, nullptr},
    {"tracker", QT_TRANSLATE_NOOP("TimelineModel", "tracker"), 1.2, Role::tracker, "tracker"},
    {"dma", QT_TRANSLATE_NOOP("TimelineModel", "DMA blocks"), 1.4, Role::dma, "dma"},
    {"link-out", QT_TRANSLATE_NOOP("TimelineModel", "link out"), 1.6, Role::link, "links-out"},
    {"link-in", QT_TRANSLATE_NOOP("TimelineModel", "link in"), 1.3, Role::link, "links-in"},
    {"dram", QT_TRANSLATE_NOOP("TimelineModel", "DRAM"), 2.8, Role::gemm, "channels"},
    {"dram-channel", QT_TRANSLATE_NOOP("TimelineModel", "channel %1"), 0.9, Role::gemm, "channels"},
    {"queues", QT_TRANSLATE_NOOP("TimelineModel", "queues"), 1.2, Role::gemm, "stream"},
    {"companion", QT_TRANSLATE_NOOP("TimelineModel", "companion"), 1.3, Role::neutral, nullptr},
    {"", QT_TRANSLATE_NOOP("TimelineModel", "GEMM"), 3, Role::gemm, "gemm"},
    {"", nullptr, 3, Role::reduceScatter, nullptr},
    {"", QT_TRANSLATE_NOOP("TimelineModel", "all-gather"), 3, Role::allGather, "all-gather"},
}};
static_assert(kTraits.size() == static_cast<std::size_t>(RowKind::boundAllGather) + 1);

QJsonValue written(std::uint32_t number) { return static_cast<qint64>(number); }
QJsonValue written(RowKind kind) { return QString::fromLatin1(traitsOf(kind).word); }
QJsonValue written(LaneKey key) { return QJsonArray{written(key.gpu), written(key.kind), written(key.index)}; }

template <class Values>
QJsonArray writeAll(const Values& values) {
    QJsonArray array;
    for (const auto& value : values)
        array.append(written(value));
    return array;
}

template <class Value>
std::optional<Value> readAs(const QJsonValue& value);

template <>
std::optional<std::uint32_t> readAs(const QJsonValue& value) {
    const double number = value.toDouble(-1);
    const bool ours = number >= 0 && number <= kMostNumber;
    return ours ? std::optional(static_cast<std::uint32_t>(number)) : std::nullopt;
}

template <>
std::optional<RowKind> readAs(const QJsonValue& value) {
    const QString word = value.toString();
    for (std::size_t i = 0; i < kTraits.size() && !word.isEmpty(); ++i) {
        if (word == QLatin1String(kTraits[i].word))
            return static_cast<RowKind>(i);
    }
    return std::nullopt;
}

template <>
std::optional<LaneKey> readAs(const QJsonValue& value) {
    const QJsonArray parts = value.toArray();
    const auto gpu = readAs<std::uint32_t>(parts.at(0)), index = readAs<std::uint32_t>(parts.at(2));
    const auto kind = readAs<RowKind>(parts.at(1));
    return gpu && index && kind ? std::optional(LaneKey{*gpu, *kind, *index}) : std::nullopt;
}

/// Reads the valid entries of a list.
template <class Value>
std::vector<Value> readAll(const QJsonValue& value) {
    std::vector<Value> values;
    for (const QJsonValue& entry : value.toArray()) {
        if (const auto read = readAs<Value>(entry))
            values.push_back(*read);
    }
    return values;
}

}  // namespace

const RowTraits& traitsOf(RowKind kind) { return kTraits[static_cast<std::size_t>(kind)]; }

const std::vector<RowKind>& LaneArrangement::usualOrder() {
    static const std::vector<RowKind> kOrder{RowKind::waves,     RowKind::companion, RowKind::reduceScatter,
                                             RowKind::allGather, RowKind::tracker,   RowKind::dma,
                                             RowKind::link,      RowKind::dram,      RowKind::queues};
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
    return {{QStringLiteral("order"), writeAll(order)},       {QStringLiteral("gpuOrder"), writeAll(gpuOrder)},
            {QStringLiteral("expanded"), writeAll(expanded)}, {QStringLiteral("opened"), writeAll(opened)},
            {QStringLiteral("hidden"), writeAll(hidden)},     {QStringLiteral("hiddenGpus"), writeAll(hiddenGpus)},
            {QStringLiteral("pinned"), writeAll(pinned)}};
}

LaneArrangement LaneArrangement::fromJson(const QJsonObject& json) {
    const auto readInto = [&json]<class Value>(std::set<Value>& values, const char* name) {
        const std::vector<Value> read = readAll<Value>(json.value(QLatin1String(name)));
        values = std::set<Value>(read.begin(), read.end());
    };
    LaneArrangement read;
    // An order is valid only if it has each usual lane once. Sessions from before companions lack the companion's lane,
    // which is inserted below the waves.
    std::vector<RowKind> kinds = readAll<RowKind>(json.value(QStringLiteral("order")));
    if (std::find(kinds.begin(), kinds.end(), RowKind::companion) == kinds.end()) {
        const auto waves = std::find(kinds.begin(), kinds.end(), RowKind::waves);
        kinds.insert(waves == kinds.end() ? waves : waves + 1, RowKind::companion);
    }
    if (std::is_permutation(kinds.begin(), kinds.end(), usualOrder().begin(), usualOrder().end()))
        read.order = kinds;
    read.gpuOrder = readAll<std::uint32_t>(json.value(QStringLiteral("gpuOrder")));
    if (json.contains(QStringLiteral("expanded")))
        readInto(read.expanded, "expanded");
    readInto(read.opened, "opened");
    readInto(read.hidden, "hidden");
    readInto(read.hiddenGpus, "hiddenGpus");
    for (const LaneKey& key : readAll<LaneKey>(json.value(QStringLiteral("pinned")))) {
        if (!read.isPinned(key))
            read.pinned.push_back(key);
    }
    return read;
}

}  // namespace ui
