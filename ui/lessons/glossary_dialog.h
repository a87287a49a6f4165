#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace ui {

/// The glossary: terms sorted by name, with a search field above and the sentences of the selected term below.
class GlossaryDialog final : public QDialog {
    Q_OBJECT

public:
    explicit GlossaryDialog(QWidget* parent = nullptr);

    /// Selects a term. Does nothing if no term has this id.
    void showTerm(const QString& id);
    /// Returns the id of the selected term, or an empty text if the search finds none.
    QString shownTerm() const;

Q_SIGNALS:
    /// The user wants to see a part of a GPU; `word` names it.
    void partRequested(const QString& word);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void report();

    QLineEdit* m_search;
    QListWidget* m_terms;
    QLabel* m_text;
    QPushButton* m_show;
};

}  // namespace ui
