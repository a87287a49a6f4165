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

/// The details beside the list: the facts of the selected run, the differences of two runs, or what several have in
/// common; above them buttons for what can be done with them.
class RunDetails final : public QWidget {
    Q_OBJECT

public:
    explicit RunDetails(QWidget* parent = nullptr);

    /// Sets the buttons, each shown while its action is enabled.
    void setActions(const QList<QAction*>& actions);
    void showHint();
    /// Shows several runs, for which their rows are enough.
    void showRows(const std::vector<const data::CatalogueRow*>& rows);
    /// Shows one run, or a comparison of two. `rows` are those of the first and the second.
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
    QString difference;     ///< second minus first, signed; empty if a difference makes no sense, "=" if they are equal
    QString ratio;          ///< second divided by first: "0.87×"; empty if a ratio makes no sense
    Verdict verdict = Verdict::none;
};

struct RunComparison {
    std::vector<ComparedValue> parameters;  ///< those that differ, in the order of the parameter table
    std::vector<ComparedValue> metrics;     ///< all that at least one of them has, in the order of the table of metrics
};

/// Compares two runs in all parameters and metrics. The first run is the base of ratios.
RunComparison compareRuns(const KeptRun& first, const KeptRun& second);

}  // namespace ui
