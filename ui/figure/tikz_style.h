#pragma once

#include "ui/figure/colour_names.h"
#include "ui/figure/display_list.h"

#include <QString>

#include <optional>

namespace ui {

/// How TikZ draws fills and pens, their colours by name: a co-author changes "gemm" in one line at the top.
class TikzStyles {
public:
    QString colour(const QColor& colour, const QString& meaning = {}) { return m_colours.nameOf(colour, meaning); }

    /// The options that fill and outline a shape.
    QString options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                    const QString& meaning = {});
    QString pen(const FigurePen& pen, const QString& meaning = {});

    /// One \definecolor a line, of all colours that have been asked for.
    QString definitions() const;

private:
    ColourNames m_colours;
};

}  // namespace ui
