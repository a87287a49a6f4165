#pragma once

#include "ui/inside/inside_layout.h"
#include "ui/workbench/moment_picture.h"

namespace ui {

class MomentTable;

/// Shows what happens inside the focused GPU at the time of the cursor, as T3's block diagram: compute units, cache,
/// tracker, memory channels with both streams, DMA engines and links, and the data that move between them. The selected
/// part is the selection of all views. Keys: the arrows go from part to part; Enter goes into the units of a part,
/// where the arrows go from unit to unit, and out again; Page Up and Page Down choose the GPU.
class InsideView final : public MomentPicture {
    Q_OBJECT

public:
    /// Both must outlive the view.
    InsideView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const InsideLayout& insideLayout() const { return m_layout; }
    /// Describes what the parts are doing, in a sentence for each.
    QString description() const;
    /// Describes a part: its name, its meaning and its numbers.
    QString textOf(data::GpuPartRef ref) const;

Q_SIGNALS:
    /// Emitted by a double click on a memory channel, and by O with a channel selected.
    void banksRequested(quint32 channel);

protected:
    QString emptyText() const override;
    void layOut() override;
    std::vector<Part> parts() override;
    void paintBackground(QPainter& painter) override;
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override;
    MomentFigureWords figureWords(const QString& run, const QString& when) const override;
    double figureHeight(double width) const override { return width * 0.6; }

private:
    void paintHeader(QPainter& painter) const;
    const data::GpuInventory& inventory() const;
    std::uint32_t chunks() const;
    void choosePart(int key);
    void chooseUnit(int key);
    void enterOrLeave();
    void openBanksOf(data::GpuPartRef ref);

    InsideLayout m_layout;
    QRectF m_header, m_foot;
};

/// Returns a table with the numbers of all parts of the focused GPU at the cursor, and of the selected unit. Selecting
/// a row selects its part in all views.
MomentTable* newPartTable(ViewState& viewState, RingMoment& moment);

}  // namespace ui
