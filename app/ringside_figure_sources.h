#pragma once

#include "data/figure/figure_gallery.h"
#include "data/figure/figure_spec.h"
#include "data/presets/presets.h"
#include "ui/shared/figure_offer.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

/// Makes figures from their sources: by simulation, with the runs of a store, or from a view of a window that nobody sees.
/// Figures of the gallery share their runs. Needs a QApplication. Throws as data::Gallery::make does, with a problem for
/// each part of the source that is wrong.
class FigureMaker {
public:
    struct Options {
        int threads = 1;
        std::stop_token stop{};
        std::function<void(double)> progress{};  ///< of the current figure, rising to 1; from any thread
        std::string store{};                     ///< the store of sweeps and evaluations; empty: in memory
    };

    explicit FigureMaker(Options options) : m_options(std::move(options)) {}

    /// Returns the figure as its source gives it, without edits. `source` stays in the figure. Pictures whose shapes depend
    /// on size and theme can be drawn again.
    ui::FigureOffer make(const data::FigureSource& source);

    /// Sentences about edits of combined figures that no longer find their part and are left out.
    const std::vector<std::string>& stale() const { return m_stale; }

private:
    ui::FigureOffer ofGallery(const data::FigureSource& source);
    ui::FigureOffer ofEvaluation(const data::FigureSource& source);
    ui::FigureOffer ofSweep(const data::FigureSource& source);
    ui::FigureOffer ofCombined(const data::FigureSource& source);
    data::GalleryOptions galleryOptions(const data::Settings& settings) const;

    Options m_options;
    std::unique_ptr<data::Gallery> m_gallery;
    data::Settings m_gallerySettings;
    std::vector<std::string> m_stale;
};

/// Returns a source with further settings, which replace those of the same parameter.
data::FigureSource withSettings(data::FigureSource source, const std::vector<std::string>& settings);

/// Makes the figure of a view. `stop` is looked at while the window works.
ui::FigureOffer figureOfView(const data::FigureSource& source, const std::stop_token& stop);

/// Returns the names of the views that a source can have: "timeline", "model/memory".
const std::vector<std::string>& figureViews();

}  // namespace app
