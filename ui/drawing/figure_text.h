#pragma once

#include "ui/drawing/display_list.h"

#include <QByteArray>
#include <QFont>
#include <QString>
#include <QStringList>

namespace ui {

/// Measures text in points with a bundled font: without hinting and at a large size that is scaled down, so that the
/// result depends neither on the screen's resolution nor on installed fonts.
double textWidth(const QString& text, TextSize size, TextWeight weight = TextWeight::regular);
double ascentOf(TextSize size);
double descentOf(TextSize size);
double lineHeightOf(TextSize size);  ///< ascent and descent
double capHeightOf(TextSize size);   ///< height of capitals and digits, used for vertical centring

/// Breaks a text into at most `lines` lines of at most `width`, after spaces, hyphens and slashes. Returns an empty
/// list if that is impossible.
QStringList wrapped(const QString& text, double width, int lines, TextSize size,
                    TextWeight weight = TextWeight::regular);

/// Breaks a text like wrapped(), into lines of about equal length.
QStringList evenlyWrapped(const QString& text, double width, int lines, TextSize size,
                          TextWeight weight = TextWeight::regular);

/// Returns the width of the longest line.
double widestOf(const QStringList& lines, TextSize size, TextWeight weight = TextWeight::regular);

/// A bundled font with which figures are measured and drawn: unhinted, at a fixed size far larger than any text, so
/// that widths are those of the outlines. Scale by `size / kFigureFontSize`.
inline constexpr int kFigureFontSize = 100;
QFont figureFont(data::FigureFont font, TextWeight weight);

/// Returns the family of a font, and families that look like it, for programs that do not have it.
QStringList familiesLike(data::FigureFont font);

/// Returns the font's file, for writers that embed the font. A font without a semi-bold style has its bold one there.
QString figureFontFile(data::FigureFont font, TextWeight weight);

/// Returns the font's file as TrueType, for scripts that embed nothing else. Bold is drawn as semi-bold.
QString trueTypeFile(data::FigureFont font, TextWeight weight);

/// Returns the distance from `at` to the left end of the baseline, before rotation.
double leftEndOf(const TextItem& text);

/// Returns a font with only the letters of `text`, including kerning; it has about a tenth of the size. Returns no
/// bytes if `font` is not a font.
QByteArray fontSubset(const QByteArray& font, const QString& text);

}  // namespace ui
