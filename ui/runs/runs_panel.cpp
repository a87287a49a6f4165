#include "ui/runs/runs_panel.h"

#include "ui/look/format.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

#include <QAction>
#include <QDateTime>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace ui {
namespace {

constexpr int kIdRole = Qt::UserRole;

QString whenText(std::int64_t unixMs) {
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(unixMs);
    const bool today = when.date() == QDate::currentDate();
    return when.toString(today ? QStringLiteral("HH:mm:ss") : QStringLiteral("yyyy-MM-dd HH:mm"));
}

/// Splits the name of a run into case, policy and further settings.
QStringList partsOf(const QString& name) {
    QStringList parts = name.split(QStringLiteral(", "));
    const qsizetype space = parts.front().indexOf(u' ');
    if (space > 0) {
        parts.insert(1, parts.front().mid(space + 1));
        parts.front().truncate(space);
    }
    return parts;
}

// Returns the name without the parts that the run above has too, because the panel is narrow and most neighbours differ
// in few parts.
QString textBelow(const QString& above, const QString& name) {
    const QStringList known = partsOf(above);
    QStringList own = partsOf(name);
    own.removeIf([&known](const QString& part) { return known.contains(part); });
    return above.isEmpty() || own.isEmpty() ? name : QStringLiteral("… ") + own.join(QStringLiteral(", "));
}

}  // namespace

RunsPanel::RunsPanel(QWidget* parent)
    : QWidget(parent), m_list(new QTreeWidget(this)), m_reason(newWrappedLabel(this)) {
    setNames(*m_list, QStringLiteral("runs"), tr("Kept runs"));
    m_list->setColumnCount(3);
    m_list->setHeaderLabels({tr("Experiment"), tr("Total"), tr("Speed-up")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_list->header()->setMinimumSectionSize(40);
    m_list->headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    m_list->headerItem()->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    m_list->installEventFilter(this);
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const qint64 id = item->data(0, kIdRole).toLongLong(); id > 0)
            Q_EMIT openRequested(id);
        else
            Q_EMIT allRequested();
    });

    auto* remove = new QAction(tr("Remove from the Store"), m_list);
    connect(remove, &QAction::triggered, this, [this] {
        const QTreeWidgetItem* item = m_list->currentItem();
        if (item != nullptr && item->data(0, kIdRole).toLongLong() > 0)
            Q_EMIT removeRequested(item->data(0, kIdRole).toLongLong());
    });
    m_list->addAction(remove);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);

    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->setMargin(16);
    auto* column = flushLayout<QVBoxLayout>(this);
    addWidgets(*column, {m_list, m_reason});
    showReason(tr("Finished runs are kept here. Open one with a double click."));
}

void RunsPanel::showRuns(const std::vector<data::StoredRun>& runs, std::int64_t all) {
    if (runs.empty()) {
        showReason(tr("Finished runs are kept here. Open one with a double click."));
        return;
    }
    const QTreeWidgetItem* current = m_list->currentItem();
    const qint64 selected = current != nullptr ? current->data(0, kIdRole).toLongLong() : -1;
    m_list->clear();
    QString above;
    for (const data::StoredRun& run : runs) {
        const QString name = QString::fromStdString(run.name);
        const QString speedup =
            run.speedup ? QString::number(*run.speedup, 'f', 3) + QStringLiteral("×") : QStringLiteral("–");
        auto* item = new QTreeWidgetItem(m_list, {textBelow(above, name), formatTime(run.totalPs), speedup});
        item->setData(0, Qt::AccessibleTextRole, name);
        item->setData(0, kIdRole, static_cast<qint64>(run.id));
        item->setSizeHint(0, {0, fontMetrics().height() * 3 / 2});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        const QString tip =
            plainTip(tr("%1\nKept %2, engine %3\nEnter or double click opens it")
                         .arg(name, whenText(run.createdUnixMs), QString::fromStdString(run.engineVersion)));
        for (int column = 0; column < 3; ++column)
            item->setToolTip(column, tip);
        if (run.id == selected)
            m_list->setCurrentItem(item);
        above = name;
    }
    if (const std::int64_t more = all - static_cast<std::int64_t>(runs.size()); more > 0) {
        auto* item = new QTreeWidgetItem(m_list, {tr("… and %1 more in the view Runs (F6)").arg(formatCount(more))});
        item->setFirstColumnSpanned(true);
        item->setForeground(0, palette().placeholderText());
        item->setToolTip(0, tr("Enter or double click shows all runs"));
    }
    m_reason->hide();
    m_list->show();
}

void RunsPanel::showReason(const QString& reason) {
    m_list->hide();
    m_reason->setText(reason);
    m_reason->show();
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_list && event->type() == QEvent::KeyPress && m_list->currentItem() != nullptr) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const qint64 id = m_list->currentItem()->data(0, kIdRole).toLongLong();
        if (key->key() == Qt::Key_Delete && id > 0) {
            Q_EMIT removeRequested(id);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace ui
