#pragma once

#include "ui/why/cause_shares.h"
#include "ui/why/reason_chain.h"
#include "ui/why/sensitivity_chips.h"

#include <QScrollArea>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QTimer;

namespace ui {

class CauseTable;
class ChainList;
class SensitivityChips;
class ViewState;

/// Explains why the run waits: the cause at the cursor in a sentence, a table of the time by cause, the cause chain
/// from a time backwards, and the changes that would help. Range, cursor and selection are stored in ViewState. While
/// the panel is hidden, it computes nothing.
class WhyPanel final : public QScrollArea {
    Q_OBJECT

public:
    /// `viewState` must outlive the panel.
    explicit WhyPanel(ViewState& viewState, SensitivitySessionConfig sensitivities = {}, QWidget* parent = nullptr);

    /// Sets the run; null before the first one.
    void showRun(std::shared_ptr<const ReasonChain> chain);
    /// Shows the chain from a time backwards. Returns false and does nothing if the run has no critical path.
    bool showChainAt(std::int64_t ps);
    /// Shows the chain through a span and returns true. Returns false if the run's end did not wait for the span; the
    /// panel's text about the selection then says so.
    bool showChainThrough(data::SpanRef span);
    SensitivityChips& chips() { return *m_chips; }
    const CauseTable& table() const { return *m_table; }
    ChainList& chainList() { return *m_list; }
    QString now() const;       ///< the sentence for the time of the cursor
    QString selected() const;  ///< the text about the selection
    void setShareKind(ShareKind kind);
    void setWholeRun(bool whole);

Q_SIGNALS:
    /// A link is selected, which lasted from `start` to `end`.
    void linkShown(qint64 start, qint64 end);
    void spanRequested(data::SpanRef span);
    /// The user selected a link by hand: the cursor should move there.
    void momentRequested(qint64 ps);
    /// The user asked why the selected span waited.
    void chainOfSelectionRequested();

private:
    void buildPage(SensitivitySessionConfig sensitivities);
    QWidget* buildChoices();
    void refreshSoon();
    void refresh();
    void showNow();
    void showTable();
    void showSelected();
    void showLink(std::size_t link, bool byHand);
    void openChain(std::size_t link);
    bool hasPath() const { return m_chain && !m_chain->empty(); }
    data::TimeRange tableRange() const;
    QString emptyText() const;

    ViewState& m_viewState;
    std::shared_ptr<const ReasonChain> m_chain;
    QTimer* m_soon;
    QLabel* m_now = nullptr;
    QComboBox* m_scope = nullptr;
    QComboBox* m_kind = nullptr;
    QLabel* m_of = nullptr;
    CauseTable* m_table = nullptr;
    QLabel* m_selected = nullptr;
    SensitivityChips* m_chips = nullptr;
    QLabel* m_chainTitle = nullptr;
    QLabel* m_chainHint = nullptr;
    ChainList* m_list = nullptr;
};

}  // namespace ui
