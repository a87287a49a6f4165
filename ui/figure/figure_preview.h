#pragma once

#include "ui/figure/figure_writers.h"

#include <QPixmap>
#include <QScrollArea>
#include <QSizeF>

#include <cstdint>
#include <memory>

namespace ui {

/// The zoom of a figure: its printed size, twice that, or as large as fits.
enum class FigureZoom : std::uint8_t { trueSize, twice, fit };

/// The positions of a preview's parts in widget coordinates: the sheet of paper, the figure on it, the room of its
/// caption. Separate from painting, so that it can be tested without a window.
struct PreviewPlaces {
    QRectF sheet, figure, caption;
    double scale = 1;  ///< widget units per point
};
/// Computes the positions. `page` and `captionHeight` are in points, `dots` per inch; `room` is the available size. A
/// slide has no paper around it.
PreviewPlaces previewPlaces(QSizeF page, double captionHeight, bool slide, FigureZoom zoom, double dots, QSizeF room);

/// Shows a figure as it will be printed: on a part of a page with the column that it was made for, its caption below,
/// in the colours of its own theme, whatever the window's theme is. Cached as pixels until figure, zoom or size change.
class FigurePreview final : public QScrollArea {
    Q_OBJECT

public:
    explicit FigurePreview(QWidget* parent = nullptr);

    /// Shows a figure; null: none.
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
