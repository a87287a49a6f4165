#include "ui/figure/colour_names.h"

#include <algorithm>

namespace ui {
namespace {

/// Letters and digits alone: other signs mean something to LaTeX.
QString wordOf(const QString& meaning) {
    QString name;
    bool capital = false;
    for (const QChar letter : meaning) {
        const bool plain = letter.unicode() < 0x80 && letter.isLetterOrNumber();
        if (plain)
            name += capital && !name.isEmpty() ? letter.toUpper() : letter;
        capital = !plain;
    }
    return name;
}

}  // namespace

QString ColourNames::nameOf(const QColor& colour, const QString& meaning) {
    const QString value = colour.name();
    const auto find = [&](auto member, const QString& wanted) {
        return std::find_if(m_known.begin(), m_known.end(), [&](const auto& entry) { return entry.*member == wanted; });
    };
    using Entry = std::pair<QString, QString>;
    if (const auto known = find(&Entry::second, value); known != m_known.end())
        return known->first;
    QString name = wordOf(meaning);
    if (name.isEmpty() || find(&Entry::first, name) != m_known.end())
        name += QStringLiteral("c") + value.mid(1).toUpper();
    m_known.emplace_back(name, value);
    return name;
}

}  // namespace ui
