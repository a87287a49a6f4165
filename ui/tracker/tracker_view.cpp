#include "ui/tracker/tracker_view.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/run_words.h"
#include "ui/look/steady_room.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"
#include "ui/tracker/tracker_model.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr std::int64_t kJump = 20;  // a jump is longer than the run divided by this number
constexpr int kLeastCounters = 10;  // lines: in less width the bars of a workgroup's wavefronts cannot be distinguished

/// The columns that are hidden, in this order, if the counters need their room. They describe the tile's position in
/// other ways, and the tool tip of a row shows them.
constexpr std::array kGivesWay{TrackerModel::tag, TrackerModel::workgroup};

void paintBars(QPainter& painter, const QRectF& box, const std::vector<CounterBar>& bars, const Palette& colors,
               const QColor& landedNow, double line) {
    if (bars.empty())
        return;
    const auto count = static_cast<double>(bars.size());
    const double gap = line * 0.25;
    const double width = (box.width() - gap * (count - 1)) / count;
    const double ratio = painter.device()->devicePixelRatioF();
    const auto snapped = [ratio](double value) { return std::round(value * ratio) / ratio; };
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double left = snapped(box.left() + static_cast<double>(i) * (width + gap));
        const QRectF bar(left, box.top(), snapped(width), box.height());
        const Fill fill = fillOf(bars[i].landed >= 1 ? data::TileState::ready : data::TileState::oneUpdate, colors);
        painter.fillRect(bar, colors.grid);
        painter.fillRect(QRectF(bar.topLeft(), QSizeF(snapped(bar.width() * bars[i].landed), bar.height())),
                         fill.color);
        const double before = snapped(bar.width() * bars[i].before);
        const double now = snapped(bar.width() * bars[i].landed);
        if (now > before)
            painter.fillRect(QRectF(bar.left() + before, bar.top(), now - before, bar.height()), landedNow);
        painter.setPen(colors.inkFaint);
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// Draws the rows of a TrackerModel: counters as small bars, with the updates that have just landed in another colour.
class CounterDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

void CounterDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* model = qobject_cast<const TrackerModel*>(index.model());
    const Palette& colors = paletteOf(*option.widget);
    const TrackerRow& row = model->row(index.row());
    const QRectF box(option.rect);
    const double line = option.fontMetrics.height();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    QColor background = index.row() % 2 == 0 ? colors.surface : colors.stripe;
    if (row.kind == TrackerRow::Kind::closed)
        background = colors.notice;
    if (selected)
        background = colors.accent;
    painter->fillRect(box, background);
    if (row.latest && index.column() == TrackerModel::set)
        painter->fillRect(QRectF(box.left(), box.top(), line * 0.25, box.height()), colors.accent);
    if (index.column() == TrackerModel::counters) {
        paintBars(*painter, box.adjusted(line * 0.4, line * 0.3, -line * 0.4, -line * 0.3), TrackerModel::barsOf(row),
                  colors, selected ? colors.onAccent : colors.accent, line);  // the accent is invisible on itself
        return;
    }
    QFont font = option.font;
    font.setWeight(row.latest || row.kind == TrackerRow::Kind::closed ? QFont::DemiBold : QFont::Normal);
    painter->setFont(font);
    const bool free = row.kind == TrackerRow::Kind::free;
    painter->setPen(selected ? colors.onAccent : free ? colors.inkFaint : colors.ink);
    painter->drawText(box.adjusted(line * 0.4, 0, -line * 0.4, 0), Qt::AlignRight | Qt::AlignVCenter,
                      index.data(Qt::DisplayRole).toString());
}

QSize CounterDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {0, static_cast<int>(std::lround(option.fontMetrics.height() * 1.35))};
}

// Returns "  ·  4 KiB of 64 KiB held, peak 64 KiB": the capacity as it was entered, and the held amounts in the same
// unit. Empty if there is no capacity and no updates were held.
QString heldText(std::int64_t now, std::int64_t peak, const std::optional<engine::Bytes>& bound) {
    const auto part = [](std::int64_t bytes) {
        return text(engine::formatValue(*engine::findParameter("tracker.held_bytes"), bytes));
    };
    if (bound)
        return TrackerView::tr("  ·  %1 of %2 held, peak %3").arg(part(now), part(bound->count), part(peak));
    return peak == 0 ? QString() : TrackerView::tr("  ·  %1 held, peak %2").arg(formatBytes(now), formatBytes(peak));
}

}  // namespace

TrackerView::TrackerView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_moment(moment), m_model(new TrackerModel(this)) {
    setNames(*this, QStringLiteral("tracker"), tr("Tracker of the GPU in focus"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(this);
    const int line = fontMetrics().height();
    column->setContentsMargins(line * 4 / 5, line / 2, line * 4 / 5, line / 2);
    column->setSpacing(line / 3);
    buildHeader();
    buildTable();
    m_nothing = newWrappedLabel(this);
    m_nothing->setAlignment(Qt::AlignCenter);
    column->addWidget(m_header);
    column->addWidget(m_happeningRoom);
    column->addWidget(m_table, 1);
    column->addWidget(m_nothing, 1);
    setFocusProxy(m_table);
    connect(&m_moment, &RingMoment::runChanged, this, &TrackerView::showRun);
    connect(&m_moment, &RingMoment::changed, this, &TrackerView::showMoment);
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, &TrackerView::showMoment);
    connect(&m_viewState, &ViewState::selectionChanged, this, &TrackerView::selectElsewhere);
    showRun();
    showMoment();
}

QSize TrackerView::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {line * 28, line * 10};
}

void TrackerView::buildHeader() {
    m_header = new QWidget(this);
    auto* row = flushLayout<QHBoxLayout>(m_header, fontMetrics().height());
    m_gpu = new QComboBox(m_header);
    setNames(*m_gpu, QStringLiteral("trackerGpu"), tr("GPU whose tracker is shown"));
    m_occupancy = new QLabel;
    m_occupancy->setObjectName(QStringLiteral("occupancy"));
    m_onlyTaken = new QCheckBox(tr("&Only taken sets"), m_header);
    m_onlyTaken->setObjectName(QStringLiteral("onlyTaken"));
    m_onlyTaken->setChecked(true);
    m_onlyTaken->setToolTip(tr("If unchecked, every set has a row, whether it is taken or free"));
    m_happening = new QLabel;
    m_happening->setObjectName(QStringLiteral("happening"));
    for (QLabel* words : {m_occupancy, m_happening})
        words->setWordWrap(true);
    m_occupancyRoom = new SteadyRoom(m_occupancy, m_header);
    m_happeningRoom = new SteadyRoom(m_happening, this);
    row->addWidget(m_gpu);
    row->addWidget(m_occupancyRoom, 1);
    row->addWidget(m_onlyTaken);
    connect(m_gpu, &QComboBox::activated, this,
            [this](int gpu) { m_viewState.setFocusedGpu(static_cast<std::uint32_t>(gpu)); });
    connect(m_onlyTaken, &QCheckBox::toggled, this, [this](bool only) {
        m_follows = true;
        m_model->setOnlyTaken(only);
        m_follows = false;
        selectElsewhere();
    });
    setRelativeFont(*m_occupancy, 1.15, QFont::DemiBold);
}

void TrackerView::buildTable() {
    m_table = new QTableView(this);
    setNames(*m_table, QStringLiteral("trackerTable"), tr("Entries of the tracker"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new CounterDelegate(m_table));
    makeRows(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    m_table->horizontalHeader()->setSectionsMovable(false);
    sizeColumns();
    onEvents(
        *m_table->viewport(), {QEvent::Resize}, [this] { sizeColumns(); }, this);
    onEvents(*this, {QEvent::FontChange}, [this] { sizeColumns(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TrackerView::selectRow);
}

/// Returns the width of a column: that of its title or of the longest text that this run can put into it.
int TrackerView::widthOf(int column) const {
    const auto most = [this] {
        if (!m_moment.hasStates())
            return std::size_t{8'888};
        const engine::TrackerConfig& config = m_moment.run()->run.experiment.tracker;
        return std::max<std::size_t>(m_moment.log().trace().output.tiles(), config.entries);
    };
    const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const QString number(QString::number(most()).size(), QLatin1Char('8'));
    const QString longest = column == TrackerModel::landed    ? QStringLiteral("88.8 kB of 88.8 kB")
                            : column == TrackerModel::heldFor ? QStringLiteral("88.8 µs")
                            : column == TrackerModel::chunk   ? QString::number(m_moment.gpus())
                                                              : number;
    const int words = std::max(m_table->horizontalHeader()->fontMetrics().horizontalAdvance(title),
                               QFontMetrics(strongFont(m_table->font())).horizontalAdvance(longest));
    return words + m_table->fontMetrics().height();
}

// Makes the columns as wide as their texts. The counters take the rest; if that is not enough for them, other columns
// are hidden.
void TrackerView::sizeColumns() {
    const int line = m_table->fontMetrics().height();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(line * 27 / 20);
    QHeaderView* header = m_table->horizontalHeader();
    header->setMinimumSectionSize(line * 2);
    int room = m_table->viewport()->width() - line * kLeastCounters;
    for (int column = 0; column < TrackerModel::columns; ++column) {
        if (column == TrackerModel::counters)
            continue;
        header->setSectionResizeMode(column, QHeaderView::Fixed);
        header->resizeSection(column, widthOf(column));
        room -= widthOf(column);
    }
    for (const int column : kGivesWay) {
        m_table->setColumnHidden(column, room < 0);
        room += room < 0 ? widthOf(column) : 0;
    }
    header->setSectionResizeMode(TrackerModel::counters, QHeaderView::Fixed);
    header->resizeSection(TrackerModel::counters, line * kLeastCounters + std::max(0, room));
}

std::uint32_t TrackerView::focusedGpu() const { return m_moment.focusedGpu(); }

void TrackerView::showRun() {
    m_closed.reset();
    m_shownGpu.reset();
    const QSignalBlocker quiet(m_gpu);
    m_gpu->clear();
    for (std::uint32_t gpu = 0; gpu < m_moment.gpus(); ++gpu)
        m_gpu->addItem(tr("GPU %1").arg(gpu));
    const QString reason = reasonForNothing();
    for (QWidget* widget : {m_header, static_cast<QWidget*>(m_happeningRoom), static_cast<QWidget*>(m_table)})
        widget->setVisible(reason.isEmpty());
    m_nothing->setVisible(!reason.isEmpty());
    m_nothing->setText(reason);
    m_model->clear();
    sizeColumns();
}

QString TrackerView::reasonForNothing() const {
    if (m_moment.run() == nullptr)
        return noRunHint();
    if (!m_moment.hasStates()) {
        return tr("A perfect overlap is calculated from isolated runs: it has no tracker.\n"
                  "Choose the policy T3 or T3-MCA and run it (Ctrl+Return) to see one at work.");
    }
    const auto& tracker = m_moment.run()->run.result.last.tracker;
    if (!tracker || tracker->updates == 0) {
        return tr("This policy uses no tracker: kernels of the collective move the data.\n"
                  "Choose the policy T3 or T3-MCA and run it (Ctrl+Return) to see the tracker at work.");
    }
    return {};
}

void TrackerView::showMoment() {
    if (!isVisible() || m_table->isHidden())
        return;
    const std::uint32_t gpu = focusedGpu();
    const data::GpuState& state = m_moment.of(gpu);
    // Updates that have landed since are highlighted after a step or a frame, but not after a jump.
    const std::int64_t jump = std::abs(m_moment.ps() - m_shownPs);
    const bool fresh = m_shownGpu != gpu || jump > m_viewState.runEnd() / kJump;
    m_shownGpu = gpu;
    m_shownPs = m_moment.ps();
    m_gpu->setCurrentIndex(static_cast<int>(gpu));
    const engine::TrackerConfig& config = m_moment.run()->run.experiment.tracker;
    m_follows = true;  // removing rows changes the table's current row, which is not a selection by the user
    m_model->show(state, m_moment.ps(), closedEntry(state), static_cast<std::uint32_t>(config.entries), fresh);
    m_follows = false;
    showHeader(state);
    selectElsewhere();
}

// Returns the entry of the tile that was closed last. An entry is free once its tile is closed, so it is read from the
// state just before.
std::optional<data::TrackerEntry> TrackerView::closedEntry(const data::GpuState& state) {
    if (!state.lastClosedTile || !state.lastClosePs)
        return std::nullopt;
    const std::uint32_t gpu = focusedGpu();
    const std::uint32_t tile = *state.lastClosedTile;
    if (m_closed && m_closed->gpu == gpu && m_closed->ps == *state.lastClosePs && m_closed->tile == tile)
        return m_closed->entry;
    m_closed = Closed{gpu, *state.lastClosePs, tile, std::nullopt};
    const data::GpuState before = m_moment.log().stateOf(gpu, m_moment.log().positionAt(*state.lastClosePs - 1));
    for (const data::TrackerEntry& entry : before.tracker) {
        if (entry.tile == tile)
            m_closed->entry = entry;
    }
    return m_closed->entry;
}

void TrackerView::showHeader(const data::GpuState& state) {
    const engine::Experiment& experiment = m_moment.run()->run.experiment;
    const engine::RunResult& result = m_moment.run()->run.result;
    const std::uint32_t gpu = focusedGpu();
    const auto& own = gpu < result.perGpu.size() ? result.perGpu[gpu].tracker : result.last.tracker;
    QString text = tr("%1 of %2 entries taken")
                       .arg(state.tracker.size())
                       .arg(experiment.tracker.entries * experiment.tracker.ways);
    if (own) {
        text += tr("  ·  peak %1  ·  %2 stalls  ·  %3 triggers")
                    .arg(formatCount(own->peakEntries), formatCount(own->capacityStalls), formatCount(own->triggers));
        text += heldText(state.heldBytes, own->heldPeak.count, experiment.tracker.heldBytes);
    }
    m_occupancy->setText(text);
    m_happening->setText(happeningText(state));
    m_occupancyRoom->follow();
    m_happeningRoom->follow();
}

QString TrackerView::happeningText(const data::GpuState& state) const {
    QStringList parts;
    const auto age = [this](std::int64_t ps) { return formatTime(std::max<std::int64_t>(0, m_moment.ps() - ps), 3); };
    if (state.lastClosedTile && state.lastClosePs)
        parts << tr("tile %1 was closed %2 ago").arg(*state.lastClosedTile).arg(age(*state.lastClosePs));
    if (state.lastTriggeredBlock && state.lastTriggerPs) {
        parts << tr("the latest trigger, %1 ago, made DMA block %2 ready")
                     .arg(age(*state.lastTriggerPs))
                     .arg(*state.lastTriggeredBlock);
    }
    for (const data::BlockState& block : state.movingBlocks) {
        parts << tr("block %1 of chunk %2 is %3 sent")
                     .arg(block.block)
                     .arg(block.chunk)
                     .arg(formatPercent(block.doneShare));
        break;
    }
    return parts.isEmpty() ? tr("no entry has been closed yet") : parts.join(QStringLiteral("  ·  "));
}

void TrackerView::selectRow() {
    // A table that gets the keyboard focus makes its first row current without selecting it: this is not a selection by
    // the user.
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    if (m_follows || chosen.isEmpty())
        return;
    const TrackerRow& row = m_model->row(chosen.front().row());
    if (row.kind == TrackerRow::Kind::free)
        return;
    if (const auto span = trackedSpan(m_moment.log().trace(), focusedGpu(), row.entry.tile, row.entry.firstUpdatePs))
        m_viewState.selectSpan(*span);
}

void TrackerView::selectElsewhere() {
    if (!isVisible() || m_table->isHidden())
        return;
    m_follows = true;
    const auto span = m_viewState.selectedSpan();
    const auto tile = span ? tileOf(m_moment.log().trace(), *span) : std::nullopt;
    const auto row = tile && span->gpu == focusedGpu() ? m_model->rowOfTile(*tile) : std::nullopt;
    if (!row) {
        m_table->selectionModel()->clear();
    } else if (m_table->currentIndex().row() != *row || !m_table->selectionModel()->hasSelection()) {
        m_table->selectRow(*row);
        m_table->scrollTo(m_model->index(*row, 0));
    }
    m_follows = false;
}

void TrackerView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showMoment();
}

}  // namespace ui
