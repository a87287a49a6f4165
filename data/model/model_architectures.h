#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace data {

/// What it means that a model's file has no value under a key.
enum class Absent {
    refused,  ///< every file of this architecture has one
    usual,    ///< as many key heads as query heads, H over heads for a head's size, 4H between the matrices
};

struct ConfigKey {
    std::string_view name;  ///< empty: the architecture has no such thing
    Absent absent = Absent::refused;
};

enum class AttentionHeads {
    grouped,  ///< `keyHeads` says how many
    falcon,   ///< two flags say whether it does
};

/// Where the numbers of a model stand in a Hugging Face `config.json`, and what follows from its architecture alone.
/// The defaults are what most have in common.
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
    std::int64_t feedForwardParts = 1;  ///< in the file's width: 2 where the gate is counted with it
    bool tied = false;                  ///< input and output embeddings are one matrix, where the file does not say
    AttentionHeads attention = AttentionHeads::grouped;
    std::string_view experts{}, expertsPerToken{};  ///< keys, of mixtures only
    std::string_view embeddingWidth{};              ///< where embeddings may be narrower than the model
};

std::span<const ModelArchitecture> modelArchitectures();

/// "LlamaForCausalLM, …": all of them, for messages.
std::string knownArchitectures();

}  // namespace data
