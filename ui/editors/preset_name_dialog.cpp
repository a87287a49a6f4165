#include "ui/editors/preset_name_dialog.h"

#include "ui/look/palette.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

PresetNameDialog::PresetNameDialog(const QString& title, const QString& verb, const QString& name, Judge judge,
                                   QWidget* parent)
    : QDialog(parent), m_judge(std::move(judge)), m_name(new QLineEdit(name, this)), m_verdict(new QLabel(this)) {
    setObjectName(QStringLiteral("presetName"));
    setWindowTitle(title);
    m_name->setAccessibleName(tr("Name"));
    m_name->setPlaceholderText(tr("Name"));
    m_name->setMinimumWidth(fontMetrics().averageCharWidth() * 44);
    m_name->selectAll();
    m_verdict->setWordWrap(true);
    m_verdict->setMinimumHeight(fontMetrics().lineSpacing() * 2);
    m_verdict->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_ok->setText(verb);
    for (QAbstractButton* button : buttons->buttons())
        button->setIcon({});
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_name, &QLineEdit::textChanged, this, &PresetNameDialog::judge);
    connect(this, &QDialog::accepted, this, [this] { Q_EMIT nameChosen(m_name->text().trimmed()); });
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_name);
    column->addWidget(m_verdict);
    column->addWidget(buttons);
    this->judge();
}

void PresetNameDialog::judge() {
    const QString name = m_name->text().trimmed();
    const Verdict verdict = m_judge(name);
    m_ok->setEnabled(verdict.problem.isEmpty());
    // An empty field needs no reproach.
    const bool wrong = !verdict.problem.isEmpty() && !name.isEmpty();
    m_verdict->setText(wrong ? verdict.problem : verdict.remark);
    m_name->setAccessibleDescription(m_verdict->text());
    const Palette& colors = paletteOf(*this);
    QPalette words = m_verdict->palette();
    words.setColor(QPalette::WindowText, wrong ? colors.error : colors.inkSoft);
    m_verdict->setPalette(words);
}

}  // namespace ui
