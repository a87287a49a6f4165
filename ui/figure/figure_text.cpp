#include "ui/figure/figure_text.h"

#include "ui/figure/figure_font.h"

#include <QFontMetricsF>

#include <algorithm>

namespace ui {
namespace {

const QFontMetricsF& metricsOf(TextWeight weight) {
    static const QFontMetricsF kRegular(figureFont(TextWeight::regular));
    static const QFontMetricsF kSemiBold(figureFont(TextWeight::semiBold));
    static const QFontMetricsF kBold(figureFont(TextWeight::bold));
    return weight == TextWeight::bold ? kBold : weight == TextWeight::semiBold ? kSemiBold : kRegular;
}

double scaled(double measured, double size) { return measured * size / kFigureFontSize; }

QStringList piecesOf(const QString& text) {
    QStringList pieces;
    QString piece;
    for (const QChar letter : text) {
        piece += letter;
        if (letter == QLatin1Char(' ') || letter == QLatin1Char('-') || letter == QLatin1Char('/')) {
            pieces << piece;
            piece.clear();
        }
    }
    if (!piece.isEmpty())
        pieces << piece;
    return pieces;
}

}  // namespace

double textWidth(const QString& text, double size, TextWeight weight) {
    return scaled(metricsOf(weight).horizontalAdvance(text), size);
}

double ascentOf(double size) { return scaled(metricsOf(TextWeight::regular).ascent(), size); }
double descentOf(double size) { return scaled(metricsOf(TextWeight::regular).descent(), size); }
double lineHeightOf(double size) { return ascentOf(size) + descentOf(size); }
double capHeightOf(double size) { return scaled(metricsOf(TextWeight::regular).capHeight(), size); }

QStringList wrapped(const QString& text, double width, int lines, double size, TextWeight weight) {
    QStringList result;
    QString line;
    for (const QString& piece : piecesOf(text)) {
        if (!line.isEmpty() && textWidth((line + piece).trimmed(), size, weight) > width) {
            result << line.trimmed();
            line.clear();
        }
        line += piece;
        if (textWidth(line.trimmed(), size, weight) > width)
            return {};
    }
    result << line.trimmed();
    return result.size() > lines ? QStringList() : result;
}

double widestOf(const QStringList& lines, double size, TextWeight weight) {
    double widest = 0;
    for (const QString& line : lines)
        widest = std::max(widest, textWidth(line, size, weight));
    return widest;
}

}  // namespace ui
