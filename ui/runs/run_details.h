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

/// Beside the list: what the selected run is, how two differ, what several have in common; above it what can be done
/// with them.
class RunDetails final : public QWidget {
    Q_OBJECT

public:
    explicit RunDetails(QWidget* parent = nullptr);

    /// Buttons, shown while their action can be used.
    void setActions(const QList<QAction*>& actions);
    void showHint();
    /// Many: their rows are enough.
    void showRows(const std::vector<const data::CatalogueRow*>& rows);
    /// One, or two to be compared. `rows` are those of the first and the second.
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
    QString first, second;  ///< a dash where there is none
    QString difference;     ///< second minus first, signed; empty where it makes no sense, "=" where they are equal
    QString ratio;          ///< second over first: "0.87×"; empty where it makes no sense
    Verdict verdict = Verdict::none;
};

struct RunComparison {
    std::vector<ComparedValue> parameters;  ///< those that differ, in the order of the table of parameters
    std::vector<ComparedValue> metrics;     ///< all that at least one of them has, in the order of the table of metrics
};

/// Everything in which two runs can be compared. The second is compared with the first, which is the base of ratios.
RunComparison compareRuns(const KeptRun& first, const KeptRun& second);

}  // namespace ui
