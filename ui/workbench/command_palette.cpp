#include "ui/workbench/command_palette.h"

#include "ui/look/palette.h"
#include "ui/workbench/palette_model.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

constexpr int kRowsShown = 12;

/// The letters that were found stand out; where it belongs and its keys stay in the background.
class EntryPainter final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {0, option.fontMetrics.height() * 9 / 5};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Palette& colors = paletteOf(*option.widget);
        const bool marked = option.state.testFlag(QStyle::State_Selected);
        painter->save();
        if (marked)
            painter->fillRect(option.rect, colors.accent);
        const QColor faint = marked ? colors.onAccent : colors.inkFaint;
        const QColor ink = marked ? colors.onAccent : colors.ink;
        const int pad = option.fontMetrics.averageCharWidth() * 2;
        QRect room = option.rect.adjusted(pad, 0, -pad, 0);
        const QString keys = index.data(PaletteModel::keys).toString();
        painter->setFont(option.font);
        painter->setPen(faint);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, keys);
        if (!keys.isEmpty())
            room.setRight(room.right() - option.fontMetrics.horizontalAdvance(keys) - pad);
        const int left = paintText(*painter, option, index, room, ink);
        painter->setPen(faint);
        painter->drawText(room.adjusted(left + pad, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          index.data(PaletteModel::where).toString());
        painter->restore();
    }

private:
    /// How far it came.
    static int paintText(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                         const QRect& room, const QColor& ink) {
        const QString text = index.data().toString();
        const auto found = index.data(PaletteModel::positions).value<QList<int>>();
        QFont strong = option.font;
        strong.setWeight(QFont::Bold);
        painter.setPen(ink);
        double x = 0;
        for (qsizetype at = 0; at < text.size();) {
            const bool isFound = std::binary_search(found.begin(), found.end(), static_cast<int>(at));
            qsizetype end = at + 1;
            while (end < text.size() &&
                   std::binary_search(found.begin(), found.end(), static_cast<int>(end)) == isFound)
                ++end;
            const QString piece = text.mid(at, end - at);
            painter.setFont(isFound ? strong : option.font);
            painter.drawText(QRectF(room).adjusted(x, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, piece);
            x += QFontMetricsF(painter.font()).horizontalAdvance(piece);
            at = end;
        }
        painter.setFont(option.font);
        return static_cast<int>(x);
    }
};

}  // namespace

CommandPalette::CommandPalette(QWidget& window)
    : Overlay(window), m_typed(new QLineEdit(this)), m_list(new QListView(this)), m_nothing(new QLabel(this)),
      m_model(new PaletteModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    m_typed->setPlaceholderText(tr("Find a command, a parameter or a preset"));
    m_typed->setAccessibleName(tr("Find a command, a parameter or a preset"));
    m_typed->setClearButtonEnabled(true);
    m_typed->setMinimumHeight(fontMetrics().height() * 2);
    m_typed->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EntryPainter(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("What was found"));
    m_nothing->setText(tr("Nothing of that name. Fewer letters find more."));
    m_nothing->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    const int gap = fontMetrics().averageCharWidth();
    column->setContentsMargins(gap, gap, gap, gap);
    column->setSpacing(gap);
    column->addWidget(m_typed);
    column->addWidget(m_list, 1);
    column->addWidget(m_nothing, 1);
    connect(m_typed, &QLineEdit::textChanged, this, &CommandPalette::find);
    connect(m_list, &QListView::clicked, this, &CommandPalette::chooseMarked);
}

void CommandPalette::openWith(std::vector<PaletteEntry> entries) {
    m_model->setEntries(std::move(entries));
    m_typed->clear();
    find({});
    open();
}

QRect CommandPalette::placeIn(const QRect& area) const {
    const int em = fontMetrics().averageCharWidth(), line = fontMetrics().height();
    const int width = std::min(em * 100, area.width() - em * 4);
    const int height = std::min(line * 4 + line * 9 / 5 * kRowsShown, area.height() - line * 4);
    return {area.x() + (area.width() - width) / 2, area.y() + line * 3, width, height};
}

QWidget* CommandPalette::firstFocus() { return m_typed; }

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_typed || event->type() != QEvent::KeyPress)
        return Overlay::eventFilter(watched, event);
    const int row = m_list->currentIndex().row();
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: mark(row + 1); return true;
    case Qt::Key_Up: mark(row - 1); return true;
    case Qt::Key_PageDown: mark(row + kRowsShown); return true;
    case Qt::Key_PageUp: mark(row - kRowsShown); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: chooseMarked(); return true;
    default: return false;
    }
}

void CommandPalette::find(const QString& typed) {
    m_model->find(typed);
    m_list->setVisible(m_model->rowCount() > 0);
    m_nothing->setVisible(m_model->rowCount() == 0);
    mark(0);
}

void CommandPalette::mark(int row) {
    if (m_model->rowCount() > 0)
        m_list->setCurrentIndex(m_model->index(std::clamp(row, 0, m_model->rowCount() - 1), 0));
}

void CommandPalette::chooseMarked() {
    const QModelIndex marked = m_list->currentIndex();
    if (!marked.isValid())
        return;
    const std::function<void()> choose = m_model->entryAt(marked.row()).choose;
    dismiss();
    choose();
}

}  // namespace ui
