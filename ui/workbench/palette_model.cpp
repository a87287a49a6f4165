#include "ui/workbench/palette_model.h"

#include "ui/workbench/fuzzy_match.h"

#include <algorithm>

namespace ui {
namespace {

constexpr int kInTextAlone = 6;  // what is found by its own words stands before what is found by others

}  // namespace

void PaletteModel::setEntries(std::vector<PaletteEntry> entries) {
    beginResetModel();
    m_found.clear();
    m_entries = std::move(entries);
    endResetModel();
    find({});
}

void PaletteModel::find(const QString& typed) {
    beginResetModel();
    m_found.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const PaletteEntry& entry = m_entries[i];
        if (const auto match = fuzzyMatch(typed, entry.text)) {
            m_found.push_back({i, match->score + kInTextAlone, match->positions});
        } else if (const auto around = fuzzyMatch(typed, entry.text + u' ' + entry.where + u' ' + entry.also)) {
            QList<int> inText = around->positions;
            inText.removeIf([&entry](int at) { return at >= entry.text.size(); });
            m_found.push_back({i, around->score, inText});
        }
    }
    std::stable_sort(m_found.begin(), m_found.end(), [](const Found& a, const Found& b) { return a.score > b.score; });
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_found.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    const PaletteEntry& entry = entryAt(index.row());
    switch (role) {
    case Qt::DisplayRole: return entry.text;
    case Qt::AccessibleTextRole: return QStringList{entry.text, entry.where, entry.keys}.join(QStringLiteral(", "));
    case Role::positions: return QVariant::fromValue(m_found[index.row()].positions);
    case Role::where: return entry.where;
    case Role::keys: return entry.keys;
    default: return {};
    }
}

}  // namespace ui
