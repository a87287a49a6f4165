#include "ui/look/tile_style.h"

#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <cmath>
#include <utility>
#include <vector>

namespace ui {
namespace {

QString stateTr(const char* text) { return QCoreApplication::translate("TileState", text); }

QColor lighter(const QColor& color, double share) { return Palette::mixed(color, Qt::white, share); }
QColor darker(const QColor& color, double share) { return Palette::mixed(color, Qt::black, share); }

constexpr double kRow = 1.5;  // in lines of text
constexpr double kAfterSwatch = 0.4;

/// Widths in lines of text.
struct Spacing {
    double swatch = 1.5;  ///< width
    double afterName = 1.3;
};

/// Smaller widths, used if they save a row.
constexpr Spacing kTight{1, 0.6};

struct Places {
    Spacing spacing;
    std::vector<std::pair<int, double>> entries;  ///< start of each state's entry: row and x
    int rows() const { return entries.back().first + 1; }
};

Places placesWith(const Spacing& spacing, const TileWords& words, double width, const QFontMetricsF& metrics) {
    Places places{spacing, {}};
    const double line = metrics.height();
    int row = 0;
    double x = 0;
    for (const data::TileState state : kAllTileStates) {
        const double extent = (spacing.swatch + kAfterSwatch) * line + metrics.horizontalAdvance(words.nameOf(state));
        if (x > 0 && x + extent > width) {
            ++row;
            x = 0;
        }
        places.entries.emplace_back(row, x);
        x += extent + spacing.afterName * line;
    }
    return places;
}

Places placesIn(const TileWords& words, double width, const QFontMetricsF& metrics) {
    Places roomy = placesWith({}, words, width, metrics);
    Places tight = placesWith(kTight, words, width, metrics);
    return tight.rows() < roomy.rows() ? tight : roomy;
}

}  // namespace

TileWords::TileWords(const engine::Experiment& experiment)
    : m_reduces(engine::runPartsOf(experiment).reduceScatter),
      m_updates(experiment.collective.reduction == engine::Reduction::nmc),
      m_dataFromStart(engine::runPartsOf(experiment).startsWithData()) {}

QString TileWords::nameOf(data::TileState state) const {
    switch (state) {
    case data::TileState::notProduced: return m_dataFromStart ? stateTr("not here yet") : stateTr("not produced");
    case data::TileState::stored: return stateTr("stored");
    case data::TileState::oneUpdate:
        return m_dataFromStart          ? stateTr("own input")
               : m_updates && m_reduces ? stateTr("one update")
                                        : stateTr("incomplete");
    case data::TileState::ready: return stateTr("ready");
    case data::TileState::inFlight: return stateTr("in flight");
    case data::TileState::sent: return stateTr("sent");
    case data::TileState::reduced: return m_reduces ? stateTr("reduced") : stateTr("complete");
    }
    return {};
}

QString TileWords::meaningOf(data::TileState state) const {
    switch (state) {
    case data::TileState::notProduced:
        return m_dataFromStart ? stateTr("has not arrived from its GPU") : stateTr("its workgroup has not stored it");
    case data::TileState::stored: return stateTr("computed, on its way to memory or to the neighbour");
    case data::TileState::oneUpdate:
        return m_dataFromStart ? stateTr("the data of this GPU from the start; the rest has not arrived")
                               : stateTr("one contribution has landed, another is missing");
    case data::TileState::ready:
        return m_reduces ? stateTr("all contributions have landed; waits for its transfer")
                         : stateTr("complete here; waits for its transfer");
    case data::TileState::inFlight: return stateTr("is being read and sent to the neighbour");
    case data::TileState::sent: return stateTr("has been sent to the neighbour");
    case data::TileState::reduced: return stateTr("whole and final on this GPU");
    }
    return {};
}

Fill fillOf(data::TileState state, const Palette& colors) {
    switch (state) {
    case data::TileState::notProduced: break;
    case data::TileState::stored: {
        const QColor color = darker(colors.of(Role::gemm), 0.12);
        return {color, lighter(color, 0.28), Texture::falling};
    }
    case data::TileState::oneUpdate: {
        const QColor color = colors.of(Role::reduceScatter);
        return {color, darker(color, 0.3), Texture::rising};
    }
    case data::TileState::ready: {
        const QColor color = colors.of(Role::tracker);
        return {color, darker(color, 0.38), Texture::crossed};
    }
    case data::TileState::inFlight: {
        const QColor color = colors.of(Role::dma);
        return {color, darker(color, 0.42), Texture::rows};
    }
    case data::TileState::sent: {
        const QColor color = lighter(colors.of(Role::link), 0.42);
        return {color, darker(color, 0.22), Texture::dots};
    }
    case data::TileState::reduced: {
        const QColor color = darker(colors.of(Role::allGather), 0.12);
        return {color, color, Texture::plain};
    }
    }
    return {colors.theme == Theme::dark ? colors.stripe : colors.surface, colors.line, Texture::plain};
}

double tileLegendHeight(const TileWords& words, double width, const QFontMetricsF& metrics) {
    return placesIn(words, width, metrics).rows() * kRow * metrics.height();
}

void paintTileLegend(QPainter& painter, const QRectF& box, const TileWords& words, const Palette& colors) {
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const Places places = placesIn(words, box.width(), metrics);
    const auto& where = places.entries;
    for (std::size_t i = 0; i < where.size(); ++i) {
        const double top = std::round(box.top() + where[i].first * kRow * line);
        const double left = std::round(box.left() + where[i].second);
        const QRectF swatch(left, top + std::round(line * 0.25), std::round(line * places.spacing.swatch),
                            std::round(line));
        paintFill(painter, swatch, fillOf(kAllTileStates[i], colors), textureSpacing(line));
        painter.setPen(colors.inkFaint);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(colors.inkSoft);
        painter.drawText(QPointF(swatch.right() + kAfterSwatch * line, swatch.center().y() + metrics.ascent() * 0.38),
                         words.nameOf(kAllTileStates[i]));
    }
}

double textureSpacing(double line) { return std::max(4.0, std::round(line * 0.42)); }

TileStamps tileStamps(const Palette& colors, int spacing) {
    TileStamps stamps;
    for (const data::TileState state : kAllTileStates)
        stamps[static_cast<std::size_t>(state)] = fillStamp(fillOf(state, colors), spacing);
    return stamps;
}

}  // namespace ui
