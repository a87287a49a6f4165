#include "ui/figure/figure_text.h"

#include "ui/figure/figure_font.h"

#include <QFontMetricsF>
#include <QHash>

#include <algorithm>
#include <array>
#include <cstddef>

namespace ui {
namespace {

constexpr int kMostKnown = 4096;

const QFontMetricsF& metricsOf(TextWeight weight) {
    static const QFontMetricsF kRegular(figureFont(TextWeight::regular));
    static const QFontMetricsF kSemiBold(figureFont(TextWeight::semiBold));
    static const QFontMetricsF kBold(figureFont(TextWeight::bold));
    return weight == TextWeight::bold ? kBold : weight == TextWeight::semiBold ? kSemiBold : kRegular;
}

double scaled(double measured, double size) { return measured * size / kFigureFontSize; }

/// Where a line may break: after spaces, and after hyphens and slashes that do not part a number or letter from its word.
QStringList piecesOf(const QString& text) {
    QStringList pieces;
    qsizetype begin = 0;
    for (qsizetype i = 0; i + 1 < text.size(); ++i) {
        const bool joint = text[i] == QLatin1Char('-') || text[i] == QLatin1Char('/');
        const bool parts = joint && i - begin >= 2 && text.size() - i > 3;
        if (text[i] == QLatin1Char(' ') || parts) {
            pieces << text.mid(begin, i + 1 - begin);
            begin = i + 1;
        }
    }
    return pieces << text.mid(begin);
}

}  // namespace

double textWidth(const QString& text, double size, TextWeight weight) {
    // The same few words are measured again and again while rooms are settled.
    thread_local std::array<QHash<QString, double>, 3> known;
    QHash<QString, double>& widths = known[static_cast<std::size_t>(weight)];
    auto found = widths.constFind(text);
    if (found == widths.constEnd()) {
        if (widths.size() > kMostKnown)
            widths.clear();
        found = widths.insert(text, metricsOf(weight).horizontalAdvance(text));
    }
    return scaled(*found, size);
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

QStringList evenlyWrapped(const QString& text, double width, int lines, double size, TextWeight weight) {
    QStringList best = wrapped(text, width, lines, size, weight);
    for (double narrower = width * 0.95; !best.isEmpty() && narrower > width * 0.3; narrower -= width * 0.05) {
        const QStringList even = wrapped(text, narrower, static_cast<int>(best.size()), size, weight);
        if (even.isEmpty())
            break;
        best = even;
    }
    return best;
}

double widestOf(const QStringList& lines, double size, TextWeight weight) {
    double widest = 0;
    for (const QString& line : lines)
        widest = std::max(widest, textWidth(line, size, weight));
    return widest;
}

}  // namespace ui
