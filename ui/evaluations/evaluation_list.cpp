#include "ui/evaluations/evaluation_list.h"

#include "ui/look/plain_tip.h"
#include "ui/look/two_line_delegate.h"
#include "ui/look/widget_parts.h"

#include <QSignalBlocker>

namespace ui {
namespace {

enum EvaluationListRole : int { evaluationStateRole = Qt::UserRole, evaluationShareRole };

}  // namespace

EvaluationList::EvaluationList(QWidget* parent) : QListWidget(parent) {
    setNames(*this, QStringLiteral("evaluationList"), tr("Evaluations"));
    setItemDelegate(new TwoLineDelegate({evaluationStateRole, evaluationShareRole, {}}, this));
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
        item(i)->setToolTip(plainTip(listed.tip));
    }
    setCurrentRow(static_cast<int>(chosen));
}

QSize EvaluationList::sizeHint() const { return {fontMetrics().averageCharWidth() * 26, fontMetrics().height() * 12}; }

}  // namespace ui
