#pragma once

#include "ui/drawing/display_list.h"

#include <QByteArray>
#include <QFont>
#include <QString>
#include <QStringList>

namespace ui {

/// Measures text in points with the bundled font: without hinting and at a large size that is scaled down, so that the
/// result depends neither on the screen's resolution nor on installed fonts. Sizes are in points.
double textWidth(const QString& text, double size, TextWeight weight = TextWeight::regular);
double ascentOf(double size);
double descentOf(double size);
double lineHeightOf(double size);  ///< ascent and descent
double capHeightOf(double size);   ///< height of capitals and digits, used for vertical centring

/// Breaks a text into at most `lines` lines of at most `width`, after spaces, hyphens and slashes. Returns an empty
/// list if that is impossible.
QStringList wrapped(const QString& text, double width, int lines, double size, TextWeight weight = TextWeight::regular);

/// Breaks a text like wrapped(), into lines of about equal length.
QStringList evenlyWrapped(const QString& text, double width, int lines, double size,
                          TextWeight weight = TextWeight::regular);

/// Returns the width of the longest line.
double widestOf(const QStringList& lines, double size, TextWeight weight = TextWeight::regular);

/// The bundled font with which figures are measured and drawn: unhinted, at a fixed size far larger than any text, so
/// that widths are those of the outlines. Scale by `size / kFigureFontSize`.
inline constexpr int kFigureFontSize = 100;
QFont figureFont(TextWeight weight);

/// Returns the font's file, for writers that embed the font.
QString figureFontFile(TextWeight weight);

/// Returns the distance from `at` to the left end of the baseline, before rotation.
double leftEndOf(const TextItem& text);

/// Returns a font with only the letters of `text`, including kerning; it has about a tenth of the size. Returns no
/// bytes if `font` is not a font.
QByteArray fontSubset(const QByteArray& font, const QString& text);

}  // namespace ui
