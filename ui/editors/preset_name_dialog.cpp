#include "ui/editors/preset_name_dialog.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

PresetNameDialog::PresetNameDialog(const QString& title, const QString& verb, const QString& name, Judge judge,
                                   QWidget* parent)
    : QDialog(parent), m_judge(std::move(judge)), m_name(new QLineEdit(name, this)), m_verdict(newWrappedLabel(this)) {
    setObjectName(QStringLiteral("presetName"));
    setWindowTitle(title);
    m_name->setAccessibleName(tr("Name"));
    m_name->setPlaceholderText(tr("Name"));
    m_name->setMinimumWidth(fontMetrics().averageCharWidth() * 44);
    m_name->selectAll();
    m_verdict->setMinimumHeight(fontMetrics().lineSpacing() * 2);
    m_verdict->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QDialogButtonBox* buttons = acceptOrCancel(*this, QDialogButtonBox::Ok, verb);
    m_ok = buttons->button(QDialogButtonBox::Ok);
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
    setInk(*m_verdict, wrong ? colors.error : colors.inkSoft);
}

}  // namespace ui
