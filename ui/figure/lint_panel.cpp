#include "ui/figure/lint_panel.h"

#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

LintPanel::LintPanel(QWidget* parent) : QScrollArea(parent), m_headline(new QLabel), m_lines(new QVBoxLayout) {
    setNames(*this, QStringLiteral("figureLint"), tr("Objections of reviewers and format checkers"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inside = new QWidget;
    const int em = fontMetrics().averageCharWidth();
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(em * 2, em, em * 2, em);
    column->setSpacing(em / 2);
    column->addWidget(m_headline);
    column->addLayout(m_lines);
    column->addStretch(1);
    setWidget(inside);
    m_headline->setObjectName(QStringLiteral("figureLintHeadline"));
    m_headline->setWordWrap(true);
    setRelativeFont(*m_headline, 1, QFont::DemiBold);
    showNothing();
    onEvents(*this, {QEvent::PaletteChange, QEvent::FontChange}, [this] { rebuild(); });
}

QSize LintPanel::sizeHint() const {
    const int line = fontMetrics().height();
    return {line * 20, std::clamp(widget()->sizeHint().height(), line * 3, line * 9)};
}

void LintPanel::showFindings(std::vector<LintFinding> findings) {
    m_findings = std::move(findings);
    m_hasFigure = true;
    rebuild();
}

void LintPanel::showNothing() {
    m_findings.clear();
    m_hasFigure = false;
    rebuild();
}

QString LintPanel::headline() const { return m_headline->text(); }

void LintPanel::rebuild() {
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();  // deleted later, because one of its buttons may have caused this call
        delete item;
    }
    const auto refused = static_cast<int>(
        std::count_if(m_findings.begin(), m_findings.end(), [](const LintFinding& each) { return each.refused; }));
    const auto all = static_cast<int>(m_findings.size());
    m_headline->setText(!m_hasFigure  ? QString()
                        : all == 0    ? tr("No objections: the figure can go into a paper as it is.")
                        : all == 1    ? refused == 1 ? tr("One objection, a reason for refusal") : tr("One objection")
                           : refused > 0 ? tr("%1 objections, %2 of them reasons for refusal").arg(all).arg(refused)
                                      : tr("%1 objections").arg(all));
    for (std::size_t i = 0; i < m_findings.size(); ++i)
        m_lines->addWidget(lineOf(i));
    setAccessibleDescription(m_headline->text());
    updateGeometry();
}

QWidget* LintPanel::lineOf(std::size_t finding) {
    const LintFinding& each = m_findings[finding];
    const Palette& colours = paletteOf(*this);
    auto* line = new QWidget;
    auto* row = flushLayout<QHBoxLayout>(line);
    const int size = fontMetrics().height();
    auto* icon = new QLabel(line);
    icon->setPixmap(tintedIcon(QStringLiteral("warning"), each.refused ? colours.error : colours.of(Role::exposed))
                        .pixmap(QSize(size, size), devicePixelRatioF()));
    icon->setToolTip(each.refused ? tr("Format checkers of publishers refuse such a figure.")
                                  : tr("Readers may misread this."));
    auto* text = new QLabel(each.text, line);
    text->setObjectName(QStringLiteral("figureLintText"));
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setToolTip(nameOf(each.rule));
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addWidget(text, 1);
    if (each.fix) {
        auto* fix = new QPushButton(tr("Fix"), line);
        fix->setAutoDefault(false);
        fix->setToolTip(plainTip(each.fixText));
        setNames(*fix, QStringLiteral("figureFix"), tr("Fix: %1").arg(each.fixText));
        connect(fix, &QPushButton::clicked, this, [this, finding] { Q_EMIT fixRequested(finding); });
        row->addWidget(fix, 0, Qt::AlignTop);
    }
    return line;
}

}  // namespace ui
