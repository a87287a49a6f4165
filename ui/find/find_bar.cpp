#include "ui/find/find_bar.h"

#include "ui/find/span_query_text.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/view_state.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>

namespace ui {
namespace {

constexpr int kTypingMs = 150;

}  // namespace

FindBar::FindBar(ViewState& viewState, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_words(new QLineEdit(this)), m_told(newWrappedLabel(this)),
      m_next(new QToolButton(this)), m_previous(new QToolButton(this)), m_close(new QToolButton(this)),
      m_typing(pauseTimer(this, kTypingMs, [this] { search(); })) {
    setNames(*this, QStringLiteral("findBar"), tr("Find"));
    auto* label = new QLabel(tr("&Find"), this);
    label->setBuddy(m_words);
    m_words->setPlaceholderText(tr("tile 312, chunk 5, trigger, dma > 2 us …"));
    m_words->setAccessibleName(tr("Search text"));
    m_words->setToolTip(spanQueryHelp());
    m_words->setClearButtonEnabled(true);
    // In a narrow bar, most of the width is for the result or the problem.
    m_words->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    m_words->setMaximumWidth(fontMetrics().averageCharWidth() * 36);
    shareUndoWithTheWindow(*m_words);
    m_told->setTextFormat(Qt::PlainText);
    m_told->setAccessibleName(tr("Search result"));
    const auto button = [](QToolButton* made, const QString& text, const QString& hint) {
        made->setText(text);
        makeFlat(*made, hint);
    };
    button(m_previous, QStringLiteral("◀"), tr("Previous match (Ctrl+Shift+G)"));
    button(m_next, QStringLiteral("▶"), tr("Next match (Ctrl+G)"));
    button(m_close, QStringLiteral("✕"), tr("Close the find bar (Esc)"));
    auto* row = new QHBoxLayout(this);
    const int gap = fontMetrics().averageCharWidth();
    row->setContentsMargins(gap * 2, gap / 2, gap, gap / 2);
    row->addWidget(label);
    row->addWidget(m_words, 1);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_told, 2);
    row->addWidget(m_close);
    // Escape closes the bar before it clears a selection in the picture.
    for (QWidget* part : std::initializer_list<QWidget*>{m_words, m_previous, m_next, m_close})
        keepKeys(*part, [](const QKeyEvent& key) { return key.key() == Qt::Key_Escape; });
    connect(m_words, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
    connect(m_next, &QToolButton::clicked, this, &FindBar::findNext);
    connect(m_previous, &QToolButton::clicked, this, &FindBar::findPrevious);
    connect(m_close, &QToolButton::clicked, this, &FindBar::close);
    connect(&m_viewState, &ViewState::selectionChanged, this, &FindBar::report);
    onEvents(*this, {QEvent::PaletteChange}, [this] { style(); });
    hide();
}

void FindBar::showRun(std::shared_ptr<const data::Flow> flow) {
    m_flow = std::move(flow);
    if (isVisible())
        search();
}

void FindBar::open() {
    show();
    m_words->selectAll();
    m_words->setFocus(Qt::ShortcutFocusReason);
    search();
}

void FindBar::close() {
    if (isHidden())
        return;
    hide();
    m_typing->stop();
    m_matches.reset();
    Q_EMIT matchesChanged(nullptr);
    Q_EMIT closed();
}

void FindBar::search() {
    m_typing->stop();
    const SpanQueryReading reading = readSpanQuery(m_words->text());
    m_problem = reading.problem;
    m_matches.reset();
    if (reading.query && m_flow)
        m_matches = std::make_shared<const data::SpanMatches>(m_flow, *reading.query);
    Q_EMIT matchesChanged(m_matches);
    report();
}

// Steps to the next or previous match from the selected span, else from the left edge of the visible range.
void FindBar::step(bool forward) {
    if (isHidden())
        open();
    else if (m_typing->isActive() || !m_matches)
        search();
    if (!m_matches)
        return;
    const auto selected = m_viewState.selectedSpan();
    std::optional<data::SpanRef> found;
    if (selected && m_flow->contains(*selected))
        found = forward ? m_matches->after(*selected) : m_matches->before(*selected);
    else
        found = forward ? m_matches->from(m_viewState.range().start) : m_matches->last();
    if (found)
        Q_EMIT spanFound(*found);
    report();
}

void FindBar::report() {
    if (isHidden())
        return;
    const bool any = m_matches && m_matches->count() > 0;
    m_next->setEnabled(any);
    m_previous->setEnabled(any);
    QString text = m_problem;
    if (m_matches && !any) {
        text = m_flow->run().index ? tr("no match in this run") : tr("a perfect overlap has no events to find");
    } else if (any) {
        const auto selected = m_viewState.selectedSpan();
        const auto position = selected && m_flow->contains(*selected) ? m_matches->position(*selected) : std::nullopt;
        const QString count = formatCount(static_cast<std::int64_t>(m_matches->count()));
        text = position ? tr("%1 of %2").arg(formatCount(static_cast<std::int64_t>(*position)), count)
                        : tr("%1 found").arg(count);
        if (m_matches->alikeOnAllGpus())
            text += tr(" on each of %1 GPUs").arg(m_flow->places().gpus());
    }
    m_told->setText(text);
    style();
}

void FindBar::style() {
    const Palette& colors = paletteOf(*this);
    setInk(*m_told, m_problem.isEmpty() ? colors.inkSoft : colors.error);
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape: close(); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: step((event->modifiers() & Qt::ShiftModifier) == 0); return;
    default: QWidget::keyPressEvent(event);
    }
}

}  // namespace ui
