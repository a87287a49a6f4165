#pragma once

#include "data/results/metrics.h"
#include "ui/shared/catalogue_session.h"

#include <QList>
#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

class QAction;
class QTextBrowser;
class QToolButton;

namespace ui {

/// The details beside the list: settings and results of the selected run, the differences of two runs, or the shortest
/// and the longest of several; above them buttons with the commands for the selected runs.
class RunDetails final : public QWidget {
    Q_OBJECT

public:
    explicit RunDetails(QWidget* parent = nullptr);

    /// Sets the buttons, each shown while its action is enabled.
    void setActions(const QList<QAction*>& actions);
    void showHint();
    /// Shows a summary of several runs, which needs only their rows.
    void showRows(const std::vector<const data::CatalogueRow*>& rows);
    /// Shows one run, or a comparison of two. `rows` are the rows of these runs, in the same order.
    void showRuns(std::shared_ptr<const std::vector<KeptRun>> runs, std::vector<data::CatalogueRow> rows);
    QString text() const;
    QSize sizeHint() const override;

private:
    void arrangeButtons();
    void showPage();
    void setHtml(const QString& html);

    QTextBrowser* m_page;
    QWidget* m_buttons;
    QList<QToolButton*> m_offered;
    std::shared_ptr<const std::vector<KeptRun>> m_runs;
    std::vector<data::CatalogueRow> m_rows;
};

/// One parameter or result of two runs, side by side.
struct ComparedValue {
    enum class Verdict : std::uint8_t { none, firstBetter, secondBetter };
    std::string path;
    QString label;
    QString first, second;  ///< a dash if the run has no value
    QString difference;     ///< second minus first, signed; empty if not both are numbers, "=" if they are equal
    QString ratio;          ///< second divided by first: "0.87×"; empty if a ratio has no meaning
    Verdict verdict = Verdict::none;
};

struct RunComparison {
    std::vector<ComparedValue> parameters;  ///< parameters that differ, in the order of the parameter table
    std::vector<ComparedValue> metrics;     ///< metrics that at least one run has, in the order of the metric table
};

/// Compares two runs in all parameters and metrics. The first run is the base of ratios.
RunComparison compareRuns(const KeptRun& first, const KeptRun& second);

}  // namespace ui
