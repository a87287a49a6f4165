#include "ui/why/cause_shares.h"

#include "ui/look/cause_style.h"
#include "ui/look/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <numeric>

namespace ui {
namespace {

QString sharesTr(const char* text) { return QCoreApplication::translate("CauseShares", text); }

std::vector<ShareRow> byCause(const engine::CauseTimes& times) {
    std::vector<ShareRow> rows;
    for (std::size_t i = 0; i < engine::kCauses; ++i) {
        const auto cause = static_cast<engine::Cause>(i);
        ShareRow& row = rows.emplace_back();
        row.name = textOf(cause);
        row.times[cause] = times[cause];
        row.total = times[cause].ps;
        row.cause = cause;
    }
    return rows;
}

// Adds up the steps in the range by a key. Visits each step, because the table is made at most a dozen times a second
// and few paths are long.
template <class KeyOf, class NameOf>
std::vector<ShareRow> byKey(const data::CauseIndex& causes, data::TimeRange range, KeyOf keyOf, NameOf nameOf) {
    std::map<std::uint32_t, ShareRow> found;
    const std::vector<engine::PathStep>& steps = causes.steps();
    for (std::size_t i = causes.empty() ? 0 : causes.stepAt(range.start); i < steps.size(); ++i) {
        const engine::PathStep& step = steps[i];
        if (step.start.ps >= range.end)
            break;
        const std::int64_t time = std::min(step.end.ps, range.end) - std::max(step.start.ps, range.start);
        if (time <= 0)
            continue;
        ShareRow& row = found[keyOf(step)];
        row.times[step.cause] += engine::Duration{time};
        row.total += time;
    }
    std::vector<ShareRow> rows;
    for (auto& [key, row] : found) {
        row.name = nameOf(key);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

std::vector<ShareRow> shareRows(const data::CauseIndex& causes, data::TimeRange range, ShareKind kind) {
    range = {std::clamp<std::int64_t>(range.start, 0, causes.end()),
             std::clamp<std::int64_t>(range.end, 0, causes.end())};
    std::vector<ShareRow> rows;
    if (kind == ShareKind::cause)
        rows = byCause(causes.between(range));
    else if (kind == ShareKind::gpu)
        rows = byKey(
            causes, range, [](const engine::PathStep& step) { return step.gpu; },
            [](std::uint32_t gpu) { return sharesTr("GPU %1").arg(gpu); });
    else
        rows = byKey(
            causes, range, [](const engine::PathStep& step) { return static_cast<std::uint32_t>(step.phase); },
            [](std::uint32_t phase) { return text(engine::name(static_cast<engine::WorkPhase>(phase))); });
    std::vector<std::int64_t> totals;
    for (const ShareRow& row : rows)
        totals.push_back(row.total);
    const std::vector<int> tenths = tenthsOf(totals);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].tenths = tenths[i];
    return rows;
}

std::vector<int> tenthsOf(std::span<const std::int64_t> parts) {
    constexpr int kWhole = 1000;
    std::vector<int> tenths(parts.size(), 0);
    const auto total = static_cast<double>(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}));
    if (total <= 0)
        return tenths;
    std::vector<std::pair<double, std::size_t>> lost;
    int given = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double exact = static_cast<double>(parts[i]) / total * kWhole;
        tenths[i] = static_cast<int>(exact);
        given += tenths[i];
        lost.emplace_back(exact - tenths[i], i);
    }
    // Of parts with equal rounding errors the first is increased, so that the same run always shows the same shares.
    std::stable_sort(lost.begin(), lost.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < lost.size() && given < kWhole; ++i, ++given)
        ++tenths[lost[i].second];
    return tenths;
}

QString formatTenths(int tenths) { return QStringLiteral("%1.%2\u00a0%").arg(tenths / 10).arg(tenths % 10); }

}  // namespace ui
