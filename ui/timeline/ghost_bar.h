#pragma once

#include "data/replay/shown_run.h"

#include <QFrame>

#include <memory>

class QLabel;
class QToolButton;

namespace ui {

/// What is pinned: its policy, then the settings that differ from `shown`; at most three and how many more.
QString pinnedText(const data::ShownRun& pinned, const engine::Experiment& shown);

/// A line that tells which run the outlines and differences belong to, with the ways back to it and out of it.
/// There only while something is pinned.
class GhostBar final : public QFrame {
    Q_OBJECT

public:
    explicit GhostBar(QWidget* parent = nullptr);

    /// Nothing: no run is pinned, the bar goes.
    void showPinned(const std::shared_ptr<const data::ShownRun>& pinned, const engine::Experiment& shown);
    QString text() const;

Q_SIGNALS:
    /// The pinned experiment is to be edited again.
    void restoreRequested();
    void unpinRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void tintIcons();
    void elide();

    QString m_full;
    QLabel* m_text;
    QToolButton* m_restore;
    QToolButton* m_unpin;
};

}  // namespace ui
