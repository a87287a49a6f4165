#include "ui/evaluations/evaluation_list.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include <cmath>

namespace ui {
namespace {

enum EvaluationListRole : int { evaluationStateRole = Qt::UserRole, evaluationShareRole };

class EvaluationListDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {0, option.fontMetrics.height() * 31 / 10};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        plain.state &= ~QStyle::State_HasFocus;
        option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &plain, painter, option.widget);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const Palette& colors = paletteOf(*option.widget);
        const int line = option.fontMetrics.height();
        const QRect box = option.rect.adjusted(line * 3 / 4, line * 2 / 5, -line * 3 / 4, -line * 2 / 5);
        const auto write = [&](const QColor& ink, Qt::Alignment where, const QString& words) {
            painter->setPen(selected ? colors.onAccent : ink);
            painter->drawText(box, static_cast<int>(Qt::AlignLeft | where),
                              option.fontMetrics.elidedText(words, Qt::ElideRight, box.width()));
        };
        write(colors.ink, Qt::AlignTop, index.data().toString());
        write(colors.inkFaint, Qt::AlignBottom, index.data(evaluationStateRole).toString());
        const double share = index.data(evaluationShareRole).toDouble();
        if (share >= 1)
            return;
        const QRect whole(box.left(), option.rect.bottom() - 3, box.width(), 2);
        painter->fillRect(whole, selected ? Palette::mixed(colors.accent, colors.onAccent, 0.4) : colors.line);
        painter->fillRect(QRect(whole.topLeft(), QSize(static_cast<int>(std::lround(share * whole.width())), 2)),
                          selected ? colors.onAccent : colors.accent);
    }
};

}  // namespace

EvaluationList::EvaluationList(QWidget* parent) : QListWidget(parent) {
    setNames(*this, QStringLiteral("evaluationList"), tr("Evaluations"));
    setItemDelegate(new EvaluationListDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void EvaluationList::show(const std::vector<ListedEvaluation>& evaluations, std::size_t chosen) {
    const QSignalBlocker quiet(this);
    while (count() > static_cast<int>(evaluations.size()))
        delete takeItem(count() - 1);
    while (count() < static_cast<int>(evaluations.size()))
        addItem(QString());
    for (int i = 0; i < count(); ++i) {
        const ListedEvaluation& listed = evaluations[static_cast<std::size_t>(i)];
        item(i)->setText(listed.title);
        item(i)->setData(evaluationStateRole, listed.state);
        item(i)->setData(evaluationShareRole, listed.share);
        item(i)->setData(Qt::AccessibleDescriptionRole, listed.state);
        item(i)->setToolTip(listed.tip);
    }
    setCurrentRow(static_cast<int>(chosen));
}

QSize EvaluationList::sizeHint() const { return {fontMetrics().averageCharWidth() * 26, fontMetrics().height() * 12}; }

}  // namespace ui
