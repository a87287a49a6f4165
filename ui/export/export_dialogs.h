#pragma once

#include "data/trace/chrome_trace.h"
#include "ui/export/film.h"

#include <QDialog>
#include <QSize>

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// Asks whether frames are to be pictures or a film, how large they are to be, how many a second and for how long.
class FramesDialog final : public QDialog {
    Q_OBJECT

public:
    explicit FramesDialog(QWidget* parent = nullptr);

    /// Nothing: pictures in a folder.
    std::optional<FilmFormat> film() const;
    QSize size() const;
    double perSecond() const;
    double seconds() const;

private:
    void addKinds();
    void count();

    QComboBox* m_kind;
    QLabel* m_hint;
    QComboBox* m_size;
    QDoubleSpinBox* m_perSecond;
    QDoubleSpinBox* m_seconds;
    QLabel* m_count;
    QPushButton* m_choose;
};

/// Asks what of a run goes into its trace, and tells how large the file will be: of each part, and of what is chosen.
class TraceDialog final : public QDialog {
    Q_OBJECT

public:
    /// Precondition: the run has a trace.
    TraceDialog(std::shared_ptr<const data::ShownRun> run, QWidget* parent = nullptr);

    const data::TraceChoice& choice() const { return m_choice; }

Q_SIGNALS:
    void chosen(const data::TraceChoice& choice);

private:
    void judge();

    std::shared_ptr<const data::ShownRun> m_run;
    data::TraceChoice m_choice;
    std::vector<QCheckBox*> m_parts;  ///< as data::traceParts
    QLabel* m_size;
    QPushButton* m_write;
};

}  // namespace ui
