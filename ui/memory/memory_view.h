#pragma once

#include "ui/look/timeline_geometry.h"
#include "ui/memory/lapse_window.h"
#include "ui/memory/memory_layout.h"
#include "ui/workbench/moment_picture.h"
#include "ui/workbench/moment_table.h"

#include <QImage>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;

namespace ui {

/// Shows the DRAM of the focused GPU over the visible range: utilisation and efficiency, row hits, a heat map with a row
/// for each channel or for each bank of one channel, camping, and what the compute units do meanwhile. Shares range,
/// cursor, focus and the selected channel with all views.
class MemoryView final : public MomentPicture {
    Q_OBJECT

public:
    /// Both must outlive the view.
    MemoryView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const MemoryLayout& memoryLayout() const { return m_layout; }
    const LapseWindow& lapse() const { return m_lapse; }
    const TimelineGeometry& geometry() const { return m_geometry; }
    const DramPage& page() const { return m_page; }
    /// Shows the channels or the banks of a channel. Returns false and does nothing if the run has no such banks.
    bool showPage(const DramPage& page);
    Heat heat() const { return m_heat; }
    void setHeat(Heat heat);
    /// Places a widget between header and strips, as far as there is room; it becomes the view's child. `lines`: its height
    /// in lines of text. `setLeft` gets the left edge of the time axis.
    void setBar(QWidget& bar, double lines, std::function<void(double)> setLeft);
    /// Aligns the time axis with that of the timeline, as far as the names have room.
    void setLeft(double left);
    /// Returns the row of the time-lapse that is selected: the channel that is selected in all views, or a bank.
    std::optional<std::size_t> selectedRow() const;
    /// Returns the period at the cursor, or at the end of the run without a cursor; empty if it is not in sight.
    std::optional<std::size_t> currentPeriod() const;
    /// Describes what the picture shows: GPU, time, period, and the values that have no strip.
    QString headerWords() const;
    /// Returns the values for a table, with a row for each period in sight.
    MomentTable::Content table() const;
    /// Moves the cursor into a period of that table.
    void chooseTableRow(std::size_t row);

    /// Returns the words of the figure of the visible range; `run`: its name.
    MomentFigureWords wordsOfFigure(const QString& run) const;

Q_SIGNALS:
    void cursorRequested(qint64 ps);
    /// Another page or range is shown, so that the table has other rows.
    void tableChanged();
    void pageChanged();

protected:
    void showRun() override;
    void showFocus() override;
    void layOut() override;
    std::vector<Part> parts() override;
    std::vector<PartState> states() override;
    void paintBackground(QPainter& painter) override;
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override;
    MomentFigureWords figureWords(const QString& run, const QString& when) const override;
    double figureHeight(double width) const override { return width * 0.75; }
    void wheelEvent(QWheelEvent* event) override;

private:
    struct Label {
        QRectF box;
        QString text;
        bool strong = false;
    };

    const engine::Experiment& experiment() const;
    std::uint32_t channels() const;
    bool hasBanks() const;
    bool hasUnits() const;
    double namesWidth() const;
    std::size_t rowOf(std::size_t shown) const { return shown * m_layout.rowsTogether; }
    /// Returns the rows of the time-lapse that share a row of the heat map: the first and the one after the last.
    std::pair<std::size_t, std::size_t> rowsOf(std::size_t shown) const;
    void showLapse();
    data::TimeRange shownRange() const;
    QRectF columnsOf(const QRectF& strip, std::size_t period) const;
    data::TimeLapse::Cell heatCell(std::size_t shown, std::size_t period) const;
    double mostHeat() const;
    QRectF cursorBox() const;
    QRectF selectedBox() const;
    QString tipAt(const QRectF& strip, QPointF at) const;
    void pressAt(const QRectF& strip, QPointF at);
    void selectRow(std::size_t row);
    void moveRow(int by);
    void moveCursor(int by);
    void openBanks(std::optional<std::size_t> row);
    void placeHeatChoice();
    void placeBar();

    void paintStrip(QPainter& painter, const QRectF& strip, const QString& name, const QString& top,
                    const QString& bottom) const;
    void paintUse(QPainter& painter) const;
    void paintHits(QPainter& painter) const;
    void paintHeat(QPainter& painter) const;
    void paintHeatMarks(QPainter& painter) const;
    void paintRowNames(QPainter& painter) const;
    void paintCamping(QPainter& painter) const;
    void paintUnits(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    double paintKey(QPainter* painter, const QRectF& area) const;

    DramPage m_page;
    Heat m_heat = Heat::bytes;
    std::optional<std::size_t> m_bank;  // selected on a page of banks
    std::optional<std::size_t> m_pressedRow;
    struct Bar {
        QWidget* widget = nullptr;
        double lines = 0;
        std::function<void(double)> setLeft;
    };

    double m_left = 0;  // of the timeline
    Bar m_bar;
    LapseWindow m_lapse;
    MemoryLayout m_layout;
    TimelineGeometry m_geometry;
    QComboBox* m_heatChoice;
    QString m_header;  ///< headerWords() at the time of states()
};

/// Returns the table Memory over time of a view, for a panel. Choosing a row moves the cursor to its period.
MomentTable* newMemoryTable(ViewState& viewState, RingMoment& moment, MemoryView& view);

}  // namespace ui
