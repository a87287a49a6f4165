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

/// Dialog that asks for pictures or a film, their size, the number of frames per second and the duration.
class FramesDialog final : public QDialog {
    Q_OBJECT

public:
    explicit FramesDialog(QWidget* parent = nullptr);

    /// Returns the format of the film; an empty optional: pictures in a folder.
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

/// Dialog that asks which parts of a run its trace should contain, and shows the file size of each part and of the
/// selection.
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
    std::vector<QCheckBox*> m_parts;  ///< in the order of data::traceParts
    QLabel* m_size;
    QPushButton* m_write;
};

}  // namespace ui
