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
    bool framed = false;  ///< outlined in the colour of the text, for a fill that is as light as the background
};

/// Paints swatches with their texts from the top left of `area`, on as many lines as its width requires. Returns the
/// height of these lines. Without a `painter` it only measures.
double paintFillLegend(QPainter* painter, const QRectF& area, const std::vector<FillLegendEntry>& entries,
                       const QFont& font, const QColor& ink);

}  // namespace ui
