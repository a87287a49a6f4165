#pragma once

#include "ui/figure/display_list.h"

#include <QByteArray>
#include <QFont>
#include <QString>
#include <QStringList>

namespace ui {

/// Measures text in points as the bundled font has it: without hinting and at a large size that is scaled down, so that
/// neither a screen's resolution nor the installed fonts change where anything stands. Sizes are in points.
double textWidth(const QString& text, double size, TextWeight weight = TextWeight::regular);
double ascentOf(double size);
double descentOf(double size);
double lineHeightOf(double size);  ///< ascent and descent
double capHeightOf(double size);   ///< of capitals and digits: what the eye centres

/// The text in at most `lines` lines of at most `width`, broken after spaces, hyphens and slashes. Empty where that is
/// impossible.
QStringList wrapped(const QString& text, double width, int lines, double size, TextWeight weight = TextWeight::regular);

/// The same with lines about equally long.
QStringList evenlyWrapped(const QString& text, double width, int lines, double size,
                          TextWeight weight = TextWeight::regular);

/// Of all lines.
double widestOf(const QStringList& lines, double size, TextWeight weight = TextWeight::regular);

/// The bundled font as figures are measured and drawn with it: unhinted, at a size of its own far above any text's, so that
/// widths are those of the outlines. Scale by `size / kFigureFontSize`.
inline constexpr int kFigureFontSize = 100;
QFont figureFont(TextWeight weight);

/// The files of it, for writers that carry the font along.
QString figureFontFile(TextWeight weight);

/// From `at` to the left end of the baseline, before turning.
double leftEndOf(const TextItem& text);

/// A font with only the letters of `text`, kerning included: a tenth of the whole one. Empty where `font` is none.
QByteArray fontSubset(const QByteArray& font, const QString& text);

}  // namespace ui
