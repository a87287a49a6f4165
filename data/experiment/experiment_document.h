#pragma once

#include "data/document/document_body.h"
#include "data/presets/presets.h"
#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

class OwnPresets;

/// The values that a person set, by parameter path, and no others. Presets are among them ("policy.preset", "machine",
/// "workload.model", "workload.sublayer", "detail.level"). The window edits one draft. Every value that is not in the
/// draft follows the presets, so changing a preset changes everything that was not set by hand.
struct ExperimentDraft {
    Settings explicitValues;
    std::vector<std::string>
        removed{};  ///< settings of earlier versions in its document; expand() gives a notice of each

    /// Compares the values only; settings that were ignored in a document do not make drafts differ.
    bool operator==(const ExperimentDraft& other) const { return explicitValues == other.explicitValues; }
};

/// Returns the draft with the values of a document's body.
ExperimentDraft draftOf(BodyReading&& body);

/// A draft with its presets expanded. `experiment` is always filled as far as the values allow, so that a form can show
/// it: a bad value is replaced by the preset's. It can be run only if `problems` is empty.
struct Expansion {
    engine::Experiment experiment;
    /// Problems of single values first, then of their combination (engine::validate). If the parameter of a
    /// combination's problem was not set by hand, the problem has the path of the setting that its value comes from,
    /// and names both.
    engine::Problems problems;
    std::size_t ofValues = 0;  ///< how many of `problems` concern single values
    engine::Notices notices;
    bool runnable() const { return problems.empty(); }
};

/// Returns a notice for each setting of earlier versions in the draft's documents. expand() returns these notices too.
engine::Notices noticesOfRemoved(const ExperimentDraft& draft);

/// Returns why `name` is not a machine or model for the parameter at `path`. Returns an empty text if it is bundled, or
/// if everything that its preset would set is set already. Suggests at most `mostSuggested` names.
std::string whyUnknown(const std::string& path, const std::string& name, std::size_t mostSuggested,
                       const std::function<bool(const std::string&)>& isSet);

/// Applies the presets first and the explicit values over them, in whatever order they were written.
Expansion expand(const ExperimentDraft& draft);
/// Returns how often this process has called expand(), so that a test can count what an edit costs.
std::uint64_t expansionsSoFar();

/// Expands a draft without the checks of engine::validate for a single run: for callers that read a whole model from
/// it.
Expansion expandValues(const ExperimentDraft& draft);

/// Returns whether a draft names something that runs: false for a network, which exists as a whole model only.
bool hasRun(const ExperimentDraft& draft);

/// Returns the experiment of the draft. Throws engine::InvalidExperiment when it cannot be run.
engine::Experiment runnableExperiment(const ExperimentDraft& draft);

struct DraftReading {
    ExperimentDraft draft;
    DocumentTexts texts;  ///< label and notes, needed to write the document again
    engine::Problems
        problems;  ///< unknown keys with the nearest names, wrong types, duplicate keys, bad JSON with line and column
    bool ofPreset = false;  ///< the text is the document of a preset, which must not be overwritten by an experiment
};

/// Applies one "--set PATH=VALUE" to the draft ("policy=X" sets policy.preset).
void applySetting(std::string_view assignment, ExperimentDraft& draft, engine::Problems& problems);

/// Reads an experiment document. `origin` names the text in messages. Refuses text over 16 MiB without
/// reading it.
DraftReading readDraft(std::string_view json, std::string_view origin);

/// Reads a draft from a file; "-" is standard input. Never reads more than the limit.
DraftReading readDraftFile(const std::string& path);

/// Returns the draft of a named case: "t-nlg/fc-2/tp8", "collective/reduce-scatter/tp8", "gemm/4096x4096x4096",
/// "gemm/4096x4096x4096/tp4". The models in `own` are allowed as well; the draft only names them. withOwnPresets adds
/// their values later, when every setting that may name another model has been applied.
DraftReading draftNamed(std::string_view name, const OwnPresets* own = nullptr);

/// Opens the command line's EXPERIMENT argument: a preset name, a file or "-". A file may also be the document of a
/// model or a machine, as `convert` writes it. The draft then has the values of that document, over the default
/// experiment.
DraftReading openDraft(const std::string& argument, const OwnPresets* own = nullptr);

/// Opens the command line's MODEL argument: a bundled model, one of `own`, or the file of one ("-" is standard input).
/// As with draftNamed, the values of a model in `own` are added later.
DraftReading openModel(const std::string& argument, const OwnPresets& own);

/// Returns the document to save: format, version, the texts and the explicit values with units, pretty-printed.
std::string writeDraft(const ExperimentDraft& draft, const DocumentTexts& texts = {});

/// Returns the complete document: every parameter after expansion, in base units, pretty-printed.
std::string writeExperiment(const engine::Experiment& experiment);

/// Returns the canonical form: every parameter after expansion, keys sorted, UTF-8, no spaces, integers in base units,
/// doubles in the shortest form that reads back exactly.
std::string canonicalForm(const engine::Experiment& experiment);

/// Returns the SHA-256 of the canonical form, 64 lower-case hexadecimal digits.
std::string experimentHash(const engine::Experiment& experiment);

}  // namespace data
