#pragma once

#include "data/figure/figure_spec.h"
#include "data/presets/presets.h"
#include "engine/api/problem.h"

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace data {

class GalleryRuns;
struct Evaluation;
struct EvaluationFigure;

/// A figure that can be made from simulation by its name.
struct GalleryEntry {
    std::string_view name;         ///< "sublayer-speedup"
    std::string_view title;        ///< "Speed-up of sub-layers by policy"
    std::string_view what;         ///< one sentence
    std::string_view counterpart;  ///< the published figure that asks the same question; may be empty
    double effort = 0;  ///< its share of the time for making all figures in this order, given the figures before it
};

/// Returns the figures in the order in which a paper would show them, followed by the figures of bundled evaluations,
/// such as "t3-speed-up".
std::span<const GalleryEntry> galleryEntries();
const GalleryEntry* findGalleryEntry(std::string_view name);

struct GalleryOptions {
    Settings settings;  ///< explicit values over every experiment, for what-if
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< of the current figure, rising to 1; calls never overlap, but come from
                                             ///< any thread
    std::string store{};  ///< the store that runs of evaluations are read from and kept in; empty: in memory
};

/// Makes the figures of the gallery. Runs that several figures need are simulated once. Not thread-safe.
class Gallery {
public:
    explicit Gallery(GalleryOptions options);
    ~Gallery();
    Gallery(const Gallery&) = delete;
    Gallery& operator=(const Gallery&) = delete;

    /// Returns a figure with caption, alternative text and provenance. Its size is an ACM column, or the full width if
    /// it needs that, and its theme is for paper; the caller may change both. Throws std::out_of_range for a name that
    /// is not in the gallery, engine::InvalidExperiment if the settings make a case impossible, engine::RunStopped
    /// after a stop.
    FigureSpec make(std::string_view name);
    /// Makes a figure of an evaluation that is not bundled, as make() makes those of bundled ones, but without its source
    /// and its command.
    FigureSpec make(const Evaluation& evaluation, const EvaluationFigure& figure);

private:
    GalleryRuns& runs();

    GalleryOptions m_options;
    std::unique_ptr<GalleryRuns> m_runs;
};

}  // namespace data
