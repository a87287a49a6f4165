#pragma once

#include "ui/look/texture.h"

#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace ui {

struct FillLegendEntry {
    QString text;
    Fill fill;
    bool framed = false;  ///< with an outline in the colour of the words, for what is as light as the background
};

/// Paints swatches with their words from the top left of `area`, in as many lines as its width takes. Returns the height
/// that they take. Without a `painter` it only measures.
double paintFillLegend(QPainter* painter, const QRectF& area, const std::vector<FillLegendEntry>& entries,
                       const QFont& font, const QColor& ink);

}  // namespace ui
