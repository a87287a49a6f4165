#pragma once

#include <QDialog>
#include <QSize>

class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace ui {

/// Asks how large frames are to be, how many a second and for how long.
class FramesDialog final : public QDialog {
    Q_OBJECT

public:
    explicit FramesDialog(QWidget* parent = nullptr);

    QSize size() const;
    double perSecond() const;
    double seconds() const;

private:
    void count();

    QComboBox* m_size;
    QDoubleSpinBox* m_perSecond;
    QDoubleSpinBox* m_seconds;
    QLabel* m_count;
};

}  // namespace ui
