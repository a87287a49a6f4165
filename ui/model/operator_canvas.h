#pragma once

#include "data/model/model_run.h"
#include "ui/model/operator_layout.h"

#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace ui {

struct Palette;
struct Tip;

/// What the fill of a box means.
enum class OperatorColouring : std::uint8_t { time, exposed };

/// The operator graph of a model's layer under one policy: boxes filled by their share of the total, or of what is
/// exposed; beneath a collective how much of it is hidden. A picture of a finished run: it holds nothing but what is
/// selected.
class OperatorCanvas final : public QWidget {
    Q_OBJECT

public:
    explicit OperatorCanvas(QWidget* parent = nullptr);

    /// `policy`: index into the run's policies.
    void showRun(std::shared_ptr<const data::ModelRun> run, std::size_t policy);
    void setColouring(OperatorColouring colouring);
    /// Another run is on its way.
    void setStale(bool stale);
    std::optional<std::uint32_t> selected() const { return m_selected; }
    void select(std::optional<std::uint32_t> op);
    const OperatorLayout& operatorLayout() const { return m_layout; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void selectionChanged();
    void openRequested(std::uint32_t op);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void relayout();
    void walk(int key);
    Tip tipAt(QPoint place) const;
    void describe();
    const data::PolicyModelTime& policy() const { return m_run->policies[m_policy]; }
    double shareOf(std::uint32_t op) const;

    // operator_paint.cpp
    void paintFrame(QPainter& painter, const Palette& colors) const;
    void paintEdges(QPainter& painter, const Palette& colors) const;
    void paintBox(QPainter& painter, std::uint32_t op, const Palette& colors) const;
    void paintTexts(QPainter& painter, std::uint32_t op, const QRectF& room, const QColor& ink) const;
    void paintHidden(QPainter& painter, std::uint32_t op, const QRectF& bar, const Palette& colors) const;
    void paintScale(QPainter& painter, const Palette& colors) const;
    QColor fillOf(std::uint32_t op, const Palette& colors) const;

    std::shared_ptr<const data::ModelRun> m_run;
    std::size_t m_policy = 0;
    OperatorColouring m_colouring = OperatorColouring::time;
    bool m_stale = false;
    std::optional<std::uint32_t> m_selected;
    OperatorLayout m_layout;
    double m_line = 16;
    double m_most = 0;  ///< the largest share there is, which has the full colour
};

}  // namespace ui
