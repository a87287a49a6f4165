#pragma once

#include "data/store/store.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

class QLabel;
class QTreeWidget;

namespace ui {

/// The newest kept runs, newest first. Enter or a double click opens a run; the Runs view lists all runs.
class RunsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RunsPanel(QWidget* parent = nullptr);

    /// Shows the newest runs; `all` is the number of all kept runs.
    void showRuns(const std::vector<data::StoredRun>& runs, std::int64_t all);
    /// Shows in place of a list why no runs are kept.
    void showReason(const QString& reason);

Q_SIGNALS:
    void openRequested(qint64 id);
    void removeRequested(qint64 id);
    void allRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTreeWidget* m_list;
    QLabel* m_reason;
};

}  // namespace ui
