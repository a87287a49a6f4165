#include "ui/runs/runs_delegate.h"

#include "ui/look/palette.h"
#include "ui/look/relative_font.h"
#include "ui/look/widget_events.h"
#include "ui/runs/runs_model.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace ui {

RunsDelegate::RunsDelegate(const RunsModel& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}

void RunsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    QStyleOptionViewItem plain = option;
    plain.state &= ~QStyle::State_HasFocus;  // the row is what is current, not one of its cells
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

int RunsDelegate::markWidth(const QFontMetrics& metrics) { return metrics.height() * 3 / 2; }

void RunsDelegate::paintMark(QPainter* painter, const QStyleOptionViewItem& option, bool open) {
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

int RunsDelegate::paintLetter(QPainter* painter, const QStyleOptionViewItem& option, std::int64_t id) const {
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

void RunsDelegate::paintTags(QPainter* painter, const QStyleOptionViewItem& option, const QStringList& tags) const {
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

// Enter ends the editing, and opens no timeline.
bool RunsDelegate::eventFilter(QObject* editor, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isEnter(static_cast<QKeyEvent*>(event)->key())) {
        event->accept();
        return true;
    }
    return QStyledItemDelegate::eventFilter(editor, event);
}

QWidget* RunsDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    if (auto* line = qobject_cast<QLineEdit*>(editor)) {
        const bool tags = m_model.columns()[static_cast<std::size_t>(index.column())].path == run_column::tags;
        line->setPlaceholderText(tags ? tr("words, a space between") : tr("a line about this run"));
        line->setAccessibleName(tags ? tr("Tags of the run") : tr("Note of the run"));
        line->setAutoFillBackground(true);
    }
    return editor;
}

}  // namespace ui
