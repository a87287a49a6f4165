#include "ui/evaluations/evaluation_table.h"

#include "ui/evaluations/evaluation_words.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

/// Paints the mark of a role. Each role has its own shape, so that it is recognised without colour: a square, a disc, a
/// triangle, a diamond, a ring, and for a claim a line with a bar at each end that has a bound.
void paintRoleMark(QPainter& painter, const QRectF& box, data::EvaluationRole role, const QColor& color) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, box.width() / 6));
    painter.setBrush(role == data::EvaluationRole::context ? QBrush(Qt::NoBrush) : QBrush(color));
    const QPointF centre = box.center();
    const double half = box.width() / 2;
    switch (role) {
    case data::EvaluationRole::exact:
        painter.drawRect(QRectF(centre.x() - half * 0.7, centre.y() - half * 0.7, half * 1.4, half * 1.4));
        break;
    case data::EvaluationRole::blind:
        painter.drawPolygon(QPolygonF({{centre.x(), centre.y() - half},
                                       {centre.x() + half, centre.y()},
                                       {centre.x(), centre.y() + half},
                                       {centre.x() - half, centre.y()}}));
        break;
    case data::EvaluationRole::visible:
        painter.drawPolygon(QPolygonF({{centre.x(), centre.y() - half * 0.9},
                                       {centre.x() + half * 0.9, centre.y() + half * 0.7},
                                       {centre.x() - half * 0.9, centre.y() + half * 0.7}}));
        break;
    case data::EvaluationRole::atLeast:
    case data::EvaluationRole::atMost:
    case data::EvaluationRole::between: {
        // A line with a bar at each end that has a bound.
        const double inset = half * 0.7, top = centre.y() - inset, bottom = centre.y() + inset;
        if (role != data::EvaluationRole::atMost)
            painter.drawLine(QPointF(centre.x() - inset, bottom), QPointF(centre.x() + inset, bottom));
        if (role != data::EvaluationRole::atLeast)
            painter.drawLine(QPointF(centre.x() - inset, top), QPointF(centre.x() + inset, top));
        painter.drawLine(QPointF(centre.x(), top), QPointF(centre.x(), bottom));
        break;
    }
    case data::EvaluationRole::calibrated:
    case data::EvaluationRole::context: painter.drawEllipse(centre, half * 0.8, half * 0.8); break;
    }
}

QColor roleColor(data::EvaluationRole role, const Palette& colors) {
    switch (role) {
    case data::EvaluationRole::exact: return colors.accent;
    case data::EvaluationRole::calibrated: return colors.of(Role::exposed);
    case data::EvaluationRole::visible: return colors.of(Role::dma);
    case data::EvaluationRole::blind:
    case data::EvaluationRole::atLeast:
    case data::EvaluationRole::atMost:
    case data::EvaluationRole::between: return colors.ink;
    case data::EvaluationRole::context: break;
    }
    return colors.inkSoft;
}

/// Returns the name of the icon before a verdict; null if the verdict has no icon.
const char* verdictIcon(data::RowVerdict verdict) {
    switch (verdict) {
    case data::RowVerdict::holds: return "check";
    case data::RowVerdict::fails: return "close";
    case data::RowVerdict::constantsChanged:
    case data::RowVerdict::noNumber: return "warning";
    default: return nullptr;
    }
}

QColor verdictColor(data::RowVerdict verdict, const Palette& colors) {
    switch (verdict) {
    case data::RowVerdict::holds: return colors.better;
    case data::RowVerdict::fails: return colors.error;
    case data::RowVerdict::constantsChanged:
    case data::RowVerdict::noNumber: return colors.ink;
    default: return colors.inkFaint;
    }
}

/// Returns an icon in a colour, and in that of selected text.
QIcon inBoth(const QIcon& plain, const QIcon& selected, int size) {
    QIcon icon;
    icon.addPixmap(plain.pixmap(size), QIcon::Normal);
    icon.addPixmap(selected.pixmap(size), QIcon::Selected);
    return icon;
}

QIcon roleIcon(int which, const Palette& colors, int size) {
    const auto role = static_cast<data::EvaluationRole>(which);
    const auto drawn = [&](const QColor& color) {
        constexpr int kSharp = 4;  // pixels for each point, for any screen
        QPixmap picture(size * kSharp, size * kSharp);
        picture.setDevicePixelRatio(kSharp);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paintRoleMark(painter, QRectF(0, 0, size, size), role, color);
        painter.end();
        return QIcon(picture);
    };
    return inBoth(drawn(roleColor(role, colors)), drawn(colors.onAccent), size);
}

QColor verdictInk(int which, const Palette& colors) {
    return verdictColor(static_cast<data::RowVerdict>(which), colors);
}

QIcon verdictMark(int which, const Palette& colors, int size) {
    const char* icon = verdictIcon(static_cast<data::RowVerdict>(which));
    if (icon == nullptr)
        return {};
    const QString name = QString::fromLatin1(icon);
    return inBoth(tintedIcon(name, verdictInk(which, colors)), tintedIcon(name, colors.onAccent), size);
}

QString orDash(const std::string& words) { return words.empty() ? QStringLiteral("–") : text(words); }

QVariant numberKey(double value) { return std::isnan(value) ? QVariant() : QVariant(value); }

ValueRow rowOf(const data::ReproducedItem& row) {
    const QString id = text(row.published.id), what = text(row.published.what), label = orDash(row.published.label);
    const auto role = static_cast<int>(row.role), verdict = static_cast<int>(row.verdict);
    const QString whole = id + QLatin1Char('\n') + what;
    ValueRow made;
    made.cells = {id,
                  what,
                  orDash(row.valueText),
                  orDash(row.publishedText.empty() ? row.boundText : row.publishedText),
                  differenceText(row),
                  label,
                  text(data::name(row.role)),
                  verdictText(row)};
    made.keys = {id,   what,   numberKey(row.value), numberKey(row.published.value), numberKey(row.difference), label,
                 role, verdict};
    made.tips = {whole, whole, {}, {}, {}, {}, roleMeaning(row.role), verdictReason(row)};
    made.marks = {{EvaluationTable::role, role, roleIcon, nullptr},
                  {EvaluationTable::verdict, verdict, verdictMark, verdictInk}};
    return made;
}

std::vector<ValueColumn> evaluationColumns() {
    const auto tr = [](const char* words) { return EvaluationTable::tr(words); };
    return {{tr("Item"), true, tr("The name of the row in figures and on the command line"), true},
            {tr("Quantity"), true, tr("The quantity that is compared")},
            {tr("Ours"), false, tr("The simulated number")},
            {tr("Published"), false, tr("The number that the source prints, or what the document claims")},
            {tr("Difference"), false, tr("Ours divided by published, minus 1; for percentages, ours minus published")},
            {tr("Label"), true,
             tr("Where the published number was read: in the source itself, in notes about it, or computed")},
            {tr("Role"), true, tr("How the published number is used")},
            {tr("Verdict"), true, tr("Whether our number is within the allowed range")}};
}

constexpr int kLeastWords = 16;  // minimum width of the columns Item and Quantity, in digits
constexpr int kWidestCell = 34;  // maximum width of the other columns, in digits

}  // namespace

EvaluationTable::EvaluationTable(QWidget* parent) : ValueTable(parent) {
    setNames(*this, QStringLiteral("evaluationRows"), tr("Rows of the evaluation"));
    setSorted();
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    showRows(evaluationColumns(), std::vector<ValueRow>());
}

void EvaluationTable::setItems(std::vector<data::ReproducedItem> items) {
    const auto id = [](const data::ReproducedItem& row) -> const std::string& { return row.published.id; };
    const bool same = std::ranges::equal(items, m_items, {}, id, id);
    m_items = std::move(items);
    if (!same)
        showRows(evaluationColumns(), std::vector<ValueRow>());
    std::vector<ValueRow> rows(m_items.size());
    std::ranges::transform(m_items, rows.begin(), rowOf);
    showRows(evaluationColumns(), std::move(rows));
}

void EvaluationTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

void EvaluationTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitColumns();
}

// Sizes columns by the widest of the first rows. The column Item, which distinguishes the rows, gets the width that it
// needs as long as the column Quantity keeps its minimum, and Quantity gets the rest; the view shows the full texts of
// the current row. On a wide screen no column is wider than it needs to be, so that the numbers are near the items.
void EvaluationTable::fitColumns() {
    constexpr std::size_t kMeasured = 200;
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 8 / 5);
    const auto wanted = [&](int column) {
        int width = horizontalHeader()->sectionSizeHint(column);
        for (std::size_t row = 0; row < std::min(kMeasured, rows().size()); ++row)
            width = std::max(width, fontMetrics().horizontalAdvance(rows()[row].cells[column]) + 3 * digit);
        return width;
    };
    int room = viewport()->width();
    for (const int column : {ours, published, difference, label, role, verdict}) {
        const bool hasMark = column == role || column == verdict;
        const int width =
            std::min(wanted(column), kWidestCell * digit) + (hasMark ? fontMetrics().height() * 5 / 4 : 0);
        setColumnWidth(column, width);
        room -= width;  // not columnWidth(), because the last column may be stretched
    }
    const int widthOfItem = std::max(std::min(wanted(item), room - kLeastWords * digit), kLeastWords * digit);
    setColumnWidth(item, widthOfItem);
    int words = 0;
    for (const ValueRow& row : rows())
        words = std::max(words, fontMetrics().horizontalAdvance(row.cells[what]) + 3 * digit);
    setColumnWidth(what, std::clamp(words, kLeastWords * digit, std::max(kLeastWords * digit, room - widthOfItem)));
}

}  // namespace ui
