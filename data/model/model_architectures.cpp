#include "data/model/model_architectures.h"

#include "data/document/document_body.h"
#include "data/document/names.h"

#include <array>
#include <vector>

namespace data {
namespace {

constexpr ConfigKey kNone{"", Absent::usual};
constexpr engine::Mlp kPlain = engine::Mlp::plain;

// Some programs that load such a file replace a missing key by a constant of their own. Here such a file is refused,
// because the files of published models have the key, and a guess would give a different model.
constexpr std::array kArchitectures{
    // The first Llamas had as many key heads as query heads, and no key for it.
    ModelArchitecture{.name = "LlamaForCausalLM", .type = "llama", .keyHeads = {"num_key_value_heads", Absent::usual}},
    ModelArchitecture{.name = "MistralForCausalLM", .type = "mistral"},
    ModelArchitecture{.name = "MixtralForCausalLM",
                      .type = "mixtral",
                      .experts = "num_local_experts",
                      .expertsPerToken = "num_experts_per_tok"},
    ModelArchitecture{.name = "Qwen2ForCausalLM", .type = "qwen2"},
    ModelArchitecture{.name = "Qwen3ForCausalLM", .type = "qwen3", .headSize = {"head_dim"}},
    ModelArchitecture{.name = "QWenLMHeadModel",
                      .type = "qwen",
                      .keyHeads = kNone,
                      .headSize = {"kv_channels", Absent::usual},
                      .feedForwardParts = 2},
    ModelArchitecture{.name = "GPT2LMHeadModel",
                      .type = "gpt2",
                      .hidden = "n_embd",
                      .layers = "n_layer",
                      .heads = "n_head",
                      .keyHeads = kNone,
                      .headSize = kNone,
                      .feedForward = {"n_inner", Absent::usual},
                      .positions = "n_positions",
                      .mlp = kPlain,
                      .tied = true},
    ModelArchitecture{
        .name = "GPTNeoXForCausalLM", .type = "gpt_neox", .keyHeads = kNone, .headSize = kNone, .mlp = kPlain},
    ModelArchitecture{.name = "OPTForCausalLM",
                      .type = "opt",
                      .keyHeads = kNone,
                      .headSize = kNone,
                      .feedForward = {"ffn_dim"},
                      .mlp = kPlain,
                      .tied = true,
                      .embeddingWidth = "word_embed_proj_dim"},
    ModelArchitecture{.name = "FalconForCausalLM",
                      .type = "falcon",
                      .keyHeads = {"num_kv_heads", Absent::usual},
                      .headSize = kNone,
                      .feedForward = {"ffn_hidden_size", Absent::usual},
                      .mlp = kPlain,
                      .tied = true,
                      .attention = AttentionHeads::falcon},
};

}  // namespace

std::span<const ModelArchitecture> modelArchitectures() { return kArchitectures; }

std::string knownArchitectures() { return joinedNames(namesOf(kArchitectures, &ModelArchitecture::name), ", "); }

}  // namespace data
