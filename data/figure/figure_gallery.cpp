#include "data/figure/figure_gallery.h"

#include "data/document/names.h"
#include "data/evaluations/reference.h"
#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace data {
namespace {

struct Maker {
    FigureSpec (*make)(GalleryRuns&);
    bool ofCollective = false;  ///< no GEMM is simulated
};

constexpr std::array kEntries{
    GalleryEntry{"sublayer-runtime", "Where the time of sub-layers goes",
                 "Shares of GEMM, reduce-scatter and all-gather in the sequential runtime of 16 sub-layers.",
                 "T3, evaluation: sub-layer runtime distribution", 0.06},
    GalleryEntry{"sublayer-speedup", "Speed-up of sub-layers by policy",
                 "T3, T3-MCA and two ideal overlaps over sequential execution, by sub-layer, with geomean and maximum "
                 "beside the published ones.",
                 "T3, evaluation: sub-layer speed-ups", 0},
    GalleryEntry{"dram-access", "DRAM accesses under sequential execution and T3-MCA",
                 "Reads and writes of GEMM, reduce-scatter and all-gather, normalised to sequential execution.",
                 "T3, evaluation: DRAM accesses", 0},
    GalleryEntry{"dram-traffic", "DRAM traffic over time",
                 "Rates of one GPU in T-NLG FC-2 on 8 GPUs under sequential execution and T3-MCA.",
                 "T3, evaluation: DRAM traffic of T-NLG FC-2, TP 8", 0.01},
    GalleryEntry{"end-to-end", "Speed-up of whole models by policy",
                 "A training step and a prompt of five models under T3, T3-MCA and ideal overlap.",
                 "T3, evaluation: end-to-end speed-ups", 0.72},
    GalleryEntry{"communication-share", "Share of communication by model",
                 "Where the time of a training step and a prompt goes in five models under sequential execution.",
                 "T3, motivation: share of communication in Transformers", 0},
    GalleryEntry{"cu-split", "GEMM and collective on CUs of their own",
                 "How a GEMM and a reduce-scatter slow down when they share the compute units, and what remains of "
                 "the overlap.",
                 "T3, motivation: sharing compute units", 0.2},
    GalleryEntry{"reduce-scatter-time", "Reduce-scatter time against size",
                 "A reduce-scatter by kernels on compute units and by near-memory updates with DMA, beside the bound "
                 "of its links.",
                 "T3, methodology: reduce-scatter alone", 0.01},
};
constexpr std::array<Maker, kEntries.size()> kMakers{{{sublayerRuntimeFigure},
                                                      {sublayerSpeedupFigure},
                                                      {dramAccessFigure},
                                                      {dramTrafficFigure},
                                                      {endToEndFigure},
                                                      {communicationShareFigure},
                                                      {cuSplitFigure},
                                                      {reduceScatterTimeFigure, true}}};

}  // namespace

std::span<const GalleryEntry> galleryEntries() { return kEntries; }

const GalleryEntry* findGalleryEntry(std::string_view name) { return findNamed(kEntries, &GalleryEntry::name, name); }

Gallery::Gallery(GalleryOptions options) : m_options(std::move(options)) {}

Gallery::~Gallery() = default;

FigureSpec Gallery::make(std::string_view name) {
    const GalleryEntry* entry = findGalleryEntry(name);
    if (entry == nullptr)
        throw std::out_of_range("no figure of the gallery is called " + std::string(name));
    if (m_options.stop.stop_requested())
        throw engine::RunStopped();
    if (!m_runs)
        m_runs = std::make_unique<GalleryRuns>(m_options);
    const Maker& maker = kMakers[static_cast<std::size_t>(entry - kEntries.data())];
    const Settings settings = maker.ofCollective ? settingsOfCollective(m_options.settings) : m_options.settings;
    FigureSpec figure = maker.make(*m_runs);
    figure.name = entry->name;
    figure.title = entry->title;
    figure.caption += " " + madeSentence(m_runs->level(), settings);
    figure.provenance.program = "Ringside " RINGSIDE_VERSION;
    figure.provenance.engine = engine::engineVersion();
    figure.provenance.command = figureCommand(name, settings);
    if (!figure.provenance.published.empty())
        figure.provenance.publishedSource = publishedSource();
    if (m_options.progress)
        m_options.progress(1);
    return figure;
}

}  // namespace data
