#include "ui/why/why_panel.h"

#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/limit_words.h"
#include "ui/look/run_words.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/view_state.h"
#include "ui/why/cause_table.h"
#include "ui/why/chain_list.h"
#include "ui/why/reason_chain.h"
#include "ui/why/sensitivity_chips.h"

#include <QComboBox>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace ui {
namespace {

constexpr int kWhySoonMs = 80;  // a dozen updates a second: a table is not read faster
constexpr int kListLines = 11;

}  // namespace

WhyPanel::WhyPanel(ViewState& viewState, SensitivitySessionConfig sensitivities, QWidget* parent)
    : QScrollArea(parent), m_viewState(viewState), m_soon(pauseTimer(this, kWhySoonMs, [this] { refresh(); })) {
    setNames(*this, QStringLiteral("why"), tr("Why it waits"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(fontMetrics().averageCharWidth() * 32);
    buildPage(std::move(sensitivities));
    connect(&m_viewState, &ViewState::rangeChanged, this, &WhyPanel::refreshSoon);
    connect(&m_viewState, &ViewState::selectionChanged, this, &WhyPanel::refreshSoon);
    connect(&m_viewState, &ViewState::cursorChanged, this, &WhyPanel::refreshSoon);
    connect(m_selected, &QLabel::linkActivated, this, &WhyPanel::chainOfSelectionRequested);
    connect(m_list, &ChainList::linkChosen, this, [this](std::size_t link) { showLink(link, true); });
    onEvents(*this, {QEvent::Show}, [this] { refresh(); });
    onEvents(*this, {QEvent::Resize}, [this] { refreshSoon(); });
    showRun(nullptr);
}

void WhyPanel::buildPage(SensitivitySessionConfig sensitivities) {
    auto* page = new QWidget;
    setWidget(page);
    m_now = newWrappedLabel(page, QStringLiteral("whyNow"));
    m_now->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setRelativeFont(*m_now, 1.12, QFont::DemiBold);
    m_table = new CauseTable(page);
    m_of = newWrappedLabel(page);
    m_selected = newWrappedLabel(page, QStringLiteral("whySelected"));
    m_selected->setTextFormat(Qt::RichText);
    m_selected->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_chips = new SensitivityChips(std::move(sensitivities), page);
    m_chainTitle = new QLabel(page);
    setRelativeFont(*m_chainTitle, 1.0, QFont::DemiBold);
    m_chainHint = newWrappedLabel(page);
    m_list = new ChainList(page);
    m_list->setMinimumHeight(fontMetrics().height() * kListLines);

    auto* column = new QVBoxLayout(page);
    const int margin = fontMetrics().height() * 3 / 5;
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(margin * 2 / 3);
    for (QWidget* part : std::initializer_list<QWidget*>{m_now, buildChoices(), m_table, m_of, m_chips, m_selected,
                                                         m_chainTitle, m_chainHint})
        column->addWidget(part);
    column->addWidget(m_list, 1);
    column->addStretch();  // keeps the other parts together at the top while there is no chain
}

QWidget* WhyPanel::buildChoices() {
    auto* choices = new QWidget(widget());
    m_scope = new QComboBox(choices);
    m_scope->setAccessibleName(tr("Time range"));
    m_scope->addItems({tr("Visible range"), tr("Whole run")});
    m_scope->setItemData(0, tr("If a time range is selected, it is used instead of the visible range"),
                         Qt::ToolTipRole);
    m_kind = new QComboBox(choices);
    m_kind->setAccessibleName(tr("Division of the time"));
    m_kind->addItems({tr("by cause"), tr("by GPU"), tr("by phase")});
    auto* row = flushLayout<QHBoxLayout>(choices);
    row->addWidget(m_scope, 1);
    row->addWidget(m_kind);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &WhyPanel::refresh);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &WhyPanel::refresh);
    return choices;
}

void WhyPanel::setShareKind(ShareKind kind) { m_kind->setCurrentIndex(static_cast<int>(kind)); }

void WhyPanel::setWholeRun(bool whole) { m_scope->setCurrentIndex(whole ? 1 : 0); }

QString WhyPanel::now() const { return m_now->text(); }

QString WhyPanel::selected() const { return m_selected->text(); }

void WhyPanel::showRun(std::shared_ptr<const ReasonChain> chain) {
    m_chain = std::move(chain);
    m_list->showChain(nullptr, {});
    m_list->hide();
    m_chainTitle->hide();
    if (isVisible())
        refreshSoon();
    else
        m_table->showShares({}, tr("What the run waited for"));
}

QString WhyPanel::emptyText() const {
    if (!m_chain)
        return noRunHint();
    if (!m_chain->run().index)
        return tr("A perfect overlap is calculated from isolated runs. It has no events, so it has no critical path. "
                  "Choose another policy, such as T3-MCA, to see what the end of the run waits for.");
    return tr("No critical path was recorded for this run, so it is not known what the run waited for. Run it again "
              "(Ctrl+Return).");
}

void WhyPanel::refreshSoon() {
    if (isVisible() && !m_soon->isActive())
        m_soon->start();
}

void WhyPanel::refresh() {
    const bool shown = hasPath();
    // Reserves two lines: while the run plays, the sentence needs one line or two, and the parts below must not jump.
    m_now->setMinimumHeight(2 * m_now->fontMetrics().lineSpacing());
    for (QWidget* part : {static_cast<QWidget*>(m_table), m_scope->parentWidget(), static_cast<QWidget*>(m_of)})
        part->setVisible(shown);
    m_chainHint->setVisible(shown && !m_list->from());
    m_chainHint->setText(
        tr("Click the ribbon above the lanes to show the cause chain: what the run waited for at that time, what that "
           "waited for, and so on back to the start."));
    showNow();
    if (!shown) {
        m_table->showShares({}, tr("What the run waited for"));
        m_selected->hide();
        return;
    }
    showTable();
    showSelected();
}

// Shows the cause at the cursor or, without a cursor, what the run as a whole is bound by.
void WhyPanel::showNow() {
    if (!hasPath())
        return m_now->setText(emptyText());
    if (const auto cursor = m_viewState.cursor(); cursor && *cursor <= m_chain->causes().end()) {
        const std::size_t link = m_chain->linkAt(*cursor);
        m_now->setText(
            tr("At %1, %2.").arg(formatTimeSteady(*cursor, m_chain->causes().end()), firstReason(*m_chain, link)));
        return;
    }
    m_now->setText(limitSentence(m_chain->run().run));
}

data::TimeRange WhyPanel::tableRange() const {
    const data::TimeRange whole{0, m_chain->causes().end()};
    if (m_scope->currentIndex() == 1)
        return whole;
    const auto area = m_viewState.selectedArea();
    const data::TimeRange meant = area ? area->range : m_viewState.range();
    return {std::clamp<std::int64_t>(meant.start, 0, whole.end), std::clamp<std::int64_t>(meant.end, 0, whole.end)};
}

void WhyPanel::showTable() {
    const data::TimeRange range = tableRange();
    const auto kind = static_cast<ShareKind>(m_kind->currentIndex());
    const bool whole = range == data::TimeRange{0, m_chain->causes().end()};
    const QString of =
        whole ? tr("of the whole run") : tr("from %1 to %2").arg(formatTime(range.start, 4), formatTime(range.end, 4));
    m_table->showShares(shareRows(m_chain->causes(), range, kind),
                        tr("What the run waited for, %1, %2").arg(m_kind->currentText(), of));
    m_of->setText(whole ? QString() : tr("Time %1.").arg(of));
    m_of->setVisible(!whole);
}

void WhyPanel::showSelected() {
    const auto span = m_viewState.selectedSpan();
    // If the current link shows the selected span, the text need not say whether the run's end waited for the span.
    const auto link = m_list->currentLink();
    const bool shown = span && link && m_chain->spanOf(*link) == span;
    const bool known = span && !shown && m_chain->flow().contains(*span);
    m_selected->setVisible(known);
    if (!known)
        return;
    const QString title = spanTitle(m_chain->flow(), *span).toHtmlEscaped();
    if (m_chain->linkThrough(*span))
        m_selected->setText(
            tr("Selected: %1. The end of the run waited for it. <a href=\"why\">Why did it wait?</a>").arg(title));
    else
        m_selected->setText(tr("Selected: %1. The end of the run did not wait for it: if it had taken a little longer, "
                               "the run would not have ended later.")
                                .arg(title));
}

bool WhyPanel::showChainAt(std::int64_t ps) {
    if (!hasPath())
        return false;
    openChain(m_chain->linkAt(std::clamp<std::int64_t>(ps, 0, m_chain->causes().end())));
    return true;
}

bool WhyPanel::showChainThrough(data::SpanRef span) {
    const auto link = hasPath() ? m_chain->linkThrough(span) : std::nullopt;
    if (!link)
        return false;
    openChain(*link);
    return true;
}

void WhyPanel::openChain(std::size_t link) {
    m_list->showChain(m_chain, link);
    m_list->show();
    m_chainHint->hide();
    m_chainTitle->setText(tr("Cause chain from %1 backwards")
                              .arg(formatTimeSteady(m_chain->links()[link].range.end, m_chain->causes().end())));
    m_chainTitle->show();
    showLink(link, false);
    m_list->setFocus();
}

void WhyPanel::showLink(std::size_t link, bool byHand) {
    const data::TimeRange range = m_chain->links()[link].range;
    Q_EMIT linkShown(range.start, range.end);
    if (const auto span = m_chain->spanOf(link))
        Q_EMIT spanRequested(*span);
    if (byHand)
        Q_EMIT momentRequested(range.end);
}

}  // namespace ui
