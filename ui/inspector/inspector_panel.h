#pragma once

#include "ui/inspector/inspector_page.h"
#include "ui/shared/view_state.h"
#include "ui/shared/worker.h"

#include <QTextBrowser>

#include <functional>
#include <memory>
#include <optional>

class QTimer;

namespace ui {

/// Tells everything about the selected span; of a selected area, or of what is in sight, its statistics.
/// Holds neither: both live in ViewState. Sums over a run are made ready in a thread of their own, once for each run
/// that is looked at for longer than a moment.
class InspectorPanel final : public QTextBrowser {
    Q_OBJECT

public:
    /// `viewState` must outlive the panel.
    explicit InspectorPanel(ViewState& viewState, QWidget* parent = nullptr);

    /// Says what the selected part of the GPU in focus comes to at the moment; `facts` is asked again whenever it changes.
    void setPartFacts(std::function<PartTold(data::GpuPartRef)> facts);
    /// The moment has changed.
    void showMoment();
    /// Null: no run yet.
    void showRun(std::shared_ptr<const data::Flow> flow);

Q_SIGNALS:
    /// A link to another span was followed.
    void spanRequested(data::SpanRef span);
    /// A link to a parameter was followed.
    void fieldRequested(const QString& field);
    /// Why the selected span waited was asked.
    void whyRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// All that decides what the page looks like.
    struct Shown {
        InspectorPage page;
        PageMetrics metrics{};
        double pixelRatio = 0;
        bool operator==(const Shown&) const = default;
    };

    void showSelection();
    void showSoon();
    void showStatistics();
    void showPage(const InspectorPage& page);
    QImage drawn(const PageBar& bar, QSizeF size) const;
    /// Does not depend on whether the scroll bar is shown, because the page's height decides that.
    PageMetrics metrics() const;

    ViewState& m_viewState;
    std::function<PartTold(data::GpuPartRef)> m_partFacts;
    std::shared_ptr<const data::Flow> m_flow;
    std::shared_ptr<const StatisticsIndex> m_statistics;  // of m_flow's run, when made
    QTimer* m_soon;
    std::optional<Shown> m_shown;  // setting the same page again would lose what is marked in it
    Worker m_maker;
};

}  // namespace ui
