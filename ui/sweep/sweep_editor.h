#pragma once

#include "ui/shared/axis_draft.h"

#include <QFrame>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QTimer;
class QToolButton;
class QVBoxLayout;

namespace ui {

/// The fields of one axis in a row: its parameter, the kind of its values, the values, and their number; below them a
/// message if they are invalid. The parameters of a zipped axis are below each other.
class AxisRow final : public QFrame {
    Q_OBJECT

public:
    explicit AxisRow(const AxisDraft& axis, QWidget* parent = nullptr);

    /// Returns whether the axis has the same parameters as this row, so that only its texts need an update.
    bool fits(const AxisDraft& axis) const;
    void showAxis(const AxisDraft& axis, std::size_t count, const QString& problem);
    void showPlace(std::size_t index, std::size_t of);
    /// Applies a text that is still being typed.
    void commit();
    void takeFocus();
    std::size_t columns() const { return m_draft.columns.size(); }

Q_SIGNALS:
    void edited(const ui::AxisDraft& axis);
    void editFinished();
    void moveRequested(int by);
    void zipRequested();
    void unzipRequested();
    void removeRequested();

private:
    void buildColumn(std::size_t index);
    QWidget* buildRange();
    void buildMenu();
    QLineEdit* newEdit(const QString& name);
    void take(QLineEdit& edit, QString& text);
    void applyColors();

    AxisDraft m_draft;
    bool m_hasRange;
    QComboBox* m_kind;
    QWidget* m_range;
    QLineEdit *m_from, *m_to, *m_count;
    std::vector<QLineEdit*> m_lists;
    QLabel *m_size, *m_problem;
    QToolButton *m_more, *m_remove;
    QAction *m_up = nullptr, *m_down = nullptr, *m_zip = nullptr, *m_unzip = nullptr;
    QTimer* m_pause;
};

class SweepModel;

/// Editor of a sweep: the axes as rows, the policies as check boxes, the metrics behind a button.
class SweepEditor final : public QWidget {
    Q_OBJECT

public:
    /// `model` must outlive the editor.
    explicit SweepEditor(SweepModel& model, QWidget* parent = nullptr);

    /// Applies texts that are still being typed.
    void commit();
    /// Gives the focus to the fields of the axis with this parameter.
    void focusAxis(const std::string& path);

private:
    void buildFoot();
    void refresh();
    AxisRow* newRow(std::size_t index);
    void togglePolicy(const std::string& policy, bool on);
    void toggleMetric(const std::string& path, bool on);
    void fillMetrics();

    SweepModel& m_model;
    QVBoxLayout* m_rowsColumn;
    std::vector<AxisRow*> m_rows;
    QWidget* m_policyRow = nullptr;
    std::map<std::string, QCheckBox*> m_policies;
    QPushButton* m_metrics;
    QMenu* m_metricsMenu;
};

}  // namespace ui
