#include "ui/why/chain_list.h"

#include "ui/look/cause_style.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/why/reason_chain.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

enum ChainRole { linkRole = Qt::UserRole, timesRole, causeRole };

/// Draws a link: its wrapped sentence, below that time and cause in a fainter colour, and before both a bar in the
/// cause's colour.
class LinkDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto* list = qobject_cast<const QListWidget*>(option.widget);
        const int width = list != nullptr ? list->viewport()->width() : option.rect.width();
        const int line = option.fontMetrics.height();
        const QRect text = option.fontMetrics.boundingRect(QRect(0, 0, width - inset(option), 10'000), Qt::TextWordWrap,
                                                           index.data().toString());
        const bool timed = !index.data(timesRole).toString().isEmpty();
        return {width, text.height() + (timed ? line : 0) + line / 2};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Palette& colors = paletteOf(*option.widget);
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        const int line = option.fontMetrics.height();
        painter->save();
        painter->fillRect(option.rect, selected ? option.palette.color(QPalette::Highlight) : colors.surface);
        const QVariant cause = index.data(causeRole);
        if (cause.isValid()) {
            const QRectF bar = barOf(option);
            paintFill(*painter, bar, fillOf(static_cast<engine::Cause>(cause.toInt()), colors), line * 0.4);
            if (selected) {
                painter->setPen(option.palette.color(QPalette::HighlightedText));
                painter->setBrush(Qt::NoBrush);
                painter->drawRect(bar);
            }
        }
        const QRect box = option.rect.adjusted(inset(option) - line / 2, line / 4, -line / 2, -line / 4);
        const QString times = index.data(timesRole).toString();
        painter->setFont(option.font);
        painter->setPen(selected          ? option.palette.color(QPalette::HighlightedText)
                        : cause.isValid() ? colors.ink
                                          : colors.inkSoft);
        painter->drawText(box, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, index.data().toString());
        painter->setPen(selected ? option.palette.color(QPalette::HighlightedText) : colors.inkSoft);
        painter->drawText(box, Qt::AlignLeft | Qt::AlignBottom,
                          option.fontMetrics.elidedText(times, Qt::ElideRight, box.width()));
        painter->restore();
    }

private:
    static QRectF barOf(const QStyleOptionViewItem& option) {
        const int line = option.fontMetrics.height();
        return QRectF(option.rect.left() + line * 0.3, option.rect.top() + line * 0.2, line * 0.5,
                      option.rect.height() - line * 0.4);
    }
    static int inset(const QStyleOptionViewItem& option) { return option.fontMetrics.height() * 9 / 4; }
};

}  // namespace

ChainList::ChainList(QWidget* parent) : QListWidget(parent) {
    setNames(*this, QStringLiteral("reasonChain"), tr("Cause chain, the latest first"));
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(new LinkDelegate(this));
    setWordWrap(true);
    setResizeMode(QListView::Adjust);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(this, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr && !m_filling && item->data(linkRole).isValid())
            Q_EMIT linkChosen(item->data(linkRole).toULongLong());
    });
    // A click on the current row chooses its link again, because its span may have been scrolled out of view.
    connect(this, &QListWidget::itemClicked, this, &ChainList::reach);
    connect(this, &QListWidget::itemActivated, this, &ChainList::reach);
}

void ChainList::showChain(std::shared_ptr<const ReasonChain> chain, std::optional<std::size_t> from) {
    m_filling = true;
    clear();
    m_chain = std::move(chain);
    m_from = m_chain && from && *from < m_chain->links().size() ? from : std::nullopt;
    if (m_from) {
        append(kLinks);
        setCurrentRow(0);
    }
    m_filling = false;
}

std::optional<std::size_t> ChainList::currentLink() const {
    const QListWidgetItem* item = currentItem();
    return item != nullptr && item->data(linkRole).isValid()
               ? std::optional<std::size_t>(item->data(linkRole).toULongLong())
               : std::nullopt;
}

void ChainList::append(int count) {
    const auto shown = static_cast<std::size_t>(this->count());
    const std::size_t all = *m_from + 1;
    const std::size_t until = std::min(all, shown + static_cast<std::size_t>(count));
    for (std::size_t i = shown; i < until; ++i) {
        const std::size_t link = *m_from - i;
        const QString times = reasonTimes(*m_chain, link);
        QString sentence = i == 0 ? firstReason(*m_chain, link) : furtherReason(*m_chain, link);
        auto* item = new QListWidgetItem(sentence, this);
        item->setData(linkRole, static_cast<qulonglong>(link));
        item->setData(timesRole, times);
        item->setData(causeRole, static_cast<int>(m_chain->links()[link].cause()));
        item->setData(Qt::AccessibleTextRole, sentence + QStringLiteral(", ") + times);
        item->setToolTip(sentence + QLatin1Char('\n') + times);
    }
    if (until < all)
        new QListWidgetItem(tr("… %1 earlier links").arg(all - until), this);
}

void ChainList::reach(QListWidgetItem* item) {
    if (item->data(linkRole).isValid()) {
        Q_EMIT linkChosen(item->data(linkRole).toULongLong());
        return;
    }
    const int next = count() - 1;
    m_filling = true;
    delete takeItem(next);
    append(kLinks);
    m_filling = false;
    setCurrentRow(next);
}

}  // namespace ui
