#pragma once

#include "data/experiment/scene_document.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace ui {

/// Takes a link text that somebody pastes and says at once what it would open, or what is wrong with it. Opens with what
/// the clipboard holds, where that is one.
class LinkDialog final : public QDialog {
    Q_OBJECT

public:
    explicit LinkDialog(QWidget* parent = nullptr);

    /// "T-NLG FC-2 …, at 184.2 µs, in the view timeline".
    static QString summaryOf(const data::Scene& scene);

Q_SIGNALS:
    void linkChosen(const QString& text);

private:
    void judge();

    QPlainTextEdit* m_link;
    QLabel* m_verdict;
    QPushButton* m_open;
};

}  // namespace ui
