#pragma once

#include <QDialog>

#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace ui {

/// Asks for the name of an own preset and says, while it is typed, what is wrong with it or what it would replace.
class PresetNameDialog final : public QDialog {
    Q_OBJECT

public:
    struct Verdict {
        QString problem;  ///< the name cannot be used; empty: it can
        QString remark;   ///< what becomes of it
    };
    using Judge = std::function<Verdict(const QString& name)>;

    PresetNameDialog(const QString& title, const QString& verb, const QString& name, Judge judge,
                     QWidget* parent = nullptr);

Q_SIGNALS:
    void nameChosen(const QString& name);

private:
    void judge();

    Judge m_judge;
    QLineEdit* m_name;
    QLabel* m_verdict;
    QPushButton* m_ok;
};

}  // namespace ui
