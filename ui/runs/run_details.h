#pragma once

#include "ui/shared/catalogue_session.h"

#include <QList>
#include <QWidget>

#include <memory>

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

}  // namespace ui
