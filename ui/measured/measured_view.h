#pragma once

#include "ui/measured/measured_session.h"
#include "ui/measured/measured_set.h"
#include "ui/shared/figure_offer.h"
#include "ui/workbench/commands.h"

#include <QStringList>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QTabWidget;

namespace ui {

class MeasuredPicture;
class PairCard;
class ValueTable;

/// The view Measured: traces of a real machine over time, what they say about overlap, what they cannot say, and a pair
/// to simulate.
class MeasuredView final : public QWidget {
    Q_OBJECT

public:
    explicit MeasuredView(std::string classesFolder, QWidget* parent = nullptr);

    /// Reads traces, one for each rank, in place of those that are shown.
    void open(const QStringList& files);
    /// Shows traces and chooses a pair in them, as of `trace --pair`; an empty text: none. Files that are shown already are
    /// not read again. Without files, shows none. `settled` follows.
    void showTraces(const QStringList& files, const QString& pair);
    const SharedMeasured& set() const { return m_set; }
    const QStringList& files() const { return m_files; }
    const data::MeasuredChoice& choice() const { return m_choice; }
    PairCard& card() { return *m_card; }
    MeasuredPicture& picture() { return *m_picture; }
    /// Returns the parts that show numbers, for a cover.
    std::vector<QWidget*> numbers() const;
    /// Scales the parts of the pair's experiment `draft` in the background.
    void fit(const data::ExperimentDraft& draft);
    std::optional<FigureOffer> figure() const;
    /// Stops reading and keeps what was read; returns false if nothing is read.
    bool stepOut() { return m_session.stop(); }
    const ViewCommands& commands() const { return m_commands; }

Q_SIGNALS:
    void openRequested();
    void failed(const QString& text);
    /// What open() or showTraces() has asked for is shown, or could not be read.
    void settled();
    /// Other traces are shown, or another pair is chosen.
    void changed();
    void fitted(std::shared_ptr<const data::PartsFit> fit);

private:
    QWidget* buildBar();
    QWidget* buildFoot();
    ValueTable* addTable(const QString& name, const QString& title);
    void showSet(const SharedMeasured& set);
    void showTables();
    void showSteps();
    void choose();
    void chooseSteps();
    void setChoice(const data::MeasuredChoice& choice);
    void chooseWanted();
    void showRunning();
    void showProgress(double fraction);

    ViewCommands m_commands{*this, CommandGroup::view, tr("M&easured")};
    QStringList m_files;    ///< of the traces that are shown
    QStringList m_reading;  ///< those that were last asked for
    QString m_wanted;       ///< the pair to choose when the traces are shown
    SharedMeasured m_set;
    data::MeasuredChoice m_choice;
    MeasuredPicture* m_picture;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_foot = nullptr;
    QTabWidget* m_tabs = nullptr;
    std::array<ValueTable*, 4> m_tables{};
    PairCard* m_card = nullptr;
    QLabel *m_headline = nullptr, *m_left = nullptr;
    QComboBox* m_steps = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton *m_open = nullptr, *m_stop = nullptr;
    MeasuredSession m_session;  // last: it is destroyed first
};

}  // namespace ui
