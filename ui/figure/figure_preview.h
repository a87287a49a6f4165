#pragma once

#include "ui/figure/figure_writers.h"

#include <QPixmap>
#include <QScrollArea>
#include <QSizeF>

#include <cstdint>
#include <memory>

namespace ui {

/// How large a figure is shown: as large as it will be printed, twice that, or as the room allows.
enum class FigureZoom : std::uint8_t { trueSize, twice, fit };

/// Where the parts of a preview stand, in widget coordinates: the sheet of paper, the figure on it, the room of its
/// caption. Apart from painting, so that it is tested without a window.
struct PreviewPlaces {
    QRectF sheet, figure, caption;
    double scale = 1;  ///< widget coordinates to the point
};
/// `page` and `caption`'s height in points; `dots` to the inch; `room` for everything. Slides have no paper around them.
PreviewPlaces previewPlaces(QSizeF page, double captionHeight, bool slide, FigureZoom zoom, double dots, QSizeF room);

/// A figure as it will look: on a stretch of the column that it was made for, its caption beneath, in the colours of its
/// own theme whatever those of the window are. Kept as pixels until figure, zoom or room change.
class FigurePreview final : public QScrollArea {
    Q_OBJECT

public:
    explicit FigurePreview(QWidget* parent = nullptr);

    /// Null: nothing.
    void showFigure(std::shared_ptr<const ReadyFigure> figure);
    FigureZoom zoom() const { return m_zoom; }
    void setZoom(FigureZoom zoom);
    const PreviewPlaces& places() const { return m_places; }

Q_SIGNALS:
    void zoomChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Sheet;

    void place();
    void paintSheet(QPainter& painter);
    QString caption() const;

    std::shared_ptr<const ReadyFigure> m_figure;
    FigureZoom m_zoom = FigureZoom::trueSize;
    PreviewPlaces m_places;
    QPixmap m_picture;
    Sheet* m_sheet;
};

}  // namespace ui
