#pragma once

#include "ui/drawing/range_picture.h"
#include "ui/look/texture.h"
#include "ui/model/step_layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ui {

/// What is chosen in the picture of a step: a pass, or one of its layers.
struct StepChoice {
    std::size_t row = 0;                    ///< of StepCanvas::rows()
    std::size_t pass = 0;                   ///< in the row
    std::optional<std::int64_t> section{};  ///< of the pass, in the order in which it goes through them
    bool operator==(const StepChoice&) const = default;
};

/// A step over time: one row for each stage with its passes, strips of data messages and of sends beneath it, and the
/// bytes that the chosen stage holds beneath all rows. From far away columns show shares; near by passes show their
/// micro-batch, their layers and, at last, operators. A document of tasks has a row for each place of a pool, with its
/// tasks in place of passes.
class StepCanvas final : public RangePicture {
    Q_OBJECT

public:
    explicit StepCanvas(QWidget* parent = nullptr);

    /// Shows steps one above the other on one time axis; a document of tasks is shown alone. `pinned`: a step whose outlines are drawn behind the first;
    /// may be null. `capacity`: bytes of a GPU's memory, if limited. `run` names operators.
    void showSteps(std::vector<ShownStep> steps, std::shared_ptr<const data::ModelRun> run,
                   std::shared_ptr<const data::ModelStep> pinned, std::optional<double> capacity);
    void setStale(bool stale);
    void setChainShown(bool shown);
    bool isChainShown() const { return m_showsChain; }

    const std::vector<ShownStep>& steps() const { return m_steps; }
    const std::vector<StageRow>& rows() const { return m_rows; }
    const std::optional<StepChoice>& chosen() const { return m_chosen; }
    void choose(std::optional<StepChoice> choice);
    TimelineGeometry geometry() const override;
    /// Zooms to the chosen pass, then to its layer. Returns false if nothing is chosen.
    bool zoomIn();
    /// Goes up: from a layer to its pass, to no choice, to the whole step. Returns false at the top.
    bool goUp();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosenChanged();
    /// A double click on an operator of a layer.
    void operatorRequested(std::size_t op);
    void chainToggled(bool shown);

protected:
    bool isEmpty() const override { return m_steps.empty(); }
    void layOut() override;
    std::vector<Part> parts() override;
    void paintBackground(QPainter& painter) override;
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override;
    void press(QPointF at) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    struct RowBox {
        double top = 0, height = 0;  ///< of the passes
        double strips = 0;           ///< height of each of the two strips beneath; 0: there are none
    };

    bool showsTasks() const { return !m_steps.empty() && m_steps.front().tasks != nullptr; }
    /// Precondition: the row is not of a document of tasks.
    const data::ModelStep& stepOf(const StageRow& row) const { return *m_steps[row.group].step; }
    /// Returns the sections of the model that a pass goes through; 0 for a task of a document.
    std::int64_t sectionsOf(const StageRow& row, const ShownPass& pass) const;
    QString lineOf(const StageRow& row, const ShownPass& pass) const;
    QString boxTextOf(const StageRow& row, const ShownPass& pass) const;
    /// Returns the pass of row `next` with the micro-batch of a pass of row `row`, if there is one.
    std::optional<std::size_t> samePassIn(std::size_t next, std::size_t row, const ShownPass& pass) const;
    double psPerPixel() const { return geometry().psPerPixel() * ratio(); }
    std::optional<StepChoice> choiceAt(QPointF at) const;
    std::optional<std::size_t> operatorAt(QPointF at) const;
    QString tipAt(QPointF at) const;
    void walk(int key);
    /// Moves the visible time to the chosen pass if it is outside.
    void reveal();
    void chooseNearest(std::size_t row, std::int64_t ps);

    // Defined in step_paint.cpp.
    struct Looks;
    std::span<const ShownPass> visiblePasses(const StageRow& row) const;
    /// Returns the mean width of the visible passes of each step, in pixels.
    std::vector<double> usualPasses() const;
    void paintRow(QPainter& painter, const Looks& looks, std::size_t row, double usualPass) const;
    void paintColumns(QPainter& painter, const Looks& looks, std::size_t row, double usualPass) const;
    void paintPasses(QPainter& painter, const Looks& looks, std::size_t row, double usualPass) const;
    void paintPass(QPainter& painter, const Looks& looks, std::size_t row, const ShownPass& pass,
                   const QRectF& whole) const;
    void paintSections(QPainter& painter, const Looks& looks, std::size_t row, const ShownPass& pass) const;
    void paintOperators(QPainter& painter, const Looks& looks, const QRectF& box, const data::SectionTime& section,
                        std::int64_t begin, std::int64_t end) const;
    void paintStrips(QPainter& painter, const Looks& looks, std::size_t row) const;
    void paintLabels(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintHeld(QPainter& painter) const;
    void paintChoice(QPainter& painter) const;
    void paintChain(QPainter& painter) const;
    void paintPinned(QPainter& painter) const;
    /// An entry of the legend, with the left top corner of its place in the picture.
    struct LegendEntry {
        Fill fill;
        QString text;
        QPointF at;
    };
    std::vector<LegendEntry> meaningsOf(const Looks& looks) const;
    std::vector<LegendEntry> legendOf(const Looks& looks) const;
    double legendHeight() const;
    void paintLegend(QPainter& painter, const Looks& looks) const;

    std::vector<ShownStep> m_steps;
    std::shared_ptr<const data::ModelRun> m_run;
    std::shared_ptr<const data::ModelStep> m_pinned;
    std::vector<StageRow> m_pinnedRows;
    std::optional<double> m_capacity;
    std::vector<StageRow> m_rows;
    std::vector<RowBox> m_boxes;     // by row
    std::vector<double> m_headings;  // by step: top of its heading, if there are several
    double m_gutter = 0, m_axis = 0, m_heldTop = 0, m_heldHeight = 0;
    std::optional<StepChoice> m_chosen;
    bool m_stale = false, m_showsChain = false;
};

}  // namespace ui
