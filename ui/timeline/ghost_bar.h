#pragma once

#include "data/replay/shown_run.h"

#include <QFrame>

#include <memory>

class QLabel;
class QToolButton;

namespace ui {

/// Describes the pinned run: its policy, then at most three settings that differ from `shown`, and how many more there
/// are.
QString pinnedText(const data::ShownRun& pinned, const engine::Experiment& shown);

/// A line that says which pinned run the outlines and differences belong to, with buttons to restore its experiment and
/// to unpin it. Visible only while a run is pinned.
class GhostBar final : public QFrame {
    Q_OBJECT

public:
    explicit GhostBar(QWidget* parent = nullptr);

    /// Shows the pinned run; null: no run is pinned, and the bar is hidden.
    void showPinned(const std::shared_ptr<const data::ShownRun>& pinned, const engine::Experiment& shown);
    QString text() const;

Q_SIGNALS:
    /// The user asked to restore the pinned experiment in the form.
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
