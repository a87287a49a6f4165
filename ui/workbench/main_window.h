#pragma once

#include "ui/workbench/workbench.h"

#include <QMainWindow>

namespace ui {

/// The main window: it holds the workbench, into which features plug, and depends on no feature.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const WorkbenchConfig& config, QWidget* parent = nullptr);

    Workbench& workbench() { return m_workbench; }
    const Workbench& workbench() const { return m_workbench; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    Workbench m_workbench;
};

}  // namespace ui
