#pragma once

#include "data/presets/presets.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// What a model's file leaves to whoever runs it. Nothing: see importModel.
struct ImportOptions {
    std::optional<std::int64_t> sequence, batch;
};

struct ModelImport {
    std::string name;       ///< what the file calls itself, as a preset's name; empty where it does not
    std::string type;       ///< "llama"
    Settings values;        ///< of a model preset: all that a model has
    std::string notes;      ///< architecture, parameters, and what was assumed
    double parameters = 0;  ///< without biases, norms and learned positions
    engine::Problems problems;
};

inline constexpr std::int64_t kLongestAssumedSequence = 8192;

/// Reads a Hugging Face `config.json`: Llama, Mistral, Mixtral, GPT-2, GPT-NeoX, OPT, Falcon and Qwen, with gated
/// feed-forward parts, grouped-query attention, heads of their own size and experts. `origin` names the text in messages.
///
/// Left out: attention over a window, biases, embeddings of another width than the model (said in the notes), and what
/// no sub-layer's shape depends on. Without options the sequence is what the model was made for, at most
/// kLongestAssumedSequence, and the batch 1; both are then said to be assumed.
///
/// Everything that is wrong is listed, under the file's own keys; an architecture that is not known is refused with
/// those that are, and with what of a model the file lacks.
ModelImport importModel(std::string_view json, std::string_view origin, const ImportOptions& options = {});

}  // namespace data
