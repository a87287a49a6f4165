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

/// Shows all facts about the selected span, or the statistics of the selected or visible area. The selection and the
/// range are stored in ViewState. The sums over a run are prepared on a worker thread, once for each run that is shown
/// for longer than a short pause.
class InspectorPanel final : public QTextBrowser {
    Q_OBJECT

public:
    /// `viewState` must outlive the panel.
    explicit InspectorPanel(ViewState& viewState, QWidget* parent = nullptr);

    /// Sets the function that describes the selected part of the focused GPU at the cursor; it is called again whenever
    /// the part or the time changes.
    void setPartFacts(std::function<PartDescription(data::GpuPartRef)> facts);
    /// Updates the facts because the cursor has moved.
    void showMoment();
    /// Sets the run; null before the first one.
    void showRun(std::shared_ptr<const data::Flow> flow);

Q_SIGNALS:
    /// The user followed a link to another span.
    void spanRequested(data::SpanRef span);
    /// The user followed a link to a parameter.
    void fieldRequested(const QString& field);
    /// The user asked why the selected span waited.
    void whyRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Everything that the content of the page depends on.
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
    /// Returns sizes that do not depend on whether the scroll bar is visible, because the height of the page decides
    /// that.
    PageMetrics metrics() const;

    ViewState& m_viewState;
    std::function<PartDescription(data::GpuPartRef)> m_partFacts;
    std::shared_ptr<const data::Flow> m_flow;
    std::shared_ptr<const StatisticsIndex> m_statistics;  // of m_flow's run, once prepared
    QTimer* m_soon;
    std::optional<Shown>
        m_shown;  // remembered because setting the same page again would clear the user's text selection
    Worker m_maker;
};

}  // namespace ui
