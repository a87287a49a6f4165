#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_sheet.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

#include <string>
#include <vector>

namespace ui {

/// One thing that a legend explains.
struct LegendEntry {
    enum class Symbol : std::uint8_t { swatch, line, lineAndMarker, marker, reference };
    QString name;
    std::string meaning;
    Symbol symbol{};
    double width = 0;  ///< of symbol and name
};

/// The legend of a whole figure: series of the same name and meaning share an entry.
struct LegendPlan {
    std::vector<std::vector<LegendEntry>> rows;
    std::vector<double> columns;  ///< widths, where entries stand one below the other
    bool leftAligned = false;     ///< else rows are centred
    QSizeF size;
    bool empty() const { return rows.empty(); }
};

/// In as few rows as `width` allows, the rows as even as can be; at the right one entry in each row, top of a stack first.
LegendPlan planLegend(const data::FigureSpec& figure, double width, const FigureMeasure& measure);

/// With its upper left corner there.
void drawLegend(FigureSheet& sheet, const LegendPlan& plan, const QPointF& corner);

/// What short marks over bars are called where several have it before a colon ("Published: 1.30"); else nothing.
QString sharedNameOf(const std::vector<data::FigureReference>& references);

}  // namespace ui
