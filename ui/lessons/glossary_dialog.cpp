#include "ui/lessons/glossary_dialog.h"

#include "data/experiment/gpu_part.h"
#include "ui/look/glossary.h"
#include "ui/look/widget_parts.h"

#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {
namespace {

constexpr int kIdRole = Qt::UserRole, kTextRole = Qt::UserRole + 1;

bool isPartOfGpu(const QString& id) { return data::gpuPartOf(id.toStdString()).has_value(); }

/// Returns whether a key moves the selection in the list while the search field has the focus.
bool isForTheList(int key) {
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown;
}

}  // namespace

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit(this)), m_terms(new QListWidget(this)),
      m_text(newWrappedLabel(this, QStringLiteral("glossaryText"))) {
    setObjectName(QStringLiteral("glossary"));
    setWindowTitle(tr("Glossary"));
    setNames(*m_search, QStringLiteral("glossarySearch"), tr("Search the glossary"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    setNames(*m_terms, QStringLiteral("glossaryTerms"), tr("Terms"));
    for (const GlossaryTerm& term : glossary()) {
        auto* item = new QListWidgetItem(term.name, m_terms);
        item->setData(kIdRole, term.id);
        item->setData(kTextRole, term.text);
        item->setData(Qt::AccessibleDescriptionRole, term.text);
    }
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setRelativeFont(*m_text, 1.1);
    m_text->setMinimumHeight(m_text->fontMetrics().lineSpacing() * 5);
    const int em = fontMetrics().averageCharWidth();
    m_terms->setMinimumSize(em * 70, fontMetrics().lineSpacing() * 14);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_show = buttons->addButton(tr("Show in Inside One GPU"), QDialogButtonBox::ActionRole);
    m_show->setObjectName(QStringLiteral("glossaryShow"));
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT partRequested(shownTerm()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_search, &QLineEdit::textChanged, this, &GlossaryDialog::search);
    connect(m_terms, &QListWidget::currentItemChanged, this, &GlossaryDialog::report);
    auto* column = new QVBoxLayout(this);
    addWidgets(*column, {m_search, m_terms, m_text, buttons});
    column->setStretchFactor(m_terms, 1);
    m_terms->setCurrentRow(0);
    m_search->setFocus();
}

void GlossaryDialog::showTerm(const QString& id) {
    m_search->clear();
    for (int row = 0; row < m_terms->count(); ++row) {
        if (m_terms->item(row)->data(kIdRole).toString() == id)
            m_terms->setCurrentRow(row);
    }
}

QString GlossaryDialog::shownTerm() const {
    const QListWidgetItem* item = m_terms->currentItem();
    return item == nullptr ? QString() : item->data(kIdRole).toString();
}

/// Lists the terms whose name or sentences contain the search text. Selects the first term with the text in its name,
/// else the first term of the list.
void GlossaryDialog::search() {
    const QString typed = m_search->text().trimmed();
    QListWidgetItem *byName = nullptr, *byText = nullptr;
    for (int row = 0; row < m_terms->count(); ++row) {
        QListWidgetItem* item = m_terms->item(row);
        const bool inName = item->text().contains(typed, Qt::CaseInsensitive);
        const bool inText = inName || item->data(kTextRole).toString().contains(typed, Qt::CaseInsensitive);
        item->setHidden(!inText);
        if (inName && byName == nullptr)
            byName = item;
        if (inText && byText == nullptr)
            byText = item;
    }
    m_terms->setCurrentItem(byName != nullptr ? byName : byText);
    report();
}

void GlossaryDialog::report() {
    const QListWidgetItem* item = m_terms->currentItem();
    m_text->setText(item == nullptr ? tr("No term contains this text.") : item->data(kTextRole).toString());
    m_show->setVisible(isPartOfGpu(shownTerm()));
    if (item != nullptr)
        m_terms->scrollToItem(item);
}

bool GlossaryDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search || event->type() != QEvent::KeyPress ||
        !isForTheList(static_cast<QKeyEvent*>(event)->key()))
        return QDialog::eventFilter(watched, event);
    return QCoreApplication::sendEvent(m_terms, event);
}

}  // namespace ui
