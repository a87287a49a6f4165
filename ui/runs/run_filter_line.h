#pragma once

#include "data/store/run_catalogue.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QTimer;

namespace ui {

/// The field for the filter of runs. Parses the text shortly after each change. If the text is invalid, a message below
/// the field describes the problem and what is allowed, and the list stays unchanged.
class RunFilterLine final : public QWidget {
    Q_OBJECT

public:
    explicit RunFilterLine(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text);
    /// Gives the field the focus and selects its text, so that typing replaces it.
    void open();
    void clear();

Q_SIGNALS:
    /// The filter has changed; an empty optional accepts every run.
    void filterChanged(const std::optional<data::RunFilter>& filter);
    /// Down, Enter or Escape was pressed: the focus should go to the list.
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
