#pragma once

#include "data/replay/output_grid.h"
#include "ui/machine/link_traffic.h"
#include "ui/machine/machine_facts.h"
#include "ui/machine/machine_map.h"
#include "ui/machine/tile_picture.h"
#include "ui/machine/topology_facts.h"
#include "ui/workbench/moment_picture.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// The machine at the time of the cursor: GPUs and the links between them, every GPU's output, chunks in transit, and
/// the focused GPU in large with its queues. Keys: the arrows go from GPU to GPU, Enter shows the inside of one.
class MachineView final : public MomentPicture {
    Q_OBJECT

public:
    /// Both must outlive the view; the main window owns all three.
    MachineView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

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

Q_SIGNALS:
    void insideShown(bool shown);

protected:
    void showRun() override;
    void showFocus() override { repaintAll(); }
    void layOut() override;
    std::vector<Part> parts() override;
    std::vector<PartState> states() override;
    void paintBackground(QPainter& painter) override;
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override { return doingText(focusedGpu()); }
    MomentFigureWords figureWords(const QString& run, const QString& when) const override;
    double figureHeight(double width) const override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void layOutDetail();
    DetailNeeds detailNeeds() const;
    bool hasRoomForParcels() const;
    void layOutPictures();
    QStringList doing(std::uint32_t gpu) const;
    QString doingText(std::uint32_t gpu) const;
    bool followsRing() const;  ///< returns whether chunks go from each GPU to the one before it
    bool isCompact() const;    ///< returns whether a card has a number and at most a picture beside it
    bool showsLinks() const;   ///< returns whether any part of the picture may change with time
    QRectF pictureBox(const TilePicture& picture, const QRectF& room) const;
    QRectF cardRoom(std::uint32_t gpu) const;
    QRectF smallGaugesRoom(std::uint32_t gpu) const;
    QRectF largeBox() const { return pictureBox(m_large, m_detail.picture); }
    QRectF largeAndNumbers() const;
    std::optional<std::uint32_t> tileAt(QPointF at, const TilePicture& picture, const QRectF& room) const;
    std::optional<std::uint32_t> linkAt(QPointF at) const;
    QString linkText(std::uint32_t link) const;
    QString tileTip(std::uint32_t gpu, std::uint32_t tile) const;
    QString parcelTip(const Parcel& parcel) const;
    QString placeTip(QPointF at) const;
    void goTowards(int key);

    void paintPicture(QPainter& painter, TilePicture& picture, const QRectF& box, const data::GpuState& state) const;
    void paintHeader(QPainter& painter) const;
    void paintTrack(QPainter& painter) const;
    void paintLinks(QPainter& painter) const;
    void paintCardFrame(QPainter& painter, std::uint32_t gpu) const;
    void paintCard(QPainter& painter, std::uint32_t gpu);
    void paintSmallGauges(QPainter& painter, const QRectF& box, const std::vector<Gauge>& gauges) const;
    void paintParcels(QPainter& painter) const;
    void paintToken(QPainter& painter, const Parcel& parcel) const;
    void paintDetail(QPainter& painter, const QRegion& region);
    void paintChunkNumbers(QPainter& painter, const data::GpuState& state) const;
    void paintFollowed(QPainter& painter, const TilePicture& picture, const QRectF& box) const;
    void paintWords(QPainter& painter) const;
    void paintGauge(QPainter& painter, const QRectF& room, const Gauge& gauge) const;
    QRectF tokenBox(const Parcel& parcel) const;
    QSizeF numberedToken() const;

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
    std::vector<QRectF> m_tiles;  ///< the boxes of tiles in the large picture
    QRectF m_legend;              ///< empty: there is no room for a legend
    int m_headerRows = 2;
    bool m_numbersParcels = true;
    // The content at the time of states(), but for the tiles.
    std::vector<std::vector<Gauge>> m_gauges;  ///< by GPU
    std::vector<Parcel> m_parcels;
    QStringList m_doing;  ///< of the focused GPU
};

}  // namespace ui
