#pragma once

#include "ui/ribbon/cause_shares.h"
#include "ui/ribbon/reason_chain.h"
#include "ui/ribbon/sensitivity_chips.h"

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

/// The answer to "why does it wait?" beside the picture: the reason at the cursor in a sentence, where the time went, the
/// chain of reasons from a moment backwards, and what would help.
/// Holds neither range nor cursor nor selection: they live in ViewState. While it is hidden it costs nothing.
class WhyPanel final : public QScrollArea {
    Q_OBJECT

public:
    /// `viewState` must outlive the panel.
    explicit WhyPanel(ViewState& viewState, SensitivitySessionConfig sensitivities = {}, QWidget* parent = nullptr);

    /// Null: no run yet.
    void showRun(std::shared_ptr<const ReasonChain> chain);
    /// The chain from a moment backwards. False, and nothing else, where the run has no path.
    bool showChainAt(std::int64_t ps);
    /// The chain through a span, or, where the run's end did not wait for it, a sentence that says so. True for a chain.
    bool showChainThrough(data::SpanRef span);
    SensitivityChips& chips() { return *m_chips; }
    const CauseTable& table() const { return *m_table; }
    ChainList& chainList() { return *m_list; }
    QString now() const;       ///< the sentence of the cursor's moment
    QString selected() const;  ///< what is said of the selection
    void setShareKind(ShareKind kind);
    void setWholeRun(bool whole);

Q_SIGNALS:
    /// Somebody looks at a link: it lasted from `start` to `end`.
    void linkShown(qint64 start, qint64 end);
    void spanRequested(data::SpanRef span);
    /// A link was chosen by hand; the cursor belongs there.
    void momentRequested(qint64 ps);
    /// "Why is this waiting?" was asked of the selected span.
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
