#pragma once

#include <QColor>
#include <QString>

#include <utility>
#include <vector>

namespace ui {

/// Names for the colours of a figure's sources, so that a co-author changes one in one line. Asking for a colour's name makes
/// it known.
class ColourNames {
public:
    /// What the colour is called. Where it has no name yet it gets that of `meaning`, "reduceScatterLight" for
    /// "reduce-scatter/light", or of what it looks like: "c404040".
    QString nameOf(const QColor& colour, const QString& meaning = {});

    /// In the order in which they became known, as "#rrggbb".
    const std::vector<std::pair<QString, QString>>& known() const { return m_known; }

private:
    std::vector<std::pair<QString, QString>> m_known;
};

}  // namespace ui
