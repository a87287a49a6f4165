#pragma once

#include "ui/figure/figure_writers.h"

#include "ui/figure/preview_hits.h"

#include <QPixmap>
#include <QScrollArea>
#include <QSizeF>

#include <cstdint>
#include <memory>
#include <optional>

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
    /// The next press, drag and release in a panel place a note of this kind. Escape ends it.
    void placeNote(data::FigureAnnotation::Kind kind);
    bool isPlacing() const { return m_placing.has_value(); }
    /// Shows a field over a text in which the author changes it.
    void editText(const EditableText& text);

Q_SIGNALS:
    void zoomChanged();
    /// A note was placed, from one position to another in the same panel.
    void notePlaced(data::FigureAnnotation::Kind kind, const PanelPoint& from, const PanelPoint& to);
    /// A note was moved by this far in units of the axes.
    void noteMoved(const NotePlace& note, double right, double up);
    /// The author has changed a text.
    void textEdited(const EditableText& text, const QString& value);
    /// Placing has begun or ended.
    void placingChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class Sheet;

    QPointF onPage(const QPointF& sheet) const { return (sheet - m_places.figure.topLeft()) / m_places.scale; }
    QRectF onSheet(const QRectF& page) const;
    void press(const QPointF& at);
    void drag(const QPointF& at);
    void release(const QPointF& at);
    void doubleClick(const QPointF& at);
    void showCursor(const QPointF& at);
    void endPlacing();
    void endDrag();
    void paintDrag(QPainter& painter) const;

    void place();
    void paintSheet(QPainter& painter);
    QString caption() const;

    std::shared_ptr<const ReadyFigure> m_figure;
    FigureZoom m_zoom = FigureZoom::trueSize;
    PreviewPlaces m_places;
    QPixmap m_picture;
    std::optional<data::FigureAnnotation::Kind> m_placing;
    std::optional<NotePlace> m_moved;          // the note that is dragged
    std::optional<QPointF> m_pressed, m_held;  // on the page: where a drag began, and where it is
    Sheet* m_sheet;
};

}  // namespace ui
