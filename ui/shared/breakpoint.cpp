#include "ui/shared/breakpoint.h"

#include "ui/look/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace ui {
namespace {

QString breakpointTr(const char* text) { return QCoreApplication::translate("Breakpoint", text); }

constexpr std::array<const char*, kBreakConditions> kNames{"time",          "entry-full",          "tracker-entries",
                                                           "compute-queue", "communication-queue", "dma-queue",
                                                           "link-idle",     "chunk-complete",      "wave-end"};

constexpr std::int64_t kLongestPs = 1'000'000'000'000'000;  // a thousand seconds: no run is as long
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
constexpr std::int64_t kMostGpus = 1'000'000;

QString conditionText(const Breakpoint& breakpoint) {
    const std::int64_t number = breakpoint.number.value_or(0);
    const bool any = !breakpoint.number;
    switch (breakpoint.condition) {
    case BreakCondition::time: return breakpointTr("time %1").arg(formatTime(number, 5));
    case BreakCondition::entryFull:
        return any ? breakpointTr("an entry reaches its threshold")
                   : breakpointTr("entry %1 reaches its threshold").arg(number);
    case BreakCondition::trackerEntries: return breakpointTr("%1 or more tracker entries").arg(number);
    case BreakCondition::computeQueue: return breakpointTr("compute queue over %1").arg(formatBytes(number));
    case BreakCondition::communicationQueue:
        return breakpointTr("communication queue over %1").arg(formatBytes(number));
    case BreakCondition::dmaQueue: return breakpointTr("more than %1 DMA commands wait").arg(number);
    case BreakCondition::linkIdle: return breakpointTr("link idle for %1").arg(formatTime(number));
    case BreakCondition::chunkComplete:
        return any ? breakpointTr("a chunk is complete") : breakpointTr("chunk %1 is complete").arg(number);
    case BreakCondition::waveEnd: return any ? breakpointTr("a wave ends") : breakpointTr("wave %1 ends").arg(number);
    }
    return {};
}

}  // namespace

bool allowsAny(BreakCondition condition) {
    return condition == BreakCondition::entryFull || condition == BreakCondition::chunkComplete ||
           condition == BreakCondition::waveEnd;
}

bool concernsGpu(BreakCondition condition) { return condition != BreakCondition::time; }

std::int64_t mostOf(BreakCondition condition) {
    switch (condition) {
    case BreakCondition::time:
    case BreakCondition::linkIdle: return kLongestPs;
    case BreakCondition::computeQueue:
    case BreakCondition::communicationQueue: return kMostBytes;
    case BreakCondition::entryFull:
    case BreakCondition::trackerEntries:
    case BreakCondition::dmaQueue:
    case BreakCondition::chunkComplete:
    case BreakCondition::waveEnd: break;
    }
    return 1'000'000'000;
}

QString Breakpoint::text() const {
    const QString what = conditionText(*this);
    return gpu && concernsGpu(condition) ? breakpointTr("%1 on GPU %2").arg(what).arg(*gpu) : what;
}

QJsonObject Breakpoint::toJson() const {
    QJsonObject kept{{QStringLiteral("condition"), QLatin1String(kNames[static_cast<std::size_t>(condition)])},
                     {QStringLiteral("enabled"), enabled}};
    if (number)
        kept.insert(QStringLiteral("number"), static_cast<qint64>(*number));
    if (gpu)
        kept.insert(QStringLiteral("gpu"), static_cast<qint64>(*gpu));
    return kept;
}

std::optional<Breakpoint> Breakpoint::fromJson(const QJsonObject& kept) {
    Breakpoint breakpoint;
    const QString name = kept[QStringLiteral("condition")].toString();
    const auto found =
        std::find_if(kNames.begin(), kNames.end(), [&](const char* known) { return name == QLatin1String(known); });
    if (found == kNames.end())
        return std::nullopt;
    breakpoint.condition = static_cast<BreakCondition>(found - kNames.begin());
    breakpoint.enabled = kept[QStringLiteral("enabled")].toBool(true);
    if (kept.contains(QStringLiteral("number"))) {
        const std::int64_t number = kept[QStringLiteral("number")].toInteger(-1);
        if (number < 0 || number > mostOf(breakpoint.condition))
            return std::nullopt;
        breakpoint.number = number;
    } else if (!allowsAny(breakpoint.condition)) {
        return std::nullopt;
    }
    if (kept.contains(QStringLiteral("gpu"))) {
        const std::int64_t gpu = kept[QStringLiteral("gpu")].toInteger(-1);
        if (gpu < 0 || gpu > kMostGpus)
            return std::nullopt;
        breakpoint.gpu = static_cast<std::uint32_t>(gpu);
    }
    return breakpoint;
}

}  // namespace ui
