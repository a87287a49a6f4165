#include "ui/memory/memory_figure.h"

#include "data/figure/figure_size.h"
#include "data/replay/shown_run.h"
#include "ui/look/drawing_recorder.h"
#include "ui/look/format.h"
#include "ui/look/timeline_geometry.h"
#include "ui/memory/address_bar.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/memory_words.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr double kColumns = 400;  // at most
constexpr double kHeatWeight = 2;
// The address bits are scaled to the width of the plots, which leave room for axes and the scale of the heat map. So they
// are drawn this much narrower than the figure, and their texts stay as large as the others. In a column there is no room
// for names to the left of them.
constexpr double kBitsWidth = 0.82, kBitsWidthInColumn = 0.66;
constexpr double kBitsLeft = 7, kBitsLeftInColumn = 0.5;  // in lines of text

QString memoryFigureText(const char* text) { return QCoreApplication::translate("MemoryFigure", text); }

/// Builds the panels, which share the time axis.
class MemoryPanels {
public:
    MemoryPanels(const LapseWindow& window, data::TimeRange range, Heat heat)
        : m_memory(window.memory()), m_range(window.within(range)), m_heat(heat),
          m_unit(unitFor(kTimeUnits, static_cast<double>(range.end))) {
        for (std::size_t period = m_range.first; period < m_range.second; ++period)
            m_times.push_back(static_cast<double>(m_memory.periods().begin(period)) / m_unit.size);
        m_times.push_back(static_cast<double>(m_memory.periods().endOf(m_range.second - 1)) / m_unit.size);
    }

    std::vector<data::FigurePanel> take() && {
        addUse();
        if (m_memory.hasBanks())
            addHits();
        addHeat();
        if (m_memory.rows() > 1)
            addCamping();
        return std::move(m_panels);
    }

private:
    template <class Value>
    data::FigureValues valuesOf(const Value& value) const {
        data::FigureValues values;
        for (std::size_t period = m_range.first; period < m_range.second; ++period)
            values.push_back(value(period));
        return values;
    }
    data::FigurePanel& addPanel(const QString& title, const std::string& unit) {
        data::FigurePanel& panel = m_panels.emplace_back();
        panel.x = timeAxis();
        panel.y = {.title = title.toStdString(), .unit = unit};
        return panel;
    }
    data::FigureAxis timeAxis() const {
        return {.title = memoryFigureText("Time").toStdString(),
                .unit = m_unit.name,
                .from = m_times.front(),
                .to = m_times.back()};
    }
    /// Returns a line that keeps its value over each period.
    data::LineMark line(const QString& name, const std::string& meaning, const data::FigureValues& values) const {
        data::LineMark mark;
        mark.markers = false;
        data::FigureSeries series{.name = name.toStdString(), .meaning = meaning};
        for (std::size_t i = 0; i < values.size(); ++i)
            for (const std::size_t edge : {i, i + 1}) {
                mark.x.push_back(m_times[edge]);
                series.values.push_back(values[i]);
            }
        mark.series.push_back(std::move(series));
        return mark;
    }

    /// Returns names of the columns of the heat map: of some round times, so that they have room. The columns at the ends
    /// are too narrow for more than a digit.
    std::vector<std::string> columnNames() const {
        constexpr int kMostNames = 8;
        const data::Periods& periods = m_memory.periods();
        std::vector<std::string> names(m_range.second - m_range.first);
        for (const Tick& tick :
             timeTicks({periods.begin(m_range.first), periods.endOf(m_range.second - 1)}, kMostNames)) {
            const std::size_t column = periods.at(tick.ps) - m_range.first;
            const QString name = QString::number(static_cast<double>(tick.ps) / m_unit.size);
            if ((column > 0 && column + 1 < names.size()) || name.size() == 1)
                names[column] = name.toStdString();
        }
        return names;
    }

    void addUse() {
        data::FigurePanel& panel = addPanel(memoryFigureText("Of peak"), "%");
        panel.y.from = 0;
        panel.y.to = 100;
        const data::FigureValues used =
            valuesOf([&](std::size_t period) { return std::optional(100 * m_memory.utilisation(period)); });
        panel.marks.emplace_back(data::AreaMark{
            m_times,
            {{.name = memoryFigureText("Utilisation").toStdString(), .meaning = "neutral/light", .values = used}},
            true});
        panel.marks.emplace_back(line(memoryFigureText("Efficiency"), "exposed", valuesOf([&](std::size_t period) {
                                          return std::optional(100 * m_memory.efficiency(period));
                                      })));
    }
    void addHits() {
        data::FigurePanel& panel = addPanel(memoryFigureText("Row hits"), "%");
        panel.y.from = 0;
        panel.y.to = 100;
        panel.marks.emplace_back(line(memoryFigureText("Row hits"), "link", valuesOf([&](std::size_t period) {
                                          const auto hits = data::rowHitsOf(m_memory.sumAt(period));
                                          return hits ? std::optional(100 * *hits) : std::nullopt;
                                      })));
    }
    void addHeat() {
        data::FigurePanel& panel = m_panels.emplace_back();
        panel.weight = kHeatWeight;
        panel.y.title = (m_memory.areBanks() ? memoryFigureText("Bank") : memoryFigureText("Channel")).toStdString();
        panel.x.title = memoryFigureText("Time").toStdString();
        panel.x.unit = m_unit.name;
        data::HeatMark mark;
        mark.asImage = true;
        mark.from = 0;
        mark.valueTitle = nameOf(m_heat).toStdString();
        double most = 0;
        for (std::size_t row = 0; row < m_memory.rows(); ++row) {
            const data::BankPlace place = m_memory.areBanks() ? m_memory.bankAt(row) : data::BankPlace{};
            mark.rows.push_back(m_memory.areBanks() ? std::to_string(place.bank) + "." + std::to_string(place.group)
                                                    : std::to_string(row));
            for (std::size_t period = m_range.first; period < m_range.second; ++period) {
                const double value = heatOf(m_memory.at(row, period), m_heat, m_memory.periods().lengthOf(period));
                mark.values.push_back(value);
                most = std::max(most, value);
            }
        }
        if (m_heat == Heat::bytes) {
            constexpr double kKibi = 1024;
            mark.valueUnit = "KiB";
            for (std::optional<double>& value : mark.values)
                value = *value / kKibi;
        }
        panel.categories.labels = columnNames();
        panel.marks.emplace_back(std::move(mark));
    }
    void addCamping() {
        const data::FigureValues camping = valuesOf([&](std::size_t period) { return m_memory.camping(period); });
        if (std::ranges::none_of(camping, [](const auto& value) { return value.has_value(); }))
            return;
        data::FigurePanel& panel = addPanel(memoryFigureText("Camping"), "");
        panel.y.relativeTo = memoryFigureText("Mean of all").toStdString();
        panel.y.scale = data::FigureScale::logarithmic;
        panel.y.from = 1;
        panel.y.to = std::max(4.0, static_cast<double>(m_memory.rows()));
        panel.marks.emplace_back(line(memoryFigureText("Busiest / mean"), "dma", camping));
    }

    const data::TimeLapse& m_memory;
    std::pair<std::size_t, std::size_t> m_range;
    Heat m_heat;
    const ScaledUnit& m_unit;
    std::vector<double> m_times;  // edges of the periods, in the unit of the axis
    std::vector<data::FigurePanel> m_panels;
};

data::DrawingMark drawnBits(const engine::Experiment& experiment, data::FigureSize size, data::FigureTheme theme) {
    AddressBar bar;
    bar.setPalette(widgetPalette(windowTheme(theme)));
    bar.setFont(figureFont(size));
    bar.showExperiment(experiment, std::nullopt);
    const double line = QFontMetricsF(bar.font()).height();
    const bool isColumn = data::isColumn(size);
    bar.setLeft(line * (isColumn ? kBitsLeftInColumn : kBitsLeft));
    const double width = data::presetOf(size).width * (isColumn ? kBitsWidthInColumn : kBitsWidth);
    bar.resize(static_cast<int>(width / DrawingRecorder::pointsPerDot()),
               static_cast<int>(std::ceil(line * AddressBar::heightInLines())));
    const data::DrawingMark drawing = bar.drawing().value_or(data::DrawingMark{});
    return theme == data::FigureTheme::greyPrint ? greyed(drawing) : drawing;
}

}  // namespace

std::optional<FigureOffer> memoryFigure(const MemoryView& view, const ViewState& viewState, const RingMoment& moment) {
    if (!view.hasRun())
        return std::nullopt;
    const data::TimeRange range =
        withinRun(viewState.range(), data::lapseEnd(moment.log().trace(), moment.focusedGpu()));
    if (range.start >= range.end)
        return std::nullopt;
    LapseWindow window;
    window.show(*moment.run(), moment.focusedGpu(), view.page(), range, kColumns);
    FigureOffer offer;
    data::FigureSpec& figure = offer.figure;
    figure.size = data::FigureSize::acmText;
    figure.panels = MemoryPanels(window, range, view.heat()).take();
    // The bits stand above the strips. The figure has the mapping of its run, whatever is being edited.
    const engine::Experiment experiment = moment.run()->run.experiment;
    if (engine::hasAddressMapping(experiment)) {
        offer.redraw = [experiment](data::FigureSize size, data::FigureTheme theme) {
            return drawnBits(experiment, size, theme);
        };
        data::FigurePanel panel;
        panel.marks.emplace_back(data::DrawingMark{});
        figure.panels.insert(figure.panels.begin(), std::move(panel));
        redraw(figure, offer.redraw);
    }
    const QString run = QString::fromStdString(moment.run()->run.name);
    const MomentFigureWords words = view.wordsOfFigure(run);
    figure.name = fileNameOf(QStringLiteral("%1 %2").arg(words.word, run)).toStdString();
    figure.title = words.title.toStdString();
    const QString period = memoryFigureText(" A period lasts %1.").arg(periodName(window.periods().length));
    figure.caption = (words.caption + period).toStdString();
    figure.alternative = words.alternative.toStdString();
    figure.provenance = provenanceOf(*moment.run(), words.moment);
    return offer;
}

}  // namespace ui
