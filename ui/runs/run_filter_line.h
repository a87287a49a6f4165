#pragma once

#include "data/store/run_catalogue.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QTimer;

namespace ui {

/// The line that says which runs are wanted. Reads along while somebody types, a moment behind; what it cannot
/// understand is told beneath the line, together with what is allowed, and the list stays as it was.
class RunFilterLine final : public QWidget {
    Q_OBJECT

public:
    explicit RunFilterLine(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text);
    /// Gives it the keyboard, with what is there marked, so that typing replaces it.
    void open();
    void clear();

Q_SIGNALS:
    /// Nothing: every run.
    void filterChanged(const std::optional<data::RunFilter>& filter);
    /// Down, Enter or Escape: to the list.
    void left();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void read();
    void style();

    QLineEdit* m_words;
    QLabel* m_problem;
    QAction* m_icon;
    QTimer* m_typing;
};

}  // namespace ui
