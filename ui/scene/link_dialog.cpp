#include "ui/scene/link_dialog.h"

#include "data/experiment/link_text.h"
#include "data/laboratory/laboratory.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

LinkDialog::LinkDialog(QWidget* parent)
    : QDialog(parent), m_link(new QPlainTextEdit(this)), m_verdict(newWrappedLabel(this)) {
    setObjectName(QStringLiteral("openLink"));
    setWindowTitle(tr("Open Link"));
    const int em = fontMetrics().averageCharWidth();
    m_link->setAccessibleName(tr("Link"));
    m_link->setPlaceholderText(tr("Paste a link here: it begins with ringside:"));
    m_link->setWordWrapMode(QTextOption::WrapAnywhere);
    m_link->setTabChangesFocus(true);
    m_link->setMinimumSize(em * 80, fontMetrics().lineSpacing() * 6);
    m_verdict->setMinimumHeight(fontMetrics().lineSpacing() * 3);
    m_verdict->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QDialogButtonBox* buttons = acceptOrCancel(*this, QDialogButtonBox::Open);
    m_open = buttons->button(QDialogButtonBox::Open);
    connect(m_link, &QPlainTextEdit::textChanged, this, &LinkDialog::judge);
    connect(this, &QDialog::accepted, this, [this] { Q_EMIT linkChosen(m_link->toPlainText()); });
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_link, 1);
    addWidgets(*column, {m_verdict, buttons});
    if (const QString text = QApplication::clipboard()->text(); data::looksLikeLink(text.toStdString())) {
        m_link->setPlainText(text);
        m_link->selectAll();  // so that another link that is pasted or typed replaces it
    }
    judge();
}

QString LinkDialog::summaryOf(const data::Scene& scene) {
    QStringList parts;
    if (scene.lesson)
        parts << (scene.lesson->name.empty()
                      ? tr("step %1 of a lesson contained in the link").arg(scene.lesson->step + 1)
                      : tr("step %1 of the lesson %2").arg(scene.lesson->step + 1).arg(text(scene.lesson->name)));
    if (scene.draft) {
        const engine::Experiment experiment = data::expand(*scene.draft).experiment;
        parts << tr("%1 under %2").arg(text(data::caseName(experiment)), text(engine::name(experiment.policy.preset)));
    }
    if (scene.moment)
        parts << (scene.moment->relative ? tr("at %1 of the run").arg(formatPercent(scene.moment->share))
                                         : tr("at %1").arg(formatTime(scene.moment->ps)));
    if (!scene.view.empty())
        parts << tr("in the %1 view").arg(text(scene.view));
    if (!scene.page.empty())
        parts << tr("on page %1").arg(text(scene.page));
    return parts.isEmpty() ? tr("This link is empty.") : tr("Opens %1.").arg(parts.join(QStringLiteral(", ")));
}

void LinkDialog::judge() {
    const QString written = m_link->toPlainText();
    const data::SceneReading reading = data::readLink(written.toStdString());
    QStringList lines;
    for (const engine::Problem& problem : reading.problems)
        lines << text(engine::describe(problem));
    m_open->setEnabled(lines.isEmpty());
    // An empty field is not an error.
    const bool wrong = !lines.isEmpty() && !written.trimmed().isEmpty();
    m_verdict->setText(lines.isEmpty() ? summaryOf(reading.scene) : wrong ? lines.first() : QString());
    m_link->setAccessibleDescription(m_verdict->text());
    const Palette& colors = paletteOf(*this);
    setInk(*m_verdict, wrong ? colors.error : colors.inkSoft);
}

}  // namespace ui
