#pragma once

#include "data/replay/span_matches.h"

#include <QWidget>

#include <memory>

class QLabel;
class QLineEdit;
class QTimer;
class QToolButton;

namespace ui {

class ViewState;

/// A search field for spans: counts the matches while the user types, steps through them, and reports text that it
/// cannot parse.
class FindBar final : public QWidget {
    Q_OBJECT

public:
    /// `viewState` must outlive the bar.
    explicit FindBar(ViewState& viewState, QWidget* parent = nullptr);

    void showRun(std::shared_ptr<const data::Flow> flow);
    /// Opens the bar and selects the last search text, so that typing replaces it.
    void open();
    void close();
    void findNext() { step(true); }
    void findPrevious() { step(false); }
    const std::shared_ptr<const data::SpanMatches>& matches() const { return m_matches; }

Q_SIGNALS:
    /// The matches have changed; null if the bar is closed or its text is not a query.
    void matchesChanged(std::shared_ptr<const data::SpanMatches> matches);
    void spanFound(data::SpanRef span);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void search();
    void step(bool forward);
    void report();
    void style();

    ViewState& m_viewState;
    std::shared_ptr<const data::Flow> m_flow;
    std::shared_ptr<const data::SpanMatches> m_matches;
    QString m_problem;
    QLineEdit* m_words;
    QLabel* m_told;
    QToolButton* m_next;
    QToolButton* m_previous;
    QToolButton* m_close;
    QTimer* m_typing;
};

}  // namespace ui
