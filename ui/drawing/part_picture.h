#pragma once

#include "data/figure/figure_drawing.h"
#include "ui/look/palette.h"

#include <QFont>
#include <QImage>
#include <QRegion>
#include <QString>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// A part of a picture: what the pointer finds, and what the picture does with it.
struct Part {
    QRectF box;
    std::function<QString(QPointF at)> tip{};  ///< describes the part; empty: there is no tool tip
    std::function<void(QPointF at)> press{};   ///< called by a click with the left button
    std::function<void(QPointF at)> drag{};    ///< called while the pointer moves with the button held
    std::function<void()> open{};              ///< called by a double click
};

/// What a part of a picture shows at one time. Playback repaints a part if its state has changed. If only its box has
/// changed, playback repaints what one of the two boxes has more than the other.
struct PartState {
    QRectF box;
    std::size_t state = 0;
    bool operator==(const PartState&) const = default;
};

/// The colours and sizes with which a picture is painted.
struct PictureLook {
    const Palette& colors;
    QFont font;
    double line = 16;  ///< height of a line of text
    double pixel = 1;  ///< size of a device pixel in the picture's unit
};

/// The names and sizes of a picture.
struct PartPictureConfig {
    QString name;             ///< the object name, by which sessions and tests find the picture
    QString spoken;           ///< the name that a screen reader says
    QSize least;              ///< the smallest size, in lines of text
    double printRatio = 8;    ///< pixels per unit for shapes; 8 is finer than 600 dpi at the width of a column
    bool tipsAtOnce = false;  ///< tool tips appear without a pause
};

/// Base class of pictures that consist of parts, such as the machine, whose parts are GPUs and links. A picture lists
/// its parts and paints them; the base finds the part under the pointer, shows tool tips, asks for actions of keys,
/// keeps an image of what does not change with time, repaints what has changed, lays out again when size, font or
/// palette change, shows a text if there is no picture, and records the picture as shapes for a figure.
class PartPicture : public QWidget {
    Q_OBJECT

public:
    QSize minimumSizeHint() const override;
    /// Returns the picture as shapes and text; an empty optional if it is empty. The picture is not changed.
    std::optional<data::DrawingMark> drawing();
    /// Returns the part at a position, the first in the order of parts().
    std::optional<Part> partAt(QPointF at);

protected:
    explicit PartPicture(PartPictureConfig config, QWidget* parent);

    /// Returns the text that is shown in place of the picture; empty if there is a picture.
    virtual QString emptyText() const { return {}; }
    virtual bool isEmpty() const { return !emptyText().isEmpty(); }
    /// Computes the boxes of all parts for the current size, font and palette. Not called while the picture is hidden.
    virtual void layOut() = 0;
    /// Returns the parts; where several overlap, the first is found.
    virtual std::vector<Part> parts() = 0;
    /// Returns the state of each part at the current time; an empty list means that any of them may change.
    virtual std::vector<PartState> states() { return {}; }
    /// Paints what does not change with time. The image of it is kept until relayout().
    virtual void paintBackground(QPainter& painter) = 0;
    /// Paints what changes with time, as far as `region` shows it.
    virtual void paintMoment(QPainter& painter, const QRegion& region) = 0;
    /// Returns what a key without modifiers does; empty if the picture does not use the key.
    virtual std::function<void()> actionOf(int key);
    /// Describes the picture at the current time for screen readers.
    virtual QString spokenText() const { return {}; }

    /// Lays out and paints everything again; a hidden picture does so when it is shown.
    void relayout();
    /// Paints everything again in the present layout, the background as well.
    void repaintAll();
    /// Shows another time: speaks, and repaints the parts whose state has changed. A hidden picture does nothing.
    void follow();

    PictureLook look() const { return {colors(), font(), m_line, pixel()}; }
    const Palette& colors() const { return paletteOf(*this); }
    double line() const { return m_line; }  ///< height of a line of text
    /// Returns the number of pixels per unit, which is higher if the picture is painted as shapes.
    double ratio() const { return m_inShapes ? m_config.printRatio : devicePixelRatioF(); }
    double pixel() const { return 1 / ratio(); }
    double snapped(double value) const;           ///< moves a coordinate to a pixel
    bool inShapes() const { return m_inShapes; }  ///< true while painting for a figure

    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void layOutNow();
    void buildBackground();
    std::function<void()> wantedBy(const QKeyEvent& key);
    QRegion changesTo(const std::vector<PartState>& now) const;

    PartPictureConfig m_config;
    QImage m_background;
    std::optional<std::vector<PartState>> m_now, m_painted;
    std::optional<Part> m_pressed;
    double m_line = 16;
    bool m_stale = true;  ///< the layout is not that of the current size
    bool m_inShapes = false;
};

/// Returns a number that changes whenever one of `values` does, for PartState::state.
template <class... Values>
std::size_t stateOf(const Values&... values) {
    return qHashMulti(0, values...);
}

}  // namespace ui
