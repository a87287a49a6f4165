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

/// A figure that can be made from simulation by its name.
struct GalleryEntry {
    std::string_view name;         ///< "sublayer-speedup"
    std::string_view title;        ///< "Speed-up of sub-layers by policy"
    std::string_view what;         ///< one sentence
    std::string_view counterpart;  ///< which published figure asks the same question; may be empty
    double effort = 0;  ///< its share of the time that all take in this order, where the ones before are made
};

/// In the order in which a paper would show them; behind them the figures of bundled evaluations, such as "t3-speed-up".
std::span<const GalleryEntry> galleryEntries();
const GalleryEntry* findGalleryEntry(std::string_view name);

struct GalleryOptions {
    Settings settings;  ///< explicit values over every experiment, for what-if
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< of the figure at work, rising to 1; one call at a time, on any thread
};

/// Makes figures; what several of them need is simulated once. Not safe to use from several threads at once.
class Gallery {
public:
    explicit Gallery(GalleryOptions options);
    ~Gallery();
    Gallery(const Gallery&) = delete;
    Gallery& operator=(const Gallery&) = delete;

    /// At size ACM column (or full width where it needs that), theme paper: the caller changes them. Complete with caption,
    /// alternative text and provenance. Throws std::out_of_range for a name that is not in the gallery,
    /// engine::InvalidExperiment where the settings make a case impossible, engine::RunStopped after a stop.
    FigureSpec make(std::string_view name);

private:
    GalleryOptions m_options;
    std::unique_ptr<GalleryRuns> m_runs;
};

}  // namespace data
