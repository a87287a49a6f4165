#include "ui/editors/form_section.h"

#include "ui/editors/parameter_field.h"
#include "ui/look/relative_font.h"
#include "ui/look/tinted_icon.h"
#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

FormSection::FormSection(const QString& title, QWidget* parent)
    : QWidget(parent), m_title(title), m_header(new QToolButton(this)), m_body(new QWidget(this)),
      m_fields(new QVBoxLayout(m_body)) {
    m_header->setAutoRaise(true);
    m_header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_header->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_header->setIconSize({12, 12});
    m_header->setFont(strongFont(m_header->font()));
    connect(m_header, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    m_fields->setContentsMargins(20, 0, 0, 4);
    m_fields->setSpacing(2);
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    column->addWidget(m_header);
    column->addWidget(m_body);
    m_body->hide();
    updateHeader();
    followColours(*this, [this] { updateIcon(); });
}

void FormSection::addField(ParameterField* field) {
    m_fields->addWidget(field);
    m_all << field;
}

void FormSection::setOpen(bool open) {
    m_open = open;
    m_body->setVisible(open);
    updateIcon();
}

void FormSection::showSummary(int changed, int problems) {
    m_changed = changed;
    m_problems = problems;
    updateHeader();
}

void FormSection::applyFilter(const QString& words, bool onlyChanged) {
    const bool filters = onlyChanged || !words.isEmpty();
    bool any = false;
    for (ParameterField* field : m_all) {
        const bool found = words.isEmpty() ? field->isUsed() || field->concerns() : field->matches(words);
        const bool hit = found && (!onlyChanged || field->concerns());
        field->setVisible(hit);
        any = any || hit;
    }
    setVisible(any);
    m_body->setVisible(filters ? any : m_open);
}

void FormSection::updateHeader() {
    QString text = m_title;
    if (m_changed > 0)
        text += tr("  ·  %1 changed").arg(m_changed);
    if (m_problems == 1)
        text += tr("  ·  1 problem");
    if (m_problems > 1)
        text += tr("  ·  %1 problems").arg(m_problems);
    m_header->setText(text);
    m_header->setAccessibleName(text);
}

void FormSection::updateIcon() {
    m_header->setIcon(tintedIcon(m_open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), *this));
}

}  // namespace ui
