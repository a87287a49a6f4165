#pragma once

#include "data/presets/presets.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// Values that a model's file does not contain. Defaults: see importModel.
struct ImportOptions {
    std::optional<std::int64_t> sequence, batch;
};

struct ModelImport {
    std::string name;       ///< the file's own name as a preset's name; empty if it has none
    std::string type;       ///< "llama"
    Settings values;        ///< the values of a model preset, complete
    std::string notes;      ///< architecture, parameters, and what was assumed
    double parameters = 0;  ///< without biases, norms and learned positions
    engine::Problems problems;
};

inline constexpr std::int64_t kLongestAssumedSequence = 8192;

/// Reads a Hugging Face `config.json`: Llama, Mistral, Mixtral, GPT-2, GPT-NeoX, OPT, Falcon and Qwen, with gated
/// feed-forward parts, grouped-query attention, heads of their own size and experts. `origin` names the text in
/// messages.
///
/// Left out: attention over a window, biases, embeddings whose width differs from the model's (the notes say so), and
/// everything that affects no sub-layer's shape. Without options the sequence is the model's maximum, at most
/// kLongestAssumedSequence, and the batch is 1; the notes then call both assumed.
///
/// All problems are listed, under the file's own keys. An unknown architecture is refused with a list of the known
/// ones, and with the values of a model that the file lacks.
ModelImport importModel(std::string_view json, std::string_view origin, const ImportOptions& options = {});

}  // namespace data
