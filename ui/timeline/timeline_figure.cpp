#include "ui/timeline/timeline_figure.h"

#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/run_words.h"
#include "ui/shared/figure_offer.h"
#include "ui/timeline/row_items.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace ui {
namespace {

using engine::CounterKind;

constexpr double kDots = 2000;         // width of a page's column at 600 dots per inch
constexpr double kColumns = 240;       // of areas: one per point
constexpr double kBand = 10'000;       // height in which rows are drawn; shares are read from it
constexpr double kLaneHeight = 11;     // points, as are the next five
constexpr double kColumn = 200;        // width of the lanes in a page's column
constexpr double kLetter = 3;          // mean width of a letter on a span
constexpr double kAreaHeight = 62;     // including the numbers below the area
constexpr double kLanesAround = 26;    // height of the time axis and its title
constexpr double kAround = 30;         // height of the legend
constexpr std::size_t kMostAreas = 6;  // panels below the lanes: a page has no room for more

constexpr const char* kEmptySlots = "empty-slots";  // name of a meaning

QString figureTr(const char* text) { return QCoreApplication::translate("TimelineFigure", text); }

// In the order of Role.
constexpr std::array kMeanings{"gemm",    "reduce-scatter", "all-gather", "dma",    "link",
                               "tracker", "exposed",        "neutral",    "neutral"};
static_assert(kMeanings.size() == static_cast<std::size_t>(Role::neutral) + 1);

std::string meaningOf(Role role, bool shaded) {
    const std::string meaning = kMeanings[static_cast<std::size_t>(role)];
    return shaded ? meaning + "/light" : meaning;
}

// Returns the meaning of a kernel's fill: that of its part of the run or, for copies of a companion, that of a series.
// Without a kernel, returns the meaning of the role.
std::string meaningOf(Role role, std::optional<data::KernelNumber> kernel, bool shaded) {
    if (!kernel)
        return meaningOf(role, shaded);
    if (*kernel < data::kFirstCopy)
        return meaningOf(*kernel == data::kGemmKernel ? Role::gemm : Role::reduceScatter, shaded);
    constexpr int kFirstSeries = 8;  // the colours of earlier series look like those of the parts of a run
    return "series/" + std::to_string(kFirstSeries + *kernel);
}

/// Builds the figure row by row.
class FigureBuilder {
public:
    FigureBuilder(const TimelineModel& model, data::TimeRange range)
        : m_model(model), m_range(range), m_fine{range, 0, kDots, 1}, m_coarse{range, 0, kColumns, 1},
          m_fineColumns(m_fine, 0, model.end()), m_coarseColumns(m_coarse, 0, model.end()),
          m_unit(unitFor(kTimeUnits, static_cast<double>(range.end))) {}

    void add(const Row& row) {
        switch (row.kind) {
        case RowKind::waves: return addWaves(row);
        case RowKind::tracker:
            return addCounters(row, {{CounterKind::trackerEntries, Role::tracker, figureTr("held workgroups")}},
                               figureTr("entries"), 1);
        case RowKind::queues:
            return addCounters(
                row,
                {{CounterKind::computeBacklog, Role::gemm, figureTr("compute stream")},
                 {CounterKind::communicationBacklog, Role::reduceScatter, figureTr("communication stream")}},
                QStringLiteral("KiB"), 1024);
        default: return addSpansOrBusy(row);
        }
    }

    data::FigureSpec figure() &&;

private:
    struct Counter {
        CounterKind kind;
        Role role;
        QString name;
    };

    double timeOf(double ps) const { return ps / m_unit.size; }
    double timeAt(double dot) const {
        return timeOf(static_cast<double>(m_range.start) + dot / kDots * static_cast<double>(m_range.span()));
    }
    QString nameOf(const Row& row) const;
    std::size_t addLane(const Row& row, bool named);
    /// Adds the part of a span that is in the figure's range, if any.
    void addSpan(std::size_t lane, data::TimeRange time, const std::string& meaning, const std::string& text);
    void addWaves(const Row& row);
    void addPieces(const Row& row);
    void addEmptySlots(const Row& row);
    std::string waveText(std::uint32_t gpu, const engine::Span& wave) const;
    void addSpansOrBusy(const Row& row);
    void addItems(const Row& row, const std::vector<DrawItem>& items, const std::vector<DrawGap>& gaps);
    void addCounters(const Row& row, const std::vector<Counter>& counters, const QString& unit, double scale);
    void addArea(const Row& row, const DrawArea& area);
    data::FigurePanel* newPanel(const Row& row, const QString& unit);
    std::vector<double> coarseTimes() const;
    data::FigureAxis timeAxis() const;

    const TimelineModel& m_model;
    data::TimeRange m_range;
    TimelineGeometry m_fine, m_coarse;
    PixelColumns m_fineColumns, m_coarseColumns;
    const ScaledUnit& m_unit;
    data::TimelineMark m_lanes;
    std::vector<data::FigurePanel> m_areas;
    std::size_t m_leftOut = 0;
    QStringList m_says;  ///< texts about pieces and empty slots
};

QString FigureBuilder::nameOf(const Row& row) const {
    if (!row.compact)
        return row.label;
    return row.kind == RowKind::waves       ? figureTr("compute")
           : row.kind == RowKind::companion ? figureTr("companion")
                                            : figureTr("collective");
}

std::size_t FigureBuilder::addLane(const Row& row, bool named) {
    const QString group = m_model.isBound() ? QString() : figureTr("GPU %1").arg(row.gpu);
    m_lanes.lanes.push_back({named ? nameOf(row).toStdString() : std::string(), group.toStdString()});
    return m_lanes.lanes.size() - 1;
}

void FigureBuilder::addWaves(const Row& row) {
    const std::size_t lane = addLane(row, true);
    const bool isShared = m_model.inCompany();
    for (const engine::Span& span : m_model.waves(row.gpu).spans) {
        addSpan(lane, {span.start.ps, span.end.ps}, meaningOf(Role::gemm, span.first % 2 == 1),
                isShared ? std::string() : waveText(row.gpu, span));
    }
    if (row.compact)
        return;
    addPieces(row);
    addEmptySlots(row);
}

// Adds a lane whose spans end where pieces of the GEMM end. The pieces themselves overlap in time if they have several
// queues.
void FigureBuilder::addPieces(const Row& row) {
    std::vector<data::GemmPiece> pieces = m_model.pieces(row.gpu);
    if (pieces.empty())
        return;
    std::ranges::sort(pieces, {}, [](const data::GemmPiece& piece) { return piece.time.end; });
    m_lanes.lanes.push_back({figureTr("ends of pieces").toStdString(), m_lanes.lanes.back().group});
    std::int64_t from = pieces.front().time.start;
    for (const data::GemmPiece& piece : pieces) {
        addSpan(m_lanes.lanes.size() - 1, {from, piece.time.end}, meaningOf(Role::gemm, piece.number % 2 == 1),
                std::to_string(piece.number + 1));
        from = piece.time.end;
    }
    const QString says =
        figureTr("The GEMM is launched in %1 pieces; piece by piece its output is in memory where a span of the lane "
                 "\"ends of pieces\" ends")
            .arg(pieces.size());
    if (!m_says.contains(says))
        m_says << says;
}

// Returns the longest form of a wave's name for which its span has room in a page's column, else the number. The figure
// does not draw a text that is too long for its span.
std::string FigureBuilder::waveText(std::uint32_t gpu, const engine::Span& wave) const {
    const data::TraceIndex::Gpu& waves = m_model.index()->gpu(gpu);
    const QString number = QString::number(wave.first - waves.firstWave + 1);
    const double room = static_cast<double>((wave.end - wave.start).ps) / static_cast<double>(m_range.span()) * kColumn;
    for (const QString& text : {waveName(waves, wave), figureTr("wave %1").arg(number)}) {
        if (static_cast<double>(text.size()) * kLetter < room)
            return text.toStdString();
    }
    return number.toStdString();
}

// Adds a lane for empty slots, because in a figure a wave is as high as its lane however many slots it fills.
void FigureBuilder::addEmptySlots(const Row& row) {
    const data::LastWave& last = m_model.lastWave(row.gpu);
    if (!last.hasEmptySlots() || last.time.start >= m_range.end || last.time.end <= m_range.start)
        return;
    m_lanes.lanes.push_back({figureTr("empty slots").toStdString(), m_lanes.lanes.back().group});
    const std::string text = figureTr("%1 of %2 empty").arg(last.empty.size()).arg(last.slots).toStdString();
    addSpan(m_lanes.lanes.size() - 1, last.time, kEmptySlots, text);
    if (!m_says.contains(emptySlotsText(last)))
        m_says << emptySlotsText(last);
}

void FigureBuilder::addSpan(std::size_t lane, data::TimeRange time, const std::string& meaning,
                            const std::string& text) {
    const std::int64_t from = std::max(time.start, m_range.start), to = std::min(time.end, m_range.end);
    if (to > from)
        m_lanes.spans.push_back(
            {lane, timeOf(static_cast<double>(from)), timeOf(static_cast<double>(to)), meaning, text});
}

void FigureBuilder::addSpansOrBusy(const Row& row) {
    DrawList fine;
    appendRow(m_model, row, {0, kBand}, m_fine, m_fineColumns, fine);
    if (fine.areas.empty())
        return addItems(row, fine.items, fine.gaps);
    DrawList coarse;
    appendRow(m_model, row, {0, kBand}, m_coarse, m_coarseColumns, coarse);
    if (!coarse.areas.empty())
        addArea(row, coarse.areas.front());
}

// Adds one lane for each track, so that spans which overlap in time do not cover each other.
void FigureBuilder::addItems(const Row& row, const std::vector<DrawItem>& items, const std::vector<DrawGap>& gaps) {
    std::set<double> tracks;
    for (const DrawItem& item : items)
        tracks.insert(item.y);
    for (const DrawGap& gap : gaps)
        tracks.insert(gap.y);
    if (tracks.empty())
        addLane(row, true);  // an empty lane shows that the resource is idle in this range
    for (const double track : tracks) {
        const std::size_t lane = addLane(row, track == *tracks.begin());
        for (const DrawItem& item : items) {
            const double left = std::max(0.0, item.x);
            const double right = std::min(kDots, item.x + item.width);
            if (item.y != track || right <= left)
                continue;
            const std::string meaning = meaningOf(item.role, item.kernel, item.shaded && !item.merged);
            const bool numbered = item.chunk != engine::kNone && !item.merged;
            const std::string text = numbered ? std::to_string(item.chunk) : std::string();
            std::vector<data::TimelineMark::Span>& spans = m_lanes.spans;
            if (!spans.empty() && item.merged && spans.back().lane == lane && spans.back().meaning == meaning &&
                spans.back().text.empty() && spans.back().to >= timeAt(left))
                spans.back().to = timeAt(right);
            else
                spans.push_back({lane, timeAt(left), timeAt(right), meaning, text});
        }
        for (const DrawGap& gap : gaps) {
            const double left = std::max(0.0, gap.x), right = std::min(kDots, gap.x + gap.width);
            if (gap.y == track && right > left)
                m_lanes.spans.push_back({lane, timeAt(left), timeAt(right), kEmptySlots, {}});
        }
    }
}

std::vector<double> FigureBuilder::coarseTimes() const {
    std::vector<double> times;
    for (const std::int64_t edge : m_coarseColumns.edges)
        times.push_back(timeOf(static_cast<double>(std::clamp(edge, m_range.start, m_range.end))));
    return times;
}

data::FigureAxis FigureBuilder::timeAxis() const {
    data::FigureAxis axis;
    axis.title = figureTr("Time").toStdString();
    axis.unit = m_unit.name;
    axis.from = timeOf(static_cast<double>(m_range.start));
    axis.to = timeOf(static_cast<double>(m_range.end));
    return axis;
}

data::FigurePanel* FigureBuilder::newPanel(const Row& row, const QString& unit) {
    if (m_areas.size() == kMostAreas || m_coarseColumns.count() == 0) {
        ++m_leftOut;
        return nullptr;
    }
    data::FigurePanel& panel = m_areas.emplace_back();
    panel.x = timeAxis();
    const QString name = nameOf(row);
    panel.y.title = (m_model.gpus() > 1 ? figureTr("%1 of GPU %2").arg(name).arg(row.gpu) : name).toStdString();
    panel.y.unit = unit.toStdString();
    panel.y.from = 0;
    return &panel;
}

void FigureBuilder::addCounters(const Row& row, const std::vector<Counter>& counters, const QString& unit,
                                double scale) {
    data::FigurePanel* panel = newPanel(row, unit);
    if (panel == nullptr)
        return;
    data::AreaMark mark;
    mark.stepped = true;
    mark.x = coarseTimes();
    for (const Counter& counter : counters) {
        const engine::CounterSeries* samples = m_model.index()->gpu(row.gpu).counter(counter.kind);
        if (samples == nullptr)
            continue;
        data::FigureSeries& series = mark.series.emplace_back();
        series.name = counter.name.toStdString();
        series.meaning = meaningOf(counter.role, false);
        for (const double mean : valuesOf(*samples, m_coarseColumns).mean)
            series.values.emplace_back(mean / scale);
    }
    panel->marks.emplace_back(std::move(mark));
}

void FigureBuilder::addArea(const Row& row, const DrawArea& area) {
    data::FigurePanel* panel = newPanel(row, QStringLiteral("% busy"));
    if (panel == nullptr)
        return;
    panel->y.to = 100;
    data::AreaMark mark;
    mark.stepped = true;
    mark.x = coarseTimes();
    const bool streams = row.kind == RowKind::dram || row.kind == RowKind::dramChannel;
    for (std::size_t i = 0; i < area.layers.size(); ++i) {
        const DrawArea::Layer& layer = area.layers[i];
        data::FigureSeries& series = mark.series.emplace_back();
        series.name = (layer.kernel ? kernelName(m_model.run().run.experiment, *layer.kernel)
                       : !streams   ? nameOf(row)
                       : i == 0     ? figureTr("compute stream")
                                    : figureTr("communication stream"))
                          .toStdString();
        series.meaning = meaningOf(layer.role, layer.kernel, false);
        for (std::size_t column = 0; column < layer.tops.size(); ++column) {
            const int below = i == 0 ? 0 : area.layers[i - 1].tops[column];
            series.values.emplace_back((layer.tops[column] - below) / kBand * 100);
        }
    }
    panel->marks.emplace_back(std::move(mark));
}

data::FigureSpec FigureBuilder::figure() && {
    data::FigureSpec figure;
    const QString name = QString::fromStdString(m_model.run().run.name);
    const bool whole = m_range.start <= 0 && m_range.end >= m_model.end();
    const QString range = whole ? figureTr("the whole run")
                                : figureTr("from %1 to %2").arg(formatTime(m_range.start), formatTime(m_range.end));
    figure.name = fileNameOf(figureTr("timeline %1").arg(name)).toStdString();
    figure.title = figureTr("Timeline, %1").arg(name).toStdString();
    QString caption = figureTr("Timeline of a run of %1 (%2).").arg(name, range);
    if (m_leftOut > 0)
        caption += figureTr(" %1 further lanes are not shown.").arg(m_leftOut);
    for (const QString& empty : m_says)
        caption += QLatin1Char(' ') + empty + QLatin1Char('.');
    figure.caption = caption.toStdString();
    figure.provenance = provenanceOf(m_model.run(), range);
    const double lanes = static_cast<double>(m_lanes.lanes.size());
    if (!m_lanes.lanes.empty()) {
        data::FigurePanel& panel = figure.panels.emplace_back();
        panel.x = timeAxis();
        panel.weight = (lanes * kLaneHeight + kLanesAround) / kAreaHeight;
        panel.marks.emplace_back(std::move(m_lanes));
    }
    for (data::FigurePanel& panel : m_areas)
        figure.panels.push_back(std::move(panel));
    double height = kAround;
    for (const data::FigurePanel& panel : figure.panels)
        height += panel.weight * kAreaHeight;
    figure.height = std::round(height);
    QStringList says{figureTr("Timeline, %1, %2 lanes.").arg(range).arg(lanes)};
    for (const Phase& phase : m_model.phases())
        says << figureTr("%1 from %2 to %3.").arg(phase.label, formatTime(phase.start), formatTime(phase.end));
    for (const QString& empty : m_says)
        says << empty + QLatin1Char('.');
    figure.alternative = says.join(QLatin1Char(' ')).toStdString();
    return figure;
}

}  // namespace

std::optional<data::FigureSpec> timelineFigure(const TimelineModel& model, const LaneArrangement& arrangement,
                                               data::TimeRange range) {
    const std::vector<Row> rows = model.rows(arrangement);
    if (rows.empty() || range.span() <= 0)
        return std::nullopt;
    FigureBuilder builder(model, range);
    for (const Row& row : rows)
        builder.add(row);
    return std::move(builder).figure();
}

}  // namespace ui
