#pragma once

#include "data/store/store.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

class QLabel;
class QTreeWidget;

namespace ui {

/// The runs that were kept last, newest first. Enter or a double click opens one again; the Runs view has them all.
class RunsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RunsPanel(QWidget* parent = nullptr);

    /// `all`: how many there are, of which `runs` are the newest.
    void showRuns(const std::vector<data::StoredRun>& runs, std::int64_t all);
    /// In place of a list, for when nothing is kept and why.
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
