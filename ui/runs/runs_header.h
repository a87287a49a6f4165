#pragma once

#include <QHeaderView>

namespace ui {

/// The head of the table of runs: names in up to two lines, in line with the cells below, an arrow where it is sorted.
class RunsHeader final : public QHeaderView {
    Q_OBJECT

public:
    explicit RunsHeader(QWidget* parent = nullptr);

    /// What a column needs to show its name in two lines.
    int widthFor(const QString& title) const;

protected:
    QSize sectionSizeFromContents(int section) const override;
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

}  // namespace ui
