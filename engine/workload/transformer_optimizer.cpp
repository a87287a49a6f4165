#include "engine/workload/optimizer_steps.h"
#include "engine/workload/transformer.h"

#include <string>
#include <utility>
#include <vector>

namespace engine {
namespace {

constexpr double kOptimizerFp32 = 4;

std::string bytesNumber(double whole) { return std::to_string(static_cast<std::int64_t>(whole)); }

/// The bytes of the weight in the model's element size, which is written beside its fp32 copy. With elements of 32 bits
/// the weight itself is that copy.
struct ModelWeight {
    double bytes;
    std::string text;

    explicit ModelWeight(double element)
        : bytes(element < kOptimizerFp32 ? element : 0),
          text(element < kOptimizerFp32
                   ? " and the weight of " + bytesNumber(8 * element) + " bits (" + bytesNumber(element) + ")"
                   : "") {}
};

std::string gradientText(double element) {
    return "gradient (" + bytesNumber(element) + (element == 1 ? " byte)" : " bytes)");
}

/// `source` describes mixed precision with 16 bits.
std::string labelledSource(double element, const char* source, const std::string& text) {
    const char* label = element == 2 ? ""
                        : element == kOptimizerFp32
                            ? "assumed: as in mixed precision, with weights that are their own fp32 copy; "
                            : "assumed: as in mixed precision with 16 bits; ";
    return std::string(label) + source + "; " + text;
}

/// An optimizer that reads the gradient and its state, fp32 weight included, and writes the state and the weight.
OptimizerStep oneStep(const char* title, double state, double flops, double element, const char* source,
                      const std::string& stateText) {
    const ModelWeight weight(element);
    return {"",
            title,
            element + state,
            state + weight.bytes,
            flops,
            labelledSource(element, source,
                           "read: " + gradientText(element) + ", fp32 " + stateText + " (" + bytesNumber(state) +
                               "); written: the latter (" + bytesNumber(state) + ")" + weight.text)};
}

/// LAMB's trust ratio needs the norms of all weights of a matrix and of their update before the first weight changes.
/// The first kernel, which already has both, sums up their squares, so that the norms cause no traffic of their own.
std::vector<OptimizerStep> lambSteps(double element) {
    constexpr double kMoments = 2 * kOptimizerFp32;
    constexpr double kFirstFlops = 18, kSecondFlops = 2;  // as Adam 12, weight decay 2, norms 4; scaled and subtracted
    constexpr const char* kLamb = "assumed: LAMB (arXiv 1904.00962), algorithm 2, unfused, in mixed precision";
    const ModelWeight weight(element);
    const auto sourceOf = [&](const std::string& text) { return std::string(kLamb) + "; " + text; };
    return {{"/first-pass", "First pass of LAMB", element + kMoments + kOptimizerFp32, kMoments + kOptimizerFp32,
             kFirstFlops,
             sourceOf("read: " + gradientText(element) +
                      ", two moments (8), fp32 weight (4); written: the moments (8), the update (4); the squares of "
                      "weights and updates are summed on the way for the norms")},
            {"/second-pass", "Second pass of LAMB", 2 * kOptimizerFp32, kOptimizerFp32 + weight.bytes, kSecondFlops,
             sourceOf("read: update (4 bytes), fp32 weight (4); written: that (4)" + weight.text +
                      "; the norms scale the update")}};
}

}  // namespace

std::vector<OptimizerStep> optimizerSteps(OptimizerKind kind, double element) {
    switch (kind) {
    case OptimizerKind::lamb: return lambSteps(element);
    case OptimizerKind::momentum:
        return {oneStep("Momentum", 2 * kOptimizerFp32, 4, element,
                        "ZeRO (arXiv 1910.02054), section 3.1, with one moment", "weight and moment")};
    case OptimizerKind::sgd:
        return {oneStep("SGD", kOptimizerFp32, 2, element, "ZeRO (arXiv 1910.02054), section 3.1, without moments",
                        "weight")};
    case OptimizerKind::adam: break;
    }
    return {oneStep("Adam", 3 * kOptimizerFp32, 12, element,
                    "ZeRO (arXiv 1910.02054), section 3.1: Adam in mixed precision", "weight and two moments")};
}

std::string OptimizerStep::formula(const std::string& ofWeights) const {
    return bytesNumber(read + written) + " bytes for each of " + ofWeights;
}

void Transformer::addOptimizer() {
    const TransformerSizes& s = m_sizes;
    std::vector<Node> ofLayer, outside;
    for (const Node node : m_gradients)
        (m_builder.at(node).inLayer ? ofLayer : outside).push_back(node);
    m_inLayer = true;
    addOptimizer("layer", "a layer's weights", m_layerWeights, "the GPU's weights", std::move(ofLayer));
    m_inLayer = false;
    addOptimizer("embedding", "the embedding", s.vocabulary / s.gpus * s.hidden,
                 "V/N x H weights, which embedding and head share", std::move(outside));
}

void Transformer::addOptimizer(const char* id, const char* what, std::int64_t weights, const char* ofWeights,
                               std::vector<Node> reads) {
    for (const OptimizerStep& step : optimizerSteps(m_experiment.training.optimizer, m_sizes.element)) {
        const std::string name = id + step.suffix, title = step.title + " on " + what;
        const std::string formula = step.formula(ofWeights);
        const Node node = elementWise(OperatorPass::optimizer, name.c_str(), title.c_str(),
                                      (step.read + step.written) * real(weights), step.written * real(weights),
                                      step.flops * real(weights), formula.c_str(), reads);
        m_builder.at(node).source = step.source;
        reads = {node};
    }
}

}  // namespace engine
