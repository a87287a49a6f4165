#include "ui/timeline/ghost_bar.h"

#include "data/presets/presets.h"
#include "engine/api/parameters.h"
#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr int kMostSettings = 3;

/// Returns whether the text need not name a setting, because the policy or the detail level that it names includes it.
bool isImplied(const engine::Parameter& parameter, const engine::Experiment& pinned, const engine::Experiment& shown) {
    using enum engine::ParameterGroup;
    const bool ofPolicy = parameter.group == policy || engine::isPolicyPart(parameter.path);
    if (ofPolicy && pinned.policy.preset != shown.policy.preset)
        return true;
    return parameter.path == "policy.preset" || parameter.path.starts_with("detail.");
}

QString settingText(const engine::Parameter& parameter, const engine::Experiment& experiment) {
    const QString value = QString::fromStdString(engine::formatValue(parameter, parameter.read(experiment)));
    return QString::fromStdString(parameter.label) + QLatin1Char(' ') + value;
}

}  // namespace

QString pinnedText(const data::ShownRun& pinned, const engine::Experiment& shown) {
    const engine::Experiment& experiment = pinned.run.experiment;
    const data::Preset* policy = data::findPolicy(engine::name(experiment.policy.preset));
    QStringList parts{policy != nullptr ? QString::fromStdString(policy->title)
                                        : QString::fromStdString(pinned.run.name)};
    int more = 0;
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (parameter.read(experiment) == parameter.read(shown) || isImplied(parameter, experiment, shown))
            continue;
        if (parts.size() <= kMostSettings) {
            parts << settingText(parameter, experiment);
        } else {
            ++more;
        }
    }
    if (more > 0)
        parts << GhostBar::tr("and %1 more").arg(more);
    if (experiment.detail.level != shown.detail.level)
        parts << GhostBar::tr("%1 detail").arg(QString::fromUtf8(engine::name(experiment.detail.level).data()));
    return parts.join(QStringLiteral(", "));
}

GhostBar::GhostBar(QWidget* parent)
    : QFrame(parent), m_text(new QLabel(this)), m_restore(new QToolButton(this)), m_unpin(new QToolButton(this)) {
    setObjectName(QStringLiteral("ghostBar"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    m_restore->setObjectName(QStringLiteral("ghostRestore"));
    m_restore->setText(tr("Restore"));
    makeFlat(*m_restore, tr("Sets the form to the pinned experiment and runs it; can be undone"),
             tr("Restore the pinned experiment"));
    m_unpin->setObjectName(QStringLiteral("ghostUnpin"));
    makeFlat(*m_unpin, tr("Unpin the run (G)"));
    connect(m_restore, &QToolButton::clicked, this, &GhostBar::restoreRequested);
    connect(m_unpin, &QToolButton::clicked, this, &GhostBar::unpinRequested);
    auto* row = new QHBoxLayout(this);
    const int em = fontMetrics().averageCharWidth();
    row->setContentsMargins(em * 5, em / 2, em, em / 2);
    row->setSpacing(em);
    row->addWidget(m_text, 1);
    row->addWidget(m_restore);
    row->addWidget(m_unpin);
    followColours(*this, [this] { tintIcons(); });
    onEvents(*this, {QEvent::Resize}, [this] { elide(); });
    hide();
}

void GhostBar::showPinned(const std::shared_ptr<const data::ShownRun>& pinned, const engine::Experiment& shown) {
    setVisible(pinned != nullptr);
    if (!pinned)
        return;
    m_full = tr("Pinned: %1").arg(pinnedText(*pinned, shown));
    m_text->setToolTip(plainTip(QString::fromStdString(pinned->run.name) + QLatin1Char('\n') + m_full));
    m_text->setAccessibleName(m_full);
    m_restore->setEnabled(pinned->run.experiment != shown);
    elide();
}

QString GhostBar::text() const { return m_full; }

void GhostBar::elide() { m_text->setText(fontMetrics().elidedText(m_full, Qt::ElideRight, m_text->width())); }

void GhostBar::tintIcons() { m_unpin->setIcon(tintedIcon(QStringLiteral("close"), paletteOf(*this).inkSoft)); }

void GhostBar::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(0, 0, width(), 1), colors.line);
    const int em = fontMetrics().averageCharWidth();
    painter.setPen(QPen(colors.ink, 1));  // a sample of the outlines in the timeline
    painter.drawRect(QRectF(em * 2 + 0.5, std::floor(height() / 2.0 - em * 0.6) + 0.5, em * 2, std::floor(em * 1.2)));
}

}  // namespace ui
