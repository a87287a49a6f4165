#pragma once

#include "data/store.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

class QLabel;
class QTreeWidget;

namespace ui {

/// The runs that were kept, newest first. Enter or a double click opens one again.
class RunsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RunsPanel(QWidget* parent = nullptr);

    void showRuns(const std::vector<data::StoredRun>& runs);
    /// In place of a list, for when nothing is kept and why.
    void showReason(const QString& reason);

Q_SIGNALS:
    void openRequested(qint64 id);
    void removeRequested(qint64 id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTreeWidget* m_list;
    QLabel* m_reason;
};

}  // namespace ui
