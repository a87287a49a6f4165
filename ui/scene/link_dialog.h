#pragma once

#include "data/experiment/scene_document.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace ui {

/// Dialog for a pasted link text: shows at once what the link would open, or what is wrong with it. Starts with the
/// clipboard's text if it is a link.
class LinkDialog final : public QDialog {
    Q_OBJECT

public:
    explicit LinkDialog(QWidget* parent = nullptr);

    /// Describes a scene: "T-NLG FC-2 …, at 184.2 µs, in the timeline view".
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
