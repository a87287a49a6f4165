#pragma once

#include "ui/figure/figure_writers.h"

#include <QWidget>

#include <utility>
#include <vector>

class QCheckBox;

namespace ui {

/// Which files an export writes, as boxes to tick.
class FigureFormats final : public QWidget {
    Q_OBJECT

public:
    explicit FigureFormats(QWidget* parent = nullptr);

    std::vector<FigureFormat> chosen() const;
    void choose(const std::vector<FigureFormat>& formats);
    bool zipped() const;
    void setZipped(bool zipped);

Q_SIGNALS:
    void changed();

private:
    std::vector<std::pair<FigureFormat, QCheckBox*>> m_boxes;
    QCheckBox* m_zip;
};

}  // namespace ui
