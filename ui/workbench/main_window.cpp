#include "ui/workbench/main_window.h"

#include "ui/workbench/documents.h"
#include "ui/workbench/field_wheel.h"

#include <QChildEvent>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QIcon>
#include <QTabBar>

namespace ui {

MainWindow::MainWindow(const WorkbenchConfig& config, QWidget* parent)
    : QMainWindow(parent), m_workbench(*this, config) {
    setWindowTitle(tr("Ringside"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/ringside.svg")));
    setAcceptDrops(true);
    new FieldWheel(this);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    Q_EMIT m_workbench.closing();
    event->accept();
}

// Names the tab bars of the panels, which Qt creates when it needs them.
void MainWindow::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    auto* tabs = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr;
    if (tabs != nullptr)
        tabs->setAccessibleName(tr("Panels"));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (m_workbench.documents().canDrop(*event->mimeData()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    m_workbench.documents().drop(*event->mimeData());
}

}  // namespace ui
