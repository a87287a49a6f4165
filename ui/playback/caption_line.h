#pragma once

#include <QWidget>

#include <memory>

class QLabel;
class QToolButton;

namespace ui {

class ViewState;
struct ShownRun;

/// One line above the timeline: what happens at the cursor, in words, and whether the picture still belongs
/// to the settings.
class CaptionLine final : public QWidget {
    Q_OBJECT

public:
    /// `viewState` must outlive the line.
    explicit CaptionLine(ViewState& viewState, QWidget* parent = nullptr);

    void showRun(std::shared_ptr<const ShownRun> run);
    void showStale(bool stale);
    QString text() const;

Q_SIGNALS:
    void runRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fitHeight();
    QString summary() const;

    ViewState& m_viewState;
    std::shared_ptr<const ShownRun> m_run;
    QLabel* m_text;
    QToolButton* m_stale;
};

}  // namespace ui
