#pragma once

#include "ui/drawing/part_picture.h"
#include "ui/shared/figure_offer.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace ui {

class RingMoment;
class ViewState;

/// What a picture of a run says of itself as a figure. The texts are complete but for the name of the run and the time.
struct MomentFigureWords {
    QString word;  ///< begins the name of the figure's file
    QString title, caption, alternative;
    QString moment{};  ///< what the picture shows of the run, for its provenance; empty: the time
};

/// Base class of the pictures of one run at the time of the cursor. They share cursor, focused GPU and followed chunk
/// with all views and have no playback state of their own.
class MomentPicture : public PartPicture {
    Q_OBJECT

public:
    /// Returns whether there is a run with states; a bound has none.
    bool hasRun() const;
    std::uint32_t focusedGpu() const;

protected:
    /// Both must outlive the picture. `whyBound`: why a bound, which is calculated and not simulated, has no picture.
    MomentPicture(ViewState& viewState, RingMoment& moment, PartPictureConfig config, QString whyBound,
                  QWidget* parent);

    QString emptyText() const override;
    /// Called when another run is shown.
    virtual void showRun() { relayout(); }
    /// Called when another GPU is in focus.
    virtual void showFocus() { relayout(); }
    /// Returns the words of a figure. `run`: its name. `when`: "at 412 µs".
    virtual MomentFigureWords figureWords(const QString& run, const QString& when) const = 0;
    /// Returns a suitable height of a figure of this width, both in points.
    virtual double figureHeight(double width) const = 0;

    /// Moves the focus by a number of GPUs, as far as there are GPUs.
    void moveFocus(int by);
    /// Follows a chunk in all views, or lets it go if it is followed.
    void toggleFollowed(std::uint32_t chunk);

    ViewState& m_viewState;
    RingMoment& m_moment;

private:
    using Factory = std::function<std::unique_ptr<MomentPicture>(ViewState&, RingMoment&)>;
    static std::optional<FigureOffer> figure(const ViewState& viewState, const RingMoment& moment,
                                             const Factory& factory);
    template <class View>
    friend std::optional<FigureOffer> figureOf(const ViewState& viewState, const RingMoment& moment);

    QString m_whyBound;
};

/// Returns a figure of a picture at the cursor, or without a cursor at the most informative time (ring_moment.h): shapes
/// and text in the colours of paper, whatever the window's theme is, which are drawn again for each size and theme. An
/// empty optional without a run, and for bounds, which have no states.
template <class View>
std::optional<FigureOffer> figureOf(const ViewState& viewState, const RingMoment& moment) {
    return MomentPicture::figure(viewState, moment,
                                 [](ViewState& state, RingMoment& at) { return std::make_unique<View>(state, at); });
}

}  // namespace ui
