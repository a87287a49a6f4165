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

/// A moment of a run as it is to be seen: by a lesson's step, by a link text. What is absent stays as it is.
struct Scene {
    /// A time, or a share of the run, which holds for any experiment.
    struct Moment {
        std::int64_t ps = 0;
        double share = 0;  ///< 0 to 1; only where `relative`
        bool relative = false;
        bool operator==(const Moment&) const = default;
    };
    /// One span as a reader points at it, by what it is, so that another version of the trace finds it again.
    struct Selection {
        std::uint32_t gpu = 0;
        std::string lane;         ///< engine::name(LaneKind)
        std::uint32_t index = 0;  ///< of the lane among those of its kind
        std::int64_t startPs = 0;
        bool operator==(const Selection&) const = default;
    };

    /// A step of a lesson, which says itself what is seen: a scene that has one has nothing else.
    struct LessonPlace {
        std::string name;        ///< of a bundled lesson, "ring-reduce-scatter"; empty: `document` has the lesson
        std::string document;    ///< of any other lesson: its JSON
        std::uint32_t step = 0;  ///< from 0
        bool operator==(const LessonPlace&) const = default;
    };

    std::optional<LessonPlace> lesson;
    std::optional<ExperimentDraft> draft;
    std::string view;  ///< "explore", "timeline", "compare"; empty: as it is
    std::string page;  ///< of a view that has pages: "memory" of "model"; empty: as it is
    std::optional<Moment> moment;
    std::optional<Moment> from, to;      ///< what is in sight, both or none
    std::optional<std::uint32_t> chunk;  ///< that is followed
    std::optional<Selection> selection;
    std::optional<std::uint32_t> gpu;  ///< that is in focus
    std::optional<GpuPartRef> part;    ///< of that GPU, which is selected in place of a span
    bool operator==(const Scene&) const = default;
};

struct SceneReading {
    Scene scene;
    engine::Problems problems;  ///< every one of them, each by path ("selection.lane"), value and what is allowed
};

/// The document of a scene, whose keys may all be missing:
///
///   { "format": "ringside-scene", "version": 1,
///     "experiment": "t-nlg/fc-2/tp8"  or  { … an experiment document without format and version … },
///     "view": "timeline", "page": "memory", "moment": "184.2 us"  or  "40 %", "from": "100 us", "to": "60 %", "chunk": 3,
///     "selection": { "gpu": 0, "lane": "DMA engine", "index": 1, "start": "182.004512 us" }
///     or "gpu": 2, "part": "channels/3" }
///
/// or, of a link text alone, { "lesson": { "name": "ring-reduce-scatter", "step": 3 } }, or with the lesson's own document as
/// a text in place of its name.
///
/// Which views, pages and lessons there are is the window's to know; here they are words.
SceneReading readScene(std::string_view json, std::string_view origin);

/// The same inside another document, as a lesson has it in its steps; `where` is its path there ("steps[2].scene").
SceneReading readScene(const DocumentNode& object, const std::string& where);

/// Reads back to an equal value. Without spaces it is canonical: one scene, one text.
std::string writeScene(const Scene& scene, bool pretty = true);

/// "184.2 us", "40 %"; a bare number is picoseconds. Nothing when it is none of these.
std::optional<Scene::Moment> readMoment(std::string_view text);

/// Exact: reads back to the same moment.
std::string writeMoment(const Scene::Moment& moment);

/// In picoseconds, in a run of this length.
std::int64_t timeOf(const Scene::Moment& moment, std::int64_t runEnd);

}  // namespace data
