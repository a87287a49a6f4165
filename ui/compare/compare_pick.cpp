#include "ui/compare/compare_pick.h"

#include "ui/look/text.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <variant>

namespace ui {
namespace {

constexpr std::array<const char*, 5> kPickKinds{"shown", "policy", "machine", "pinned", "kept"};
constexpr qsizetype kLongestPickName = 200;

std::optional<ComparePick> pickFrom(const QJsonObject& kept) {
    const QString kind = kept[QStringLiteral("is")].toString();
    const auto known = std::find_if(kPickKinds.begin(), kPickKinds.end(),
                                    [&kind](const char* each) { return kind == QLatin1String(each); });
    if (known == kPickKinds.end())
        return std::nullopt;
    ComparePick pick{static_cast<ComparePick::Kind>(known - kPickKinds.begin())};
    const QString name = kept[QStringLiteral("name")].toString();
    if (name.size() > kLongestPickName)
        return std::nullopt;
    pick.name = name.toStdString();
    pick.id = kept[QStringLiteral("id")].toInteger();
    const bool understood = pick.kind == ComparePick::Kind::policy    ? data::findPolicy(pick.name) != nullptr
                            : pick.kind == ComparePick::Kind::machine ? data::findMachine(pick.name) != nullptr
                            : pick.kind == ComparePick::Kind::kept    ? pick.id > 0
                                                                      : true;
    return understood ? std::optional(pick) : std::nullopt;
}

}  // namespace

data::ExperimentDraft draftOf(const ComparePick& pick, const data::ExperimentDraft& shown) {
    data::ExperimentDraft draft = shown;
    if (pick.kind == ComparePick::Kind::policy)
        draft.explicitValues.insert_or_assign("policy.preset", pick.name);
    if (pick.kind == ComparePick::Kind::machine) {
        // What was set by hand is the same on every machine; what an own machine says of itself goes with its name.
        const auto named = draft.explicitValues.find("machine");
        const auto* machine = named == draft.explicitValues.end() ? nullptr : std::get_if<std::string>(&named->second);
        if (machine != nullptr && data::findMachine(*machine) == nullptr) {
            for (const std::string& path : data::saidPaths("machine"))
                draft.explicitValues.erase(path);
        }
        draft.explicitValues.insert_or_assign("machine", pick.name);
    }
    return draft;
}

QJsonValue toJson(const std::vector<ComparePick>& picks) {
    QJsonArray kept;
    for (const ComparePick& pick : picks) {
        QJsonObject one{{QStringLiteral("is"), QLatin1String(kPickKinds[static_cast<std::size_t>(pick.kind)])}};
        if (!pick.name.empty())
            one.insert(QStringLiteral("name"), text(pick.name));
        if (pick.id > 0)
            one.insert(QStringLiteral("id"), static_cast<qint64>(pick.id));
        kept << one;
    }
    return kept;
}

std::optional<std::vector<ComparePick>> picksFrom(const QJsonValue& kept) {
    const QJsonArray array = kept.toArray();
    if (!kept.isArray() || array.isEmpty() || static_cast<std::size_t>(array.size()) > kMostCompared)
        return std::nullopt;
    std::vector<ComparePick> picks;
    for (const QJsonValue& one : array) {
        const std::optional<ComparePick> pick = one.isObject() ? pickFrom(one.toObject()) : std::nullopt;
        if (!pick)
            return std::nullopt;
        picks.push_back(*pick);
    }
    return picks;
}

}  // namespace ui
