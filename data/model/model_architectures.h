#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace data {

/// The meaning of a missing key in a model's file.
enum class Absent {
    refused,  ///< an error: every file of this architecture has the key
    usual,    ///< the usual value: as many key heads as query heads, H / heads for the size of a head, 4H for the width
              ///< between the two matrices of the feed-forward part
};

struct ConfigKey {
    std::string_view name;  ///< empty: the architecture has no such key
    Absent absent = Absent::refused;
};

enum class AttentionHeads {
    grouped,  ///< `keyHeads` gives their number
    falcon,   ///< two flags decide whether `keyHeads` applies
};

/// The keys of a model's numbers in a Hugging Face `config.json`, and the properties that follow from the architecture.
/// The defaults are the keys that most architectures share.
struct ModelArchitecture {
    std::string_view name;  ///< "LlamaForCausalLM", in the file's list "architectures"
    std::string_view type;  ///< "llama", its "model_type"
    std::string_view hidden = "hidden_size";
    std::string_view layers = "num_hidden_layers";
    std::string_view heads = "num_attention_heads";
    ConfigKey keyHeads{"num_key_value_heads"};
    ConfigKey headSize{"head_dim", Absent::usual};
    ConfigKey feedForward{"intermediate_size"};
    std::string_view vocabulary = "vocab_size";
    std::string_view positions = "max_position_embeddings";
    engine::Mlp mlp = engine::Mlp::gated;
    std::int64_t feedForwardParts = 1;  ///< parts counted in the file's width: 2 if the gate is counted with it
    bool tied = false;                  ///< input and output embeddings are one matrix, if the file does not say
    AttentionHeads attention = AttentionHeads::grouped;
    std::string_view experts{}, expertsPerToken{};  ///< keys; only for mixtures of experts
    std::string_view embeddingWidth{};              ///< set if embeddings may be narrower than the model
};

std::span<const ModelArchitecture> modelArchitectures();

/// Returns the names of all architectures, "LlamaForCausalLM, …", for messages.
std::string knownArchitectures();

}  // namespace data
