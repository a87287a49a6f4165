#pragma once

#include <QStatusBar>
#include <QStringList>

class QLabel;
class QToolButton;

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// The foot of the window: what was simulated at what cost, whether its invariants hold, how many notices it has.
class StatusLine final : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void showRun(const data::ShownRun& run);
    /// Something of the picture is hidden: "2 lanes hidden"; empty when nothing is.
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
