#include "ui/runs/runs_table.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/runs/run_list.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStyleOptionHeader>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace ui {
namespace {

/// Returns the title in two lines, broken where the longer line is shortest.
QStringList inTwoLines(const QString& title, const QFontMetrics& metrics) {
    QStringList best{title};
    int least = metrics.horizontalAdvance(title);
    for (qsizetype at = title.indexOf(u' '); at >= 0; at = title.indexOf(u' ', at + 1)) {
        const QString upper = title.left(at), lower = title.mid(at + 1);
        const int width = std::max(metrics.horizontalAdvance(upper), metrics.horizontalAdvance(lower));
        if (width < least) {
            least = width;
            best = {upper, lower};
        }
    }
    return best;
}

constexpr int kSampledRows = 60;
constexpr double kWidest = 48, kNarrowest = 5;  // in digits
constexpr qsizetype kMostRanges = 1'000;        // painting a cell checks every range

/// Returns a selection of these rows with one range for each block of adjacent rows.
QItemSelection selectionOf(const QAbstractItemModel& model, const std::vector<int>& rows) {
    QItemSelection selection;
    for (std::size_t from = 0; from < rows.size();) {
        std::size_t to = from;
        while (to + 1 < rows.size() && rows[to + 1] == rows[to] + 1)
            ++to;
        selection.append(
            QItemSelectionRange(model.index(rows[from], 0), model.index(rows[to], model.columnCount() - 1)));
        from = to + 1;
    }
    return selection;
}

}  // namespace

/// The header of the table of runs: titles in up to two lines, aligned with the cells below, and the sort arrow.
class RunsHeader final : public QHeaderView {
public:
    explicit RunsHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setHighlightSections(false);
        setSectionsClickable(true);
        setSortIndicatorShown(true);
        setSectionsMovable(true);
        setStretchLastSection(true);
    }

    /// Returns the width that a column needs to show its title in two lines.
    int widthFor(const QString& title) const {
        int width = 0;
        for (const QString& line : inTwoLines(title, fontMetrics()))
            width = std::max(width, fontMetrics().horizontalAdvance(line));
        return width + fontMetrics().horizontalAdvance(QLatin1Char('0')) * 4;  // margins and the arrow
    }

protected:
    QSize sectionSizeFromContents(int) const override { return {0, fontMetrics().height() * 5 / 2}; }

    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        QStyleOptionHeaderV2 option;
        initStyleOption(&option);
        initStyleOptionForIndex(&option, section);
        option.rect = rect;
        painter->save();
        style()->drawControl(QStyle::CE_HeaderSection, &option, painter, this);
        const int air = fontMetrics().horizontalAdvance(QLatin1Char('0'));
        QRect box = rect.adjusted(air, 0, -air, 0);
        const bool right = option.textAlignment.testFlag(Qt::AlignRight);
        if (option.sortIndicator != QStyleOptionHeader::None) {
            // The arrow is beside the text, so that the title stays aligned with its numbers.
            const int size = air;
            const QRect arrow(right ? box.left() - air / 2 : box.right() - size + air / 2, box.center().y() - size / 2,
                              size, size);
            QStyleOptionHeaderV2 mark = option;
            mark.rect = arrow;
            style()->drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &mark, painter, this);
            box.adjust(right ? air : 0, 0, right ? 0 : -air, 0);
        }
        QStringList lines = box.width() >= fontMetrics().horizontalAdvance(option.text)
                                ? QStringList{option.text}
                                : inTwoLines(option.text, fontMetrics());
        for (QString& line : lines)
            line = fontMetrics().elidedText(line, Qt::ElideRight, box.width());
        painter->setPen(paletteOf(*this).ink);
        painter->drawText(box, Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft), lines.join(u'\n'));
        painter->restore();
    }
};

/// Paints and edits the cells of the table of runs: text with margins, tags as chips.
class RunsDelegate final : public QStyledItemDelegate {
public:
    /// `model` must outlive the delegate.
    explicit RunsDelegate(const RunsModel& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}

    /// Sets the runs that have the letters A, B, … before their names.
    void setCompared(std::vector<std::int64_t> ids) { m_compared = std::move(ids); }
    /// Returns the width of the mark before a sweep's name, which is also the indent of its runs.
    static int markWidth(const QFontMetrics& metrics) { return metrics.height() * 3 / 2; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
        QStyleOptionViewItem plain = option;
        plain.state &= ~QStyle::State_HasFocus;  // rows have the focus, not cells
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &plain, painter, option.widget);
        const QString text = index.data(Qt::DisplayRole).toString();
        if (text.isEmpty())
            return;
        const RunColumn& column = m_model.columns()[static_cast<std::size_t>(index.column())];
        if (column.path == run_column::tags) {
            paintTags(painter, option, text.split(QLatin1Char(' ')));
            return;
        }
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const Palette& colors = paletteOf(*option.widget);
        const bool soft = column.path == run_column::when || text == QStringLiteral("–");
        painter->setPen(selected ? colors.onAccent : soft ? colors.inkFaint : colors.ink);
        const int air = option.fontMetrics.horizontalAdvance(QLatin1Char('0'));
        QRect box = option.rect.adjusted(air, 0, -air, 0);
        const SweepLine* sweep = m_model.sweepAt(index.row());
        if (column.path == run_column::name && sweep != nullptr) {
            paintMark(painter, option, sweep->open);
            box.setLeft(option.rect.left() + markWidth(option.fontMetrics));
        } else if (column.path == run_column::name) {
            if (m_model.list().isMember(static_cast<std::size_t>(index.row())))
                box.setLeft(box.left() + markWidth(option.fontMetrics));
            box.setLeft(box.left() + paintLetter(painter, option, m_model.row(index.row()).id));
        }
        const auto elide = column.path == run_column::name ? Qt::ElideMiddle : Qt::ElideRight;
        painter->drawText(box, Qt::AlignVCenter | (column.isNumber ? Qt::AlignRight : Qt::AlignLeft),
                          option.fontMetrics.elidedText(text, elide, box.width()));
    }

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override {
        QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
        if (auto* line = qobject_cast<QLineEdit*>(editor)) {
            const bool tags = m_model.columns()[static_cast<std::size_t>(index.column())].path == run_column::tags;
            line->setPlaceholderText(tags ? tr("words, separated by spaces") : tr("a line about this run"));
            line->setAccessibleName(tags ? tr("Tags of the run") : tr("Note of the run"));
            line->setAutoFillBackground(true);
        }
        return editor;
    }

protected:
    // Accepts Enter while a cell is edited, so that it ends the editing and opens no timeline.
    bool eventFilter(QObject* editor, QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride && isEnter(static_cast<QKeyEvent*>(event)->key())) {
            event->accept();
            return true;
        }
        return QStyledItemDelegate::eventFilter(editor, event);
    }

private:
    void paintTags(QPainter* painter, const QStyleOptionViewItem& option, const QStringList& tags) const {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const Palette& colors = paletteOf(*option.widget);
        const int air = option.fontMetrics.horizontalAdvance(QLatin1Char('0'));
        const int height = option.fontMetrics.height() * 6 / 5;
        int left = option.rect.left() + air;
        painter->save();
        painter->setClipRect(option.rect.adjusted(0, 0, -air / 2, 0));
        painter->setRenderHint(QPainter::Antialiasing);
        for (const QString& tag : tags) {
            const QRect chip(left, option.rect.center().y() - height / 2 + 1,
                             option.fontMetrics.horizontalAdvance(tag) + air * 3 / 2, height);
            painter->setPen(selected ? colors.onAccent : colors.line);
            painter->setBrush(selected ? QColor(Qt::transparent) : Palette::mixed(colors.surface, colors.accent, 0.10));
            painter->drawRoundedRect(QRectF(chip).adjusted(0.5, 0.5, -0.5, -0.5), height * 0.3, height * 0.3);
            painter->setPen(selected ? colors.onAccent : colors.ink);
            painter->drawText(chip, Qt::AlignCenter, tag);
            left = chip.right() + air / 2 + 1;
        }
        painter->restore();
    }

    static void paintMark(QPainter* painter, const QStyleOptionViewItem& option, bool open) {
        const double side = option.fontMetrics.height() * 0.3;
        const QPointF at(option.rect.left() + markWidth(option.fontMetrics) * 0.5, option.rect.center().y() + 0.5);
        QPolygonF mark{{-side * 0.6, -side}, {side * 0.7, 0}, {-side * 0.6, side}};
        if (open)
            mark = {{-side, -side * 0.6}, {side, -side * 0.6}, {0, side * 0.7}};
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(painter->pen().color());
        painter->setPen(Qt::NoPen);
        painter->drawPolygon(mark.translated(at));
        painter->restore();
    }

    /// Paints the letter of a compared run and returns the width that it takes; 0 for other runs.
    int paintLetter(QPainter* painter, const QStyleOptionViewItem& option, std::int64_t id) const {
        const auto at = std::find(m_compared.begin(), m_compared.end(), id);
        if (at == m_compared.end())
            return 0;
        const int width = option.fontMetrics.horizontalAdvance(QLatin1Char('0'));
        const QString letter(QChar(static_cast<char16_t>(u'A' + (at - m_compared.begin()))));
        painter->setFont(strongFont(option.font));
        painter->drawText(option.rect.adjusted(width, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, letter);
        painter->setFont(option.font);
        return width * 2;
    }

    const RunsModel& m_model;
    std::vector<std::int64_t> m_compared;
};

RunsTable::RunsTable(RunsModel& model, QWidget* parent)
    : QTableView(parent), m_model(model), m_delegate(new RunsDelegate(model, this)), m_header(new RunsHeader(this)) {
    setNames(*this, QStringLiteral("runsTable"), tr("Kept runs"));
    setModel(&model);
    setItemDelegate(m_delegate);
    makeRows(*this);
    setSelectionMode(ExtendedSelection);
    // Editing starts by command or double click, because letters and F-keys are shortcuts.
    setEditTriggers(NoEditTriggers);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerItem);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setHorizontalHeader(m_header);
    connect(m_header, &QHeaderView::sectionMoved, this, [this] {
        if (!m_sizing)
            Q_EMIT columnsMoved();
    });
    connect(m_header, &QHeaderView::sectionClicked, this, &RunsTable::sortByColumn);
    connect(m_header, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        const bool last = column == m_model.columnCount() - 1;
        if (!m_sizing && !last && column < m_model.columnCount())
            m_ownWidths[m_model.columns()[static_cast<std::size_t>(column)].path] =
                static_cast<double>(width) / fontMetrics().horizontalAdvance(QLatin1Char('0'));
    });
    sizeRows();
    sizeColumns();
    onEvents(*this, {QEvent::FontChange}, [this] {
        sizeRows();
        sizeColumns();
    });
}

std::vector<int> RunsTable::selectedRows() const {
    std::vector<int> rows;
    for (const QItemSelectionRange& range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

std::vector<const data::CatalogueRow*> RunsTable::selectedRuns() const {
    std::vector<const data::CatalogueRow*> runs;
    std::unordered_set<std::int64_t> known;  // a run may be selected twice: by itself and with its sweep
    for (const int row : selectedRows()) {
        for (const data::CatalogueRow* run : m_model.list().runsAt(static_cast<std::size_t>(row))) {
            if (known.insert(run->id).second)
                runs.push_back(run);
        }
    }
    return runs;
}

std::vector<std::int64_t> RunsTable::selectedIds() const {
    std::vector<std::int64_t> ids;
    for (const data::CatalogueRow* run : selectedRuns())
        ids.push_back(run->id);
    return ids;
}

std::size_t RunsTable::selectedCount() const { return selectedRuns().size(); }

std::vector<std::int64_t> RunsTable::selectedLines() const {
    std::vector<std::int64_t> lines;
    for (const int row : selectedRows())
        lines.push_back(m_model.list().idAt(static_cast<std::size_t>(row)));
    return lines;
}

std::optional<std::int64_t> RunsTable::currentId() const {
    const QModelIndex current = currentIndex();
    const bool isRun = current.isValid() && m_model.sweepAt(current.row()) == nullptr;
    return isRun ? std::optional(m_model.row(current.row()).id) : std::nullopt;
}

// Selects visible lines only; runs in a collapsed sweep are skipped. showRun() expands the sweep.
void RunsTable::selectIds(const std::vector<std::int64_t>& lines) {
    const std::unordered_set<std::int64_t> wanted(lines.begin(), lines.end());
    std::vector<int> rows;
    for (int row = 0; !wanted.empty() && row < m_model.rowCount(); ++row) {
        if (wanted.contains(m_model.list().idAt(static_cast<std::size_t>(row))))
            rows.push_back(row);
    }
    const QItemSelection selection = selectionOf(m_model, rows);
    if (selection.size() <= kMostRanges)
        selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

bool RunsTable::toggleCurrentSweep() {
    const QModelIndex current = currentIndex();
    const SweepLine* sweep = current.isValid() ? m_model.sweepAt(current.row()) : nullptr;
    if (sweep == nullptr)
        return false;
    openSweep(current.row(), !sweep->open);
    return true;
}

void RunsTable::openSweep(int row, bool open) {
    const std::int64_t key = m_model.sweepAt(row)->sweep->key;
    rearrange([key, open](RunList& list) { list.setOpen(key, open); });
}

// Handles Left and Right as tree views do: Right expands, Left collapses or goes to the sweep above.
bool RunsTable::walkTree(int key) {
    const QModelIndex current = currentIndex();
    if (!current.isValid())
        return false;
    if (const SweepLine* sweep = m_model.sweepAt(current.row())) {
        if (sweep->open == (key == Qt::Key_Right))
            return false;
        openSweep(current.row(), key == Qt::Key_Right);
        return true;
    }
    if (key != Qt::Key_Left || !m_model.list().isMember(static_cast<std::size_t>(current.row())))
        return false;
    int above = current.row();
    while (m_model.sweepAt(above) == nullptr)
        --above;
    selectRow(above);
    return true;
}

void RunsTable::showRun(std::int64_t id) {
    auto row = m_model.list().positionOf(id);
    if (const SweepLine* sweep = row ? m_model.list().sweepAt(*row) : nullptr; sweep != nullptr && id >= 0) {
        openSweep(static_cast<int>(*row), true);
        row = m_model.list().positionOf(id);
    }
    if (!row)
        return;
    const QModelIndex cell = m_model.index(static_cast<int>(*row), std::max(0, currentIndex().column()));
    selectionModel()->setCurrentIndex(cell, QItemSelectionModel::NoUpdate);
    scrollTo(cell);
}

void RunsTable::rearrange(const std::function<void(RunList&)>& change) {
    const std::vector<std::int64_t> before = selectedIds();
    const std::vector<std::int64_t> selected = selectedLines();
    const auto lineAt = [this](int row) { return m_model.list().idAt(static_cast<std::size_t>(row)); };
    const QModelIndex at = currentIndex();
    const std::int64_t current = at.isValid() ? lineAt(at.row()) : 0;  // 0 is the id of no line
    const int currentColumn = std::max(0, currentIndex().column());
    // If the table is scrolled to the top, it stays at the top; further down, the visible rows stay visible.
    const int top = verticalScrollBar()->value(), left = horizontalScrollBar()->value();
    const bool holds = top > 0 && top < m_model.rowCount();
    const std::int64_t topId = holds ? lineAt(top) : 0;
    {
        const QScopedValueRollback quiet(m_quiet, true);
        m_model.rearrange(change);
        if (current != 0) {
            if (const auto row = m_model.list().positionOf(current))
                selectionModel()->setCurrentIndex(m_model.index(static_cast<int>(*row), currentColumn),
                                                  QItemSelectionModel::NoUpdate);
        }
        selectIds(selected);
        updateGeometries();
        if (const auto row = m_model.list().positionOf(topId); holds && row)
            verticalScrollBar()->setValue(static_cast<int>(*row));
        horizontalScrollBar()->setValue(left);
    }
    if (selectedIds() != before)
        Q_EMIT selectionChangedByHand();
}

void RunsTable::overlay(const std::vector<data::CatalogueRow>& changed, std::uint64_t number) {
    m_model.overlay(changed, number);
}

void RunsTable::take(const std::vector<std::int64_t>& ids, std::uint64_t number) {
    const std::unordered_set<std::int64_t> going(ids.begin(), ids.end());
    int next = -1;
    for (int row = m_model.rowCount() - 1; row >= 0; --row) {
        if (going.contains(m_model.list().idAt(static_cast<std::size_t>(row))))
            next = row;
    }
    rearrange([&](RunList& list) { list.hide(ids, number); });
    if (next >= 0 && m_model.rowCount() > 0)
        selectRow(std::min(next, m_model.rowCount() - 1));
}

void RunsTable::showColumns(const std::vector<std::string>& paths) {
    const std::vector<std::int64_t> selected = selectedLines();
    {
        const QScopedValueRollback quiet(m_quiet, true);
        const QScopedValueRollback sizing(m_sizing, true);
        m_model.setColumns(paths);
        // The header still has the places to which the former columns were dragged.
        for (int column = 0; column < m_model.columnCount(); ++column)
            horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), column);
        selectIds(selected);
    }
    sizeColumns();
    showSortMark();
}

std::vector<std::string> RunsTable::columnOrder() const {
    std::vector<std::string> order;
    for (int place = 0; place < m_model.columnCount(); ++place)
        order.push_back(m_model.columns()[static_cast<std::size_t>(horizontalHeader()->logicalIndex(place))].path);
    return order;
}

void RunsTable::setCompared(const std::vector<std::int64_t>& ids) {
    m_delegate->setCompared(ids);
    viewport()->update();
}

void RunsTable::setOwnWidths(std::map<std::string, double> widths) {
    m_ownWidths = std::move(widths);
    sizeColumns();
}

void RunsTable::sizeRows() {
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(0);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 8 / 5);
}

// Makes each column as wide as its title and its first rows need, unless the user has chosen a width.
void RunsTable::sizeColumns() {
    const QScopedValueRollback sizing(m_sizing, true);
    for (int column = 0; column < m_model.columnCount(); ++column)
        horizontalHeader()->resizeSection(column, widthOf(column));
}

int RunsTable::widthOf(int column) const {
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    const std::string& path = m_model.columns()[static_cast<std::size_t>(column)].path;
    if (const auto own = m_ownWidths.find(path); own != m_ownWidths.end())
        return static_cast<int>(std::lround(std::clamp(own->second, kNarrowest, kWidest * 2) * digit));
    const QFontMetrics metrics(font());
    int width = m_header->widthFor(m_model.columns()[static_cast<std::size_t>(column)].title);
    // A collapsed sweep shows no numbers, so the numbers of its first run are measured, too.
    for (int row = 0; row < std::min(kSampledRows, m_model.rowCount()); ++row) {
        const QString run = m_model.text(m_model.row(row), static_cast<std::size_t>(column));
        for (const QString& cell : {m_model.index(row, column).data().toString(), run})
            width = std::max(width, metrics.horizontalAdvance(cell) + digit * 2);
    }
    const int least = path == run_column::name ? 24 : path == run_column::tags ? 14 : 5;
    return std::clamp(width + digit, least * digit, static_cast<int>(kWidest * digit));
}

void RunsTable::sortByColumn(int column) {
    const RunColumn& chosen = m_model.columns()[static_cast<std::size_t>(column)];
    const RunList& list = m_model.list();
    // The first click sorts in the usual order: names from A, times from the shortest, dates from the newest.
    const bool first = list.sortedBy() != chosen.path;
    const bool usual =
        chosen.path == run_column::when || (chosen.metric != nullptr && chosen.metric->better == data::Better::larger);
    Q_EMIT sortRequested(QString::fromStdString(chosen.path), first ? usual : !list.isDescending());
}

void RunsTable::showSortMark() {
    const auto column = m_model.columnOf(m_model.list().sortedBy());
    horizontalHeader()->setSortIndicator(column.value_or(-1),
                                         m_model.list().isDescending() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void RunsTable::editColumn(const std::string& path) {
    const auto column = m_model.columnOf(path);
    const QModelIndex current = currentIndex();
    if (!column || !current.isValid())
        return;
    const QModelIndex cell = m_model.index(current.row(), *column);
    selectionModel()->setCurrentIndex(cell, QItemSelectionModel::NoUpdate);
    scrollTo(cell);
    edit(cell);
}

void RunsTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    if (!m_quiet)
        Q_EMIT selectionChangedByHand();
}

// Home and End go to the first and the last row instead of the first and the last cell of a row.
void RunsTable::keyPressEvent(QKeyEvent* event) {
    const bool ends = event->key() == Qt::Key_Home || event->key() == Qt::Key_End;
    if (ends && event->modifiers() == Qt::NoModifier && m_model.rowCount() > 0) {
        selectRow(event->key() == Qt::Key_Home ? 0 : m_model.rowCount() - 1);
        scrollTo(currentIndex());
        return;
    }
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (sideways && event->modifiers() == Qt::NoModifier && walkTree(event->key()))
        return;
    QTableView::keyPressEvent(event);
}

// Expands or collapses a sweep if its mark was clicked.
void RunsTable::mousePressEvent(QMouseEvent* event) {
    const QModelIndex cell = indexAt(event->position().toPoint());
    QTableView::mousePressEvent(event);
    const bool onSweep = cell.isValid() && event->button() == Qt::LeftButton && m_model.sweepAt(cell.row()) != nullptr;
    const bool onName = onSweep && m_model.columns()[static_cast<std::size_t>(cell.column())].path == run_column::name;
    if (onName && event->position().x() < visualRect(cell).left() + m_delegate->markWidth(fontMetrics()))
        toggleCurrentSweep();
}

}  // namespace ui
