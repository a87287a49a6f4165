#include "ui/runs/sweep_list.h"

#include "ui/look/format.h"
#include "ui/look/plain_tip.h"
#include "ui/look/two_line_delegate.h"
#include "ui/look/widget_parts.h"
#include "ui/runs/run_columns.h"

#include <QApplication>
#include <QDateTime>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QStandardItemModel>

namespace ui {
namespace {

const QString kRemoved = QStringLiteral("*removed*");  // an id is hexadecimal digits

enum Role { idRole = Qt::UserRole, stateRole, whenRole, shareRole };

}  // namespace

QString sweepStateText(const data::StoredSweep& sweep) {
    const auto count = [](std::size_t number) { return formatCount(static_cast<std::int64_t>(number)); };
    const std::size_t ended = sweep.done + sweep.failed;
    QString text = ended >= sweep.points ? SweepList::tr("%1 points").arg(count(sweep.points))
                                         : SweepList::tr("%1 of %2 points").arg(count(ended), count(sweep.points));
    if (sweep.failed > 0)
        text += SweepList::tr(", %1 failed").arg(count(sweep.failed));
    return text;
}

SweepList::SweepList(QWidget* parent) : QListView(parent), m_items(new QStandardItemModel(this)) {
    setNames(*this, QStringLiteral("sweepList"), tr("All runs, or one of the sweeps"));
    setModel(m_items);
    setItemDelegate(new TwoLineDelegate({stateRole, shareRole, whenRole}, this));
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setUniformItemSizes(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(this, &QListView::doubleClicked, this, [this] {
        if (const auto sweep = chosen())
            Q_EMIT openRequested(QString::fromStdString(*sweep));
    });
    m_items->setColumnCount(1);
    showSweeps({}, 0, 0);
}

QSize SweepList::sizeHint() const { return {fontMetrics().averageCharWidth() * 32, fontMetrics().height() * 12}; }

void SweepList::showSweeps(const std::vector<data::StoredSweep>& sweeps, std::size_t runs, std::size_t removed) {
    const std::optional<std::string> before = chosen();
    const bool sawRemoved = choosesRemoved();
    const auto set = [this](int row, const QString& title, const QString& id, std::size_t count, const QString& tip) {
        const QString state = formatCount(static_cast<std::int64_t>(count));
        m_items->setItemData(m_items->index(row, 0), {{Qt::DisplayRole, title},
                                                      {idRole, id},
                                                      {stateRole, count == 1 ? tr("1 run") : tr("%1 runs").arg(state)},
                                                      {whenRole, QString()},
                                                      {shareRole, 1.0},
                                                      {Qt::ToolTipRole, tip}});
    };
    {
        const QScopedValueRollback quiet(m_quiet, true);
        const int last = static_cast<int>(sweeps.size()) + 1;
        m_items->setRowCount(removed > 0 || sawRemoved ? last + 1 : last);
        set(0, tr("All runs"), {}, runs, tr("All runs of the store, including the runs of sweeps"));
        for (std::size_t at = 0; at < sweeps.size(); ++at)
            setRow(static_cast<int>(at) + 1, sweeps[at]);
        if (m_items->rowCount() > last)
            set(last, tr("Removed"), kRemoved, removed, tr("Removed runs, which can be restored"));
        if (sawRemoved)
            setCurrentIndex(m_items->index(last, 0));
        else
            choose(before);
    }
    if (chosen() != before)
        Q_EMIT chosenChanged();
}

void SweepList::setRow(int row, const data::StoredSweep& sweep) {
    const QString label = QString::fromStdString(sweep.label.empty() ? sweep.id : sweep.label);
    const QString state = sweepStateText(sweep);
    const double ended = static_cast<double>(sweep.done + sweep.failed);
    m_items->setItemData(
        m_items->index(row, 0),
        {{Qt::DisplayRole, label},
         {idRole, QString::fromStdString(sweep.id)},
         {stateRole, state},
         {whenRole, whenText(sweep.createdUnixMs, QDateTime::currentMSecsSinceEpoch())},
         {shareRole, sweep.points == 0 ? 1.0 : ended / static_cast<double>(sweep.points)},
         {Qt::AccessibleTextRole, label + QStringLiteral(", ") + state},
         {Qt::ToolTipRole, plainTip(tr("%1\n%2, started %3\nEnter or double click shows it in the Sweep view")
                                        .arg(label, state, exactTimeText(sweep.createdUnixMs)))}});
}

std::optional<std::string> SweepList::chosen() const {
    const QString id = currentIndex().data(idRole).toString();
    return id.isEmpty() || id == kRemoved ? std::nullopt : std::optional(id.toStdString());
}

bool SweepList::choosesRemoved() const { return currentIndex().data(idRole).toString() == kRemoved; }

void SweepList::choose(const std::optional<std::string>& sweep) {
    int row = 0;
    for (int at = 1; sweep && at < m_items->rowCount(); ++at) {
        if (m_items->index(at, 0).data(idRole).toString().toStdString() == *sweep)
            row = at;
    }
    setCurrentIndex(m_items->index(row, 0));
}

void SweepList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    if (!m_quiet)
        Q_EMIT chosenChanged();
}

// Handles Enter here, because in the rest of the view it opens the selected run.
bool SweepList::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (isEnter(key)) {
            if (event->type() == QEvent::KeyPress && chosen())
                Q_EMIT openRequested(QString::fromStdString(*chosen()));
            event->accept();
            return true;
        }
        if (key == Qt::Key_Delete && event->type() == QEvent::ShortcutOverride)
            event->accept();  // no run is removed while this list has the focus
    }
    return QListView::event(event);
}

}  // namespace ui
