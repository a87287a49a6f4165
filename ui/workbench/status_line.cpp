#include "ui/workbench/status_line.h"

#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QLabel>
#include <QToolButton>

namespace ui {
namespace {

QStringList factsOf(const data::ShownRun& shown) {
    const engine::RunResult& result = shown.run.result;
    QStringList facts{StatusLine::tr("1 tick = 1 ps")};
    if (shown.index) {
        facts
            << StatusLine::tr("%1 events in %2").arg(formatCount(result.events), formatTime(result.wallNs * 1000, 3))
            << (result.mirrored ? StatusLine::tr("one GPU simulated for %1 identical GPUs").arg(shown.index->gpus())
                                : StatusLine::tr("%1 GPUs simulated").arg(shown.index->gpus()))
            << StatusLine::tr("%1 spans").arg(formatCount(static_cast<std::int64_t>(shown.index->trace().spanCount())));
    } else {
        facts << StatusLine::tr("computed from isolated runs");
    }
    if (shown.preview)
        facts << StatusLine::tr("interactive detail while you drag");
    return facts;
}

}  // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent), m_facts(new QLabel(tr("starting…"), this)), m_invariants(new QLabel(this)),
      m_hidden(new QToolButton(this)), m_notices(new QToolButton(this)) {
    m_hidden->setObjectName(QStringLiteral("hiddenLanes"));
    m_hidden->setAutoRaise(true);
    m_hidden->setToolTip(tr("Show the hidden lanes again"));
    m_hidden->hide();
    connect(m_hidden, &QToolButton::clicked, this, &StatusLine::hiddenRequested);
    m_notices->setObjectName(QStringLiteral("runNotices"));
    m_notices->setAutoRaise(true);
    m_notices->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_notices->hide();
    connect(m_notices, &QToolButton::clicked, this,
            [this] { Q_EMIT noticesRequested(m_noticeLines.join(QLatin1Char('\n'))); });
    const int gap = fontMetrics().averageCharWidth();
    m_facts->setContentsMargins(gap, 0, 0, 0);
    m_invariants->setContentsMargins(0, 0, gap, 0);
    setSizeGripEnabled(false);
    addWidget(m_facts);
    addPermanentWidget(m_hidden);
    addPermanentWidget(m_notices);
    addPermanentWidget(m_invariants);
    followColours(*this, [this] { m_notices->setIcon(tintedIcon(QStringLiteral("info"), paletteOf(*this).inkSoft)); });
}

void StatusLine::showRun(const data::ShownRun& run) {
    const engine::RunResult& result = run.run.result;
    m_facts->setText(factsOf(run).join(QStringLiteral("  ·  ")));
    const bool holds = result.invariants.failed.empty();
    m_invariants->setVisible(result.invariants.checked > 0);
    m_invariants->setText(
        holds ? tr("invariants ✓ %1 checked").arg(result.invariants.checked)
              : tr("invariants ✗ %1 of %2 failed").arg(result.invariants.failed.size()).arg(result.invariants.checked));
    QStringList failed;
    for (const std::string& text : result.invariants.failed)
        failed << QString::fromStdString(text);
    m_invariants->setToolTip(holds ? tr("This run was checked: conservation, counts, bounds and exclusivity hold.")
                                   : failed.join(QLatin1Char('\n')));
    m_noticeLines.clear();
    for (const engine::Notice& notice : result.notices)
        m_noticeLines << QString::fromStdString(notice.path.empty() ? notice.text : notice.path + ": " + notice.text);
    m_notices->setVisible(!m_noticeLines.isEmpty());
    m_notices->setText(m_noticeLines.size() == 1 ? tr("1 notice") : tr("%1 notices").arg(m_noticeLines.size()));
}

void StatusLine::showNoRun() {
    m_facts->setText(tr("a whole model, without a run"));
    m_invariants->hide();
}

void StatusLine::showHidden(const QString& text) {
    m_hidden->setText(text);
    m_hidden->setVisible(!text.isEmpty());
}

}  // namespace ui
