#pragma once

#include "data/document/document_tree.h"
#include "data/experiment/experiment_document.h"
#include "data/experiment/gpu_part.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// A scene: the part of a run that a lesson's step or a link text shows. For an absent member the window keeps its
/// state.
struct Scene {
    /// A time in picoseconds, or a share of the run, which is valid for any experiment.
    struct Moment {
        std::int64_t ps = 0;
        double share = 0;  ///< 0 to 1; only where `relative`
        bool relative = false;
        bool operator==(const Moment&) const = default;
    };
    /// One span, identified by its place and start, so that it is found again in a trace of another version.
    struct Selection {
        std::uint32_t gpu = 0;
        std::string lane;         ///< engine::name(LaneKind)
        std::uint32_t index = 0;  ///< index of the lane among those of its kind
        std::int64_t startPs = 0;
        bool operator==(const Selection&) const = default;
    };

    /// A step of a lesson, which defines its own scene: a scene that has `lesson` has no other member.
    struct LessonPlace {
        std::string name;        ///< name of a bundled lesson, "ring-reduce-scatter"; empty: `document` has the lesson
        std::string document;    ///< JSON of any other lesson
        std::uint32_t step = 0;  ///< from 0
        bool operator==(const LessonPlace&) const = default;
    };

    std::optional<LessonPlace> lesson;
    std::optional<ExperimentDraft> draft;
    std::string view;  ///< "explore", "timeline", "compare"; empty: as it is
    std::string page;  ///< page of a view that has pages: "memory" of "model"; empty: as it is
    std::optional<Moment> moment;
    std::optional<Moment> from, to;      ///< the visible range: both or none
    std::optional<std::uint32_t> chunk;  ///< the chunk that is followed
    std::optional<Selection> selection;
    std::optional<std::uint32_t> gpu;  ///< the GPU in focus
    std::optional<GpuPartRef> part;    ///< the selected part of that GPU, in place of a span
    bool operator==(const Scene&) const = default;
};

struct SceneReading {
    Scene scene;
    engine::Problems problems;  ///< all problems, each by path ("selection.lane"), value and what is allowed
};

/// Returns the names of the window's views and of the pictures in Explore, in the window's order. A test compares them
/// with the window.
const std::vector<std::string>& sceneViews();

/// The document of a scene, whose keys may all be missing:
///
///   { "format": "ringside-scene", "version": 1,
///     "experiment": "t-nlg/fc-2/tp8"  or  { … an experiment document without format and version … },
///     "view": "timeline", "page": "memory", "moment": "184.2 us"  or  "40 %", "from": "100 us", "to": "60 %",
///     "chunk": 3,
///     "selection": { "gpu": 0, "lane": "DMA engine", "index": 1, "start": "182.004512 us" }
///     or "gpu": 2, "part": "channels/3" }
///
/// or, in a link text only, { "lesson": { "name": "ring-reduce-scatter", "step": 3 } }, or with the lesson's own
/// document as a text in place of its name.
///
/// A view must be one of sceneViews(). The names of pages and lessons are not checked here: only the window knows which
/// exist.
SceneReading readScene(std::string_view json, std::string_view origin);

/// Reads a scene inside another document, such as a lesson's step; `where` is its path there ("steps[2].scene").
SceneReading readScene(const DocumentNode& object, const std::string& where);

/// Returns the document of a scene, which reads back to an equal value. With `pretty` false the text is canonical:
/// equal scenes give equal texts.
std::string writeScene(const Scene& scene, bool pretty = true);

/// Reads "184.2 us" or "40 %"; a bare number is picoseconds. Returns an empty optional for any other text.
std::optional<Scene::Moment> readMoment(std::string_view text);

/// Returns the text of a moment, exactly: it reads back to the same moment.
std::string writeMoment(const Scene::Moment& moment);

/// Returns the time in picoseconds in a run of this length.
std::int64_t timeOf(const Scene::Moment& moment, std::int64_t runEnd);

}  // namespace data
