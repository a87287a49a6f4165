#pragma once

#include "data/figure/figure_drawing.h"
#include "data/replay/output_grid.h"
#include "ui/look/palette.h"
#include "ui/machine/link_traffic.h"
#include "ui/machine/machine_facts.h"
#include "ui/machine/machine_map.h"
#include "ui/machine/tile_picture.h"
#include "ui/machine/topology_facts.h"
#include "ui/shared/figure_offer.h"

#include <QImage>
#include <QRegion>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

class RingMoment;
class ViewState;
struct TopologyLook;

/// The machine at the time of the cursor: GPUs and the links between them, every GPU's output, chunks in transit, and
/// the focused GPU in large with its queues. Follows ViewState and RingMoment; has no playback state of its own.
class MachineView final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the view; the main window owns all three.
    MachineView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    std::uint32_t focusedGpu() const;
    const MachineMap& map() const { return m_map; }
    const TopologyFacts& topology() const { return m_facts; }
    /// Returns the link that was clicked, until something else is clicked.
    std::optional<std::uint32_t> pickedLink() const { return m_pickedLink; }
    /// Returns the box of a tile in the large picture, in the view's coordinates.
    QRectF tileBox(std::uint32_t tile) const;
    /// Adds a picture of the inside of the focused GPU, which is hidden at first. The view takes ownership.
    void setInside(QWidget* inside);
    /// Shows that picture in place of the large output, or hides it. A double click and Enter toggle it.
    void showInside(bool shows);
    bool showsInside() const { return m_inside != nullptr && m_inside->isVisibleTo(this); }
    QSize minimumSizeHint() const override;
    /// Returns the picture as shapes and text; an empty optional without a run. The view is not changed.
    std::optional<data::DrawingMark> drawing();
    /// Describes what every GPU does, in a sentence for each.
    QString descriptionOfAll() const;

Q_SIGNALS:
    void insideShown(bool shown);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    struct TilePlace {
        std::uint32_t gpu = 0;
        std::uint32_t tile = 0;
    };

    bool hasRun() const;
    void showRun();
    void relayout();
    void layOutDetail();
    DetailNeeds detailNeeds() const;
    bool hasRoomForParcels() const;
    void layOutPictures();
    void follow();  ///< updates the view after a move of the cursor
    QStringList doing(std::uint32_t gpu) const;
    QString doingText(std::uint32_t gpu) const;
    bool followsRing() const;  ///< returns whether chunks go from each GPU to the one before it
    bool isCompact() const;    ///< returns whether a card has a number and at most a picture beside it
    QRectF pictureBox(const TilePicture& picture, const QRectF& room) const;
    QRectF cardRoom(std::uint32_t gpu) const;
    std::optional<std::uint32_t> cardAt(QPointF position) const;
    std::optional<TilePlace> tileAt(QPointF position) const;
    std::optional<Parcel> parcelAt(QPointF position) const;
    std::optional<std::uint32_t> linkAt(QPointF position) const;
    QString linkText(std::uint32_t link) const;
    QString hoverText(QPointF position) const;
    std::optional<std::uint32_t> neighbourTowards(int key) const;
    double snapped(double value) const;
    /// Returns the number of pixels per unit of the view, which is higher if the view is painted as shapes for print.
    double ratio() const;

    // Defined in machine_changes.cpp. The state that was last painted, without the tiles, which the pictures store
    // themselves.
    struct Shown {
        std::vector<std::vector<Gauge>> gauges;  ///< by GPU
        std::vector<Parcel> parcels;
        QStringList doing;  ///< of the focused GPU
        std::optional<std::uint32_t> sendingChunk;
    };
    Shown shownNow() const;
    QRegion changesTo(const Shown& now) const;
    QRegion changesOfDetail(const Shown& now) const;
    QRegion changesOfParcels(const Shown& now) const;
    QRegion placeOf(const Parcel& parcel) const;
    bool showsLinks() const;

    // Defined in machine_paint.cpp.
    void buildBackground();
    void paintBackground(QPainter& painter);
    void paintMoment(QPainter& painter, const QRegion& part);
    void paintPicture(QPainter& painter, TilePicture& picture, const QRectF& box, const data::GpuState& state) const;
    QRectF smallGaugesRoom(std::uint32_t gpu) const;
    TopologyLook look() const;
    void paintHeader(QPainter& painter) const;
    void paintTrack(QPainter& painter) const;
    void paintLinks(QPainter& painter) const;
    void paintCardFrame(QPainter& painter, std::uint32_t gpu) const;
    void paintCard(QPainter& painter, std::uint32_t gpu);
    void paintSmallGauges(QPainter& painter, const QRectF& box, const std::vector<Gauge>& gauges) const;
    void paintParcels(QPainter& painter, const QRegion& part) const;
    void paintToken(QPainter& painter, const Parcel& parcel) const;
    void paintDetail(QPainter& painter, const QRegion& part);
    void paintChunkNumbers(QPainter& painter, const data::GpuState& state) const;
    void paintFollowed(QPainter& painter, const TilePicture& picture, const QRectF& box) const;
    void paintWords(QPainter& painter) const;
    void paintGauge(QPainter& painter, const QRectF& room, const Gauge& gauge) const;
    void paintNothing(QPainter& painter) const;
    QRectF tokenBox(const Parcel& parcel) const;
    QSizeF numberedToken() const;

    ViewState& m_viewState;
    RingMoment& m_moment;
    data::OutputGrid m_grid;
    GaugeScales m_scales;
    TopologyFacts m_facts;
    LinkUse m_use;
    MachineMap m_map;
    std::optional<std::uint32_t> m_pickedLink;
    DetailLayout m_detail;
    QWidget* m_inside = nullptr;
    std::vector<TilePicture> m_cards;
    TilePicture m_large;
    QImage m_background;
    Shown m_painted;
    double m_line = 16;
    double m_legendTop = 0;
    int m_headerRows = 2;
    bool m_hasLegend = true;
    bool m_numbersParcels = true;
    bool m_inShapes = false;  ///< true while painting for a figure
};

/// Returns a figure of the machine at the cursor, or without a cursor at the most informative time (ring_moment.h):
/// shapes and text in the colours of paper, whatever the window's theme is. An empty optional without a run, and for
/// bounds, which have no states.
std::optional<FigureOffer> machineFigure(const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
