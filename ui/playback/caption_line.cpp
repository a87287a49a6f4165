#include "ui/playback/caption_line.h"

#include "data/replay/run_log.h"
#include "data/replay/shown_run.h"
#include "ui/look/palette.h"
#include "ui/look/run_words.h"
#include "ui/look/steady_room.h"
#include "ui/look/widget_parts.h"
#include "ui/playback/narration.h"
#include "ui/shared/view_state.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace ui {
namespace {

constexpr std::int64_t kWindowShare = 200;  // utilisation is averaged over 1/200 of the run, steady enough to be read
constexpr double kLargeCaption = 1.2;       // relative to the window's type, for a text of one line
constexpr int kOneLineChars = 90;           // width from which the caption has one line, in characters of that type

/// Breaks a text between words into lines of this width, after the dot between two parts. A word that is wider has a
/// line of its own.
QStringList captionLines(const QString& text, const QFontMetrics& metrics, int width) {
    QStringList lines;
    for (const QString& word : text.split(u' ')) {
        const bool isBetween = word.isEmpty() || word == QStringLiteral("·");
        const QString longer = lines.isEmpty() ? word : lines.back() + u' ' + word;
        if (!lines.isEmpty() && (isBetween || metrics.horizontalAdvance(longer) <= width))
            lines.back() = longer;
        else
            lines << word;
    }
    return lines;
}

}  // namespace

CaptionLine::CaptionLine(ViewState& viewState, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_text(new QLabel), m_room(new SteadyRoom(m_text, this)),
      m_stale(new QToolButton(this)) {
    setObjectName(QStringLiteral("caption"));
    m_text->setAccessibleName(tr("What happens at the cursor"));
    m_room->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_stale->setObjectName(QStringLiteral("stale"));
    m_stale->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_stale->setFocusPolicy(Qt::TabFocus);
    m_stale->hide();
    connect(m_stale, &QToolButton::clicked, this, &CaptionLine::runRequested);
    connect(&m_viewState, &ViewState::cursorChanged, this, [this] {
        m_stop.clear();
        refresh();
    });
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, &CaptionLine::refresh);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 12, 6);
    row->addWidget(m_room, 1);
    row->addWidget(m_stale);
    const auto fit = [this] {
        fitHeight();
        layout()->activate();
        showParts(QStringList(m_parts));
    };
    fit();
    onEvents(*this, {QEvent::FontChange, QEvent::Resize}, fit);
    onEvents(*this, {QEvent::PaletteChange},
             [this] { m_stale->setIcon(tintedIcon(QStringLiteral("warning"), paletteOf(*this).of(Role::exposed))); });
}

void CaptionLine::showRun(std::shared_ptr<const data::ShownRun> run) {
    m_run = std::move(run);
    m_log.reset();
    m_stop.clear();
    refresh();
}

void CaptionLine::setLog(std::shared_ptr<const data::RunLog> log) {
    m_log = std::move(log);
    refresh();
}

void CaptionLine::showStop(const QString& text) {
    m_stop = text;
    refresh();
}

void CaptionLine::showStale(const QString& advice, const QString& toolTip) {
    m_stale->setText(advice);
    m_stale->setToolTip(toolTip);
    m_stale->setVisible(!advice.isEmpty());
    layout()->activate();
    showParts(QStringList(m_parts));  // the room for them has changed
}

void CaptionLine::setTextVisible(bool visible) { m_room->setVisible(visible); }

QString CaptionLine::text() const { return m_text->text().replace(u'\n', u' '); }

// Gives the caption room for one line of large type or two lines of the window's type, whatever it shows.
void CaptionLine::fitHeight() {
    const double large = QFontMetricsF(scaledFont(font(), kLargeCaption)).height() * 1.3 + 16;
    setFixedHeight(static_cast<int>(std::max(large, QFontMetricsF(font()).height() * 2 + 14)));
}

QString CaptionLine::summary() const {
    const QString name = QString::fromStdString(m_run->run.name);
    if (!m_run->index) {
        return tr("%1: sequential parts, perfectly overlapped, calculated rather than simulated: %2.")
            .arg(name, boundFormula(m_run->run.experiment));
    }
    const std::uint32_t gpus = m_run->index->gpus();
    return tr("Space plays %1 on %2 GPUs.").arg(name).arg(gpus);
}

void CaptionLine::refresh() {
    if (!m_run)
        return;
    const auto cursor = m_viewState.cursor();
    if (!cursor || !m_run->index) {
        showParts({m_stop.isEmpty() ? summary() : m_stop});
        return;
    }
    const std::int64_t window = std::max<std::int64_t>(1, m_viewState.runEnd() / kWindowShare);
    const std::uint32_t gpu = std::min(m_viewState.focusedGpu(), m_run->index->gpus() - 1);
    QStringList parts;
    if (m_log)
        parts = narrate(*m_log, gpu, *cursor, m_viewState.eventsAtCursor(), window);
    if (parts.isEmpty())
        parts = captionAt(*m_run->index, gpu, *cursor, window, scatterWord(m_run->run.experiment))
                    .split(QStringLiteral("  ·  "));
    if (!m_stop.isEmpty())
        parts.prepend(tr("Stopped: %1").arg(m_stop));
    showParts(parts);
}

// Shows as many parts as fit completely, in two lines where the room is narrow.
void CaptionLine::showParts(const QStringList& parts) {
    if (std::exchange(m_parts, parts) != parts)
        Q_EMIT said(parts);
    const QFont large = scaledFont(font(), kLargeCaption);
    const int width = m_room->width();
    const qsizetype most = width < QFontMetrics(large).averageCharWidth() * kOneLineChars ? 2 : 1;
    m_text->setFont(most == 1 ? large : font());
    const QFontMetrics metrics(m_text->font());
    QStringList shown = parts;
    const QString between = QStringLiteral("  ·  ");
    const auto lines = [&] { return captionLines(shown.join(between), metrics, width); };
    while (shown.size() > 1 && lines().size() > most)
        shown.removeLast();
    // A single part that is too long is elided, and the tool tip shows the whole text.
    QStringList broken = lines();
    if (broken.size() > most)
        broken = broken.mid(0, most - 1) << broken.mid(most - 1).join(u' ');
    broken.back() = metrics.elidedText(broken.back(), Qt::ElideRight, width);
    m_text->setText(broken.join(u'\n'));
    m_text->setToolTip(text() == parts.join(between) ? QString() : parts.join(between));
    m_text->setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

}  // namespace ui
