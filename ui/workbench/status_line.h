#pragma once

#include <QStatusBar>
#include <QStringList>

class QLabel;
class QToolButton;

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// The status bar of the window: size and cost of the simulation, whether the invariants hold, and the number of
/// notices.
class StatusLine final : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void showRun(const data::ShownRun& run);
    /// Shows that the experiment is a whole model without a run.
    void showNoRun();
    /// Shows that a part of the picture is hidden: "2 lanes hidden"; empty if nothing is hidden.
    void showHidden(const QString& text);

Q_SIGNALS:
    void noticesRequested(const QString& text);
    void hiddenRequested();

private:
    QLabel* m_facts;
    QLabel* m_invariants;
    QToolButton* m_hidden;
    QToolButton* m_notices;
    QStringList m_noticeLines;
};

}  // namespace ui
