#include "ui/drawing/figure_text.h"

#include "data/figure/figure_size.h"

#include <QFile>
#include <QFontMetricsF>
#include <QHash>
#include <QList>
#include <hb-subset.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace ui {
namespace {

constexpr int kMostKnown = 4096;

constexpr std::size_t kWeights = 3;
constexpr std::array<const char*, kWeights> kStyles{"Regular", "SemiBold", "Bold"};

std::size_t indexOf(data::FigureFont font, TextWeight weight) {
    return static_cast<std::size_t>(font) * kWeights + static_cast<std::size_t>(weight);
}

const QFontMetricsF& metricsOf(data::FigureFont font, TextWeight weight = TextWeight::regular) {
    static const std::vector<QFontMetricsF> kMetrics = [] {
        std::vector<QFontMetricsF> metrics;
        for (const data::FigureFontPreset& preset : data::figureFonts()) {
            for (const TextWeight each : {TextWeight::regular, TextWeight::semiBold, TextWeight::bold})
                metrics.emplace_back(figureFont(preset.font, each));
        }
        return metrics;
    }();
    return kMetrics[indexOf(font, weight)];
}

/// Returns the file of a style if it is bundled with this ending.
QString bundled(data::FigureFont font, const char* style, const char* ending) {
    const std::string_view family = data::presetOf(font).family;
    const QString name = QString::fromUtf8(family.data(), static_cast<qsizetype>(family.size())).remove(u' ');
    const QString file = QStringLiteral(":/fonts/%1-%2.%3").arg(name, QLatin1String(style), QLatin1String(ending));
    return QFile::exists(file) ? file : QString();
}

double scaled(double measured, TextSize size) { return measured * size / kFigureFontSize; }

/// Splits a text where a line may break: after spaces, and after hyphens and slashes unless that would separate a short
/// piece, such as a number or a letter, from its word.
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

template <auto destroy>
struct Destroy {
    template <class T>
    void operator()(T* held) const {
        destroy(held);
    }
};
using Blob = std::unique_ptr<hb_blob_t, Destroy<hb_blob_destroy>>;
using Face = std::unique_ptr<hb_face_t, Destroy<hb_face_destroy>>;
using Input = std::unique_ptr<hb_subset_input_t, Destroy<hb_subset_input_destroy>>;

}  // namespace

double textWidth(const QString& text, TextSize size, TextWeight weight) {
    // A cache: each pass of the layout measures the same few texts again.
    thread_local std::vector<QHash<QString, double>> known(data::figureFonts().size() * kWeights);
    QHash<QString, double>& widths = known[indexOf(size.font, weight)];
    auto found = widths.constFind(text);
    if (found == widths.constEnd()) {
        if (widths.size() > kMostKnown)
            widths.clear();
        found = widths.insert(text, metricsOf(size.font, weight).horizontalAdvance(text));
    }
    return scaled(*found, size);
}

double ascentOf(TextSize size) { return scaled(metricsOf(size.font).ascent(), size); }
double descentOf(TextSize size) { return scaled(metricsOf(size.font).descent(), size); }
double lineHeightOf(TextSize size) { return ascentOf(size) + descentOf(size); }
double capHeightOf(TextSize size) { return scaled(metricsOf(size.font).capHeight(), size); }

QStringList wrapped(const QString& text, double width, int lines, TextSize size, TextWeight weight) {
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

QStringList evenlyWrapped(const QString& text, double width, int lines, TextSize size, TextWeight weight) {
    QStringList best = wrapped(text, width, lines, size, weight);
    for (double narrower = width * 0.95; !best.isEmpty() && narrower > width * 0.3; narrower -= width * 0.05) {
        const QStringList even = wrapped(text, narrower, static_cast<int>(best.size()), size, weight);
        if (even.isEmpty())
            break;
        best = even;
    }
    return best;
}

double widestOf(const QStringList& lines, TextSize size, TextWeight weight) {
    double widest = 0;
    for (const QString& line : lines)
        widest = std::max(widest, textWidth(line, size, weight));
    return widest;
}

QFont figureFont(data::FigureFont font, TextWeight weight) {
    const std::string_view family = data::presetOf(font).family;
    QFont result(QString::fromUtf8(family.data(), static_cast<qsizetype>(family.size())));
    result.setPixelSize(kFigureFontSize);
    result.setHintingPreference(QFont::PreferNoHinting);
    result.setStyleStrategy(QFont::PreferOutline);
    result.setWeight(weight == TextWeight::bold       ? QFont::Bold
                     : weight == TextWeight::semiBold ? QFont::DemiBold
                                                      : QFont::Normal);
    return result;
}

QStringList familiesLike(data::FigureFont font) {
    QStringList families{figureFont(font, TextWeight::regular).family()};
    switch (font) {
    case data::FigureFont::ringsideSans: families << QStringLiteral("Inter"); [[fallthrough]];
    case data::FigureFont::helvetica: return families << QStringLiteral("Helvetica") << QStringLiteral("Arial");
    case data::FigureFont::libertine:
        families << QStringLiteral("Linux Libertine O") << QStringLiteral("Libertinus Serif");
        [[fallthrough]];
    case data::FigureFont::times: return families << QStringLiteral("Times") << QStringLiteral("Times New Roman");
    }
    return families;
}

QString figureFontFile(data::FigureFont font, TextWeight weight) {
    for (std::size_t style = static_cast<std::size_t>(weight); style < kWeights; ++style) {
        for (const char* ending : {"otf", "ttf"}) {
            if (const QString file = bundled(font, kStyles[style], ending); !file.isEmpty())
                return file;
        }
    }
    return {};
}

QString trueTypeFile(data::FigureFont font, TextWeight weight) {
    if (weight == TextWeight::regular)
        return bundled(font, "Regular", "ttf");
    const QString file = bundled(font, "SemiBold", "ttf");
    return file.isEmpty() ? bundled(font, "Bold", "ttf") : file;
}

double leftEndOf(const TextItem& text) {
    if (text.align == TextAlign::left)
        return 0;
    return text.align == TextAlign::centre ? -text.width / 2 : -text.width;
}

QByteArray fontSubset(const QByteArray& font, const QString& text) {
    const Blob blob(hb_blob_create(font.constData(), static_cast<unsigned>(font.size()), HB_MEMORY_MODE_READONLY,
                                   nullptr, nullptr));
    const Face face(hb_face_create(blob.get(), 0));
    const Input input(hb_subset_input_create_or_fail());
    if (!input || hb_face_get_glyph_count(face.get()) == 0)
        return {};
    hb_set_t* letters = hb_subset_input_unicode_set(input.get());
    for (const uint letter : text.toUcs4())
        hb_set_add(letters, letter);
    const Face subset(hb_subset_or_fail(face.get(), input.get()));
    if (!subset)
        return {};
    const Blob result(hb_face_reference_blob(subset.get()));
    unsigned length = 0;
    const char* bytes = hb_blob_get_data(result.get(), &length);
    return {bytes, static_cast<qsizetype>(length)};
}

}  // namespace ui
