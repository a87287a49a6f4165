#pragma once

#include "data/document/document_body.h"
#include "data/presets/presets.h"
#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

class OwnPresets;

/// What a person wrote, and nothing else: values by parameter path, presets among them ("policy.preset",
/// "machine", "workload.model", "workload.sublayer", "detail.level"). The window edits one of these; whatever
/// is not in it follows the presets, so changing a preset moves everything that was not set by hand.
struct ExperimentDraft {
    Settings explicitValues;
    std::vector<std::string>
        removed{};  ///< settings of earlier versions in its document: expand() has a notice of each

    /// Compares the values; what was ignored in a document does not make another draft.
    bool operator==(const ExperimentDraft& other) const { return explicitValues == other.explicitValues; }
};

/// Returns the draft that a document's body says.
ExperimentDraft draftOf(BodyReading&& body);

/// A draft with its presets expanded. `experiment` is always filled as far as the values allow (bad values are
/// left at their preset), so that a form can show it; it can be run only when `problems` is empty.
struct Expansion {
    engine::Experiment experiment;
    /// Of values, then of their combination (engine::validate). One of a combination whose parameter nobody set stands at
    /// the setting that it comes from, and names both.
    engine::Problems problems;
    std::size_t ofValues = 0;  ///< how many of `problems` are of values
    engine::Notices notices;
    bool runnable() const { return problems.empty(); }
};

/// Returns a notice for each setting of earlier versions that the draft's documents have. expand() gives them too.
engine::Notices noticesOfRemoved(const ExperimentDraft& draft);

/// Says why `name` is no machine or model for the parameter at `path`; empty when it is bundled, or when all that its
/// preset would say is set. Suggests no more than `mostSuggested` names.
std::string whyUnknown(const std::string& path, const std::string& name, std::size_t mostSuggested,
                       const std::function<bool(const std::string&)>& isSet);

/// Presets first, explicit values over them, whatever the order they were written in.
Expansion expand(const ExperimentDraft& draft);

/// The same without what engine::validate says of a single run: for whoever reads a whole model in it.
Expansion expandValues(const ExperimentDraft& draft);

/// Returns the experiment of the draft. Throws engine::InvalidExperiment when it cannot be run.
engine::Experiment runnableExperiment(const ExperimentDraft& draft);

struct DraftReading {
    ExperimentDraft draft;
    DocumentTexts texts;  ///< label and notes, for whoever writes the document again
    engine::Problems
        problems;  ///< unknown keys with the nearest names, wrong types, duplicate keys, bad JSON with line and column
    bool ofPreset = false;  ///< the text is a preset's: nothing to write an experiment over
};

/// One "--set PATH=VALUE" (also "policy=X" for policy.preset).
void applySetting(std::string_view assignment, ExperimentDraft& draft, engine::Problems& problems);

/// The experiment document of cli.md. `origin` names the text in messages. Refuses text over 16 MiB unread.
DraftReading readDraft(std::string_view json, std::string_view origin);

/// A file; "-" is standard input. Never reads more than the limit.
DraftReading readDraftFile(const std::string& path);

/// "t-nlg/fc-2/tp8", "collective/reduce-scatter/tp8", "gemm/4096x4096x4096", "gemm/4096x4096x4096/tp4"; also with the models in `own`. The draft names them only: their
/// values come with withOwnPresets, once everything is set that may name another.
DraftReading draftNamed(std::string_view name, const OwnPresets* own = nullptr);

/// Preset name, file or "-", as the command line's EXPERIMENT argument. A file may also be the document of a model or a
/// machine, as `convert` writes it: then it is the default experiment with that, whose values the draft has.
DraftReading openDraft(const std::string& argument, const OwnPresets* own = nullptr);

/// The model that a command's MODEL argument names: bundled, one of `own`, or the file of one ("-": standard input). As
/// with draftNamed, the values of an own one are still to come.
DraftReading openModel(const std::string& argument, const OwnPresets& own);

/// The document to keep: format, version, the texts and the explicit values, pretty-printed, values with units.
std::string writeDraft(const ExperimentDraft& draft, const DocumentTexts& texts = {});

/// The complete document: every parameter after expansion, in base units, pretty-printed.
std::string writeExperiment(const engine::Experiment& experiment);

/// Every parameter after expansion, keys sorted, UTF-8, no spaces, integers in base units, doubles in shortest
/// round-trip form.
std::string canonicalForm(const engine::Experiment& experiment);

/// SHA-256 of the canonical form, 64 lower-case hexadecimal digits.
std::string experimentHash(const engine::Experiment& experiment);

}  // namespace data
