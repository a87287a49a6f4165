#include "data/model/model_import.h"

#include "data/document/document_body.h"
#include "data/document/document_tree.h"
#include "data/document/names.h"
#include "data/model/model_architectures.h"
#include "engine/api/letters.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace data {
namespace {

using engine::Parameter;
using engine::Problems;
using Kind = DocumentNode::Kind;

/// Reads values from the file and collects their problems.
class ConfigReader {
public:
    ConfigReader(const DocumentNode& root, const ModelArchitecture& architecture, Problems& problems)
        : m_root(root), m_architecture(architecture), m_problems(problems) {}

    /// Returns the value of a key, or null if it is missing. A JSON null counts as missing: in these files both mean
    /// the default.
    const DocumentNode* find(std::string_view key) const {
        const DocumentNode* node = m_root.find(key);
        return node != nullptr && node->kind == Kind::other && node->text == "null" ? nullptr : node;
    }

    /// Returns an integer that `parameter` allows; if there is none, an empty optional with a problem.
    std::optional<std::int64_t> required(std::string_view key, std::string_view parameter) {
        return whole({key, Absent::refused}, parameter);
    }

    /// Returns how many tokens the model was made for. If that exceeds the longest sequence allowed here, only a part
    /// is taken.
    std::optional<std::int64_t> positions(std::string_view key) {
        constexpr std::string_view kAllowed = "1 or more";
        const DocumentNode* node = find(key);
        const auto value = node != nullptr ? number(key, *node, kAllowed) : std::nullopt;
        if (value && *value < 1) {
            report(key, node->text, "out of range; allowed: " + std::string(kAllowed));
            return std::nullopt;
        }
        return value;
    }

    std::optional<std::int64_t> whole(const ConfigKey& key, std::string_view path) {
        const Parameter& parameter = *engine::findParameter(path);
        const DocumentNode* node = key.name.empty() ? nullptr : find(key.name);
        if (node == nullptr) {
            if (key.absent == Absent::refused)
                report(key.name, "",
                       "missing; every " + std::string(m_architecture.name) +
                           " must have it; allowed: " + allowed(parameter));
            return std::nullopt;
        }
        const auto value = number(key.name, *node, allowed(parameter));
        if (value &&
            (static_cast<double>(*value) < parameter.minimum || static_cast<double>(*value) > parameter.maximum)) {
            report(key.name, node->text, "out of range; allowed: " + allowed(parameter));
            return std::nullopt;
        }
        return value;
    }

    bool flag(std::string_view key, bool otherwise) {
        const DocumentNode* node = find(key);
        if (node == nullptr)
            return otherwise;
        if (node->kind != Kind::other)
            report(key, node->shown(), "wrong type; allowed: true or false");
        return node->text == "true";
    }

    void report(std::string_view key, std::string value, std::string text) {
        m_problems.push_back({std::string(key), std::move(value), std::move(text)});
    }

private:
    /// Returns the integer that the file has there, or the nearest allowed one; if it has none, an empty optional with
    /// a problem.
    std::optional<std::int64_t> number(std::string_view key, const DocumentNode& node, std::string_view allowed) {
        std::int64_t value = 0;
        const char* end = node.text.data() + node.text.size();
        const auto parsed = std::from_chars(node.text.data(), end, value);
        const bool isHuge = parsed.ec == std::errc::result_out_of_range;
        if (node.kind != Kind::number || parsed.ptr != end || (parsed.ec != std::errc() && !isHuge)) {
            report(key, node.shown(), "wrong type, a whole number is expected; allowed: " + std::string(allowed));
            return std::nullopt;
        }
        using Limits = std::numeric_limits<std::int64_t>;
        return !isHuge ? value : node.text.starts_with('-') ? Limits::min() : Limits::max();
    }

    /// Returns the allowed range of a parameter, without words such as "automatic".
    static std::string allowed(const Parameter& parameter) {
        return std::to_string(static_cast<std::int64_t>(parameter.minimum)) + " to " +
               std::to_string(static_cast<std::int64_t>(parameter.maximum));
    }

    const DocumentNode& m_root;
    const ModelArchitecture& m_architecture;
    Problems& m_problems;
};

/// The numbers of a model, as far as the file has them.
struct ModelSize {
    std::optional<std::int64_t> hidden, layers, heads, keyHeads, headSize, feedForward, vocabulary, positions;
    std::optional<std::int64_t> experts, expertsPerToken, embeddingWidth;
    bool tied = false;
};

/// Returns the nearest divisors of `whole` below and above `value`: "32 and 64".
std::string nearestDivisors(std::int64_t whole, std::int64_t value) {
    std::int64_t below = value, above = value;
    while (below > 1 && whole % below != 0)
        --below;
    while (above < whole && whole % above != 0)
        ++above;
    return above > whole || whole % above != 0 || above == below
               ? std::to_string(below)
               : std::to_string(below) + " and " + std::to_string(above);
}

/// Reads the key heads of a Falcon: multi-query attention, or, in later models of the family, grouped-query attention.
void readFalconHeads(const ModelArchitecture& architecture, ConfigReader& reader, ModelSize& size) {
    const bool multiQuery = reader.flag("multi_query", true);
    if (reader.flag("new_decoder_architecture", false))
        size.keyHeads = reader.whole(architecture.keyHeads, "workload.kv_heads");
    else if (multiQuery)
        size.keyHeads = 1;
}

ModelSize readSize(const ModelArchitecture& architecture, ConfigReader& reader) {
    ModelSize size;
    size.hidden = reader.required(architecture.hidden, "workload.hidden");
    size.layers = reader.required(architecture.layers, "workload.layers");
    size.heads = reader.required(architecture.heads, "workload.heads");
    if (architecture.attention == AttentionHeads::falcon)
        readFalconHeads(architecture, reader, size);
    else
        size.keyHeads = reader.whole(architecture.keyHeads, "workload.kv_heads");
    size.headSize = reader.whole(architecture.headSize, "workload.head_size");
    size.feedForward = reader.whole(architecture.feedForward, "workload.feed_forward");
    size.vocabulary = reader.required(architecture.vocabulary, "workload.vocabulary");
    size.positions = reader.positions(architecture.positions);
    if (!architecture.experts.empty()) {
        size.experts = reader.required(architecture.experts, "workload.experts");
        size.expertsPerToken = reader.required(architecture.expertsPerToken, "workload.experts_per_token");
    }
    size.embeddingWidth = reader.whole({architecture.embeddingWidth, Absent::usual}, "workload.hidden");
    size.tied = reader.flag("tie_word_embeddings", architecture.tied);
    return size;
}

/// Checks the relations between the numbers of a model.
void checkSize(const ModelArchitecture& architecture, const ModelSize& size, ConfigReader& reader) {
    if (size.hidden && size.heads && !size.headSize && *size.hidden % *size.heads != 0)
        reader.report(architecture.heads, std::to_string(*size.heads),
                      "does not divide " + std::string(architecture.hidden) + " = " + std::to_string(*size.hidden) +
                          (architecture.headSize.name.empty()
                               ? std::string()
                               : ", and there is no " + std::string(architecture.headSize.name)) +
                          "; nearest allowed: " + nearestDivisors(*size.hidden, *size.heads));
    if (size.heads && size.keyHeads && *size.heads % *size.keyHeads != 0)
        reader.report(architecture.keyHeads.name, std::to_string(*size.keyHeads),
                      "does not divide " + std::string(architecture.heads) + " = " + std::to_string(*size.heads) +
                          "; nearest allowed: " + nearestDivisors(*size.heads, std::min(*size.keyHeads, *size.heads)));
    if (size.feedForward && *size.feedForward % architecture.feedForwardParts != 0)
        reader.report(architecture.feedForward.name, std::to_string(*size.feedForward),
                      "odd, but it counts two parts of equal width, one of them the gate; allowed: even numbers");
    if (size.experts && size.expertsPerToken && *size.expertsPerToken > *size.experts)
        reader.report(architecture.expertsPerToken, std::to_string(*size.expertsPerToken),
                      "more experts than the model has; allowed: 1 to " + std::string(architecture.experts) + " = " +
                          std::to_string(*size.experts));
}

engine::WorkloadConfig workloadOf(const ModelArchitecture& architecture, const ModelSize& size) {
    engine::WorkloadConfig workload;
    workload.hidden = *size.hidden;
    workload.layers = *size.layers;
    workload.heads = *size.heads;
    if (size.keyHeads && size.keyHeads != size.heads)
        workload.kvHeads = size.keyHeads;
    if (size.headSize && *size.headSize * *size.heads != *size.hidden)
        workload.headSize = size.headSize;
    workload.feedForward = size.feedForward ? *size.feedForward / architecture.feedForwardParts : 4 * *size.hidden;
    workload.mlp = architecture.mlp;
    workload.vocabulary = *size.vocabulary;
    workload.experts = size.experts.value_or(1);
    workload.expertsPerToken = size.expertsPerToken.value_or(1);
    return workload;
}

double parametersOf(const engine::WorkloadConfig& workload, bool tied) {
    const auto area = [](std::int64_t a, std::int64_t b) { return static_cast<double>(a) * static_cast<double>(b); };
    const std::int64_t hidden = workload.hidden;
    const double attention = area(hidden, 2 * engine::queryWidth(workload) + 2 * engine::keyWidth(workload));
    const double feedForward = area(hidden, engine::feedForwardWidth(workload)) *
                               (workload.mlp == engine::Mlp::gated ? 3 : 2) * static_cast<double>(workload.experts);
    const double router = workload.experts > 1 ? area(hidden, workload.experts) : 0;
    return static_cast<double>(workload.layers) * (attention + feedForward + router) +
           area(workload.vocabulary, hidden) * (tied ? 1 : 2);
}

/// Returns a count in words: "70.6 billion", "596.0 million".
std::string countText(double count) {
    const bool billions = count >= 1e9;
    const auto tenths = static_cast<std::int64_t>(std::llround(count / (billions ? 1e8 : 1e5)));
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (billions ? " billion" : " million");
}

/// Sets sequence and batch, and returns a sentence about their origin.
std::string addSequence(const ModelArchitecture& architecture, const ModelSize& size, const ImportOptions& options,
                        engine::WorkloadConfig& workload) {
    constexpr std::int64_t kUsualSequence = 2048;
    const std::int64_t made = size.positions.value_or(kUsualSequence);
    workload.sequence = options.sequence.value_or(std::min(made, kLongestAssumedSequence));
    workload.batch = options.batch.value_or(1);
    const std::string positions(architecture.positions);
    std::string text = "Sequence " + std::to_string(workload.sequence);
    if (options.sequence)
        text += " as given";
    else if (!size.positions)
        text += " assumed: the file has no " + positions;
    else if (workload.sequence == made)
        text += " assumed: " + positions;
    else
        text += " assumed, of the " + std::to_string(made) + " that " + positions + " allows";
    return text + "; batch " + std::to_string(workload.batch) + (options.batch ? " as given." : " assumed.");
}

Settings settingsOf(const engine::WorkloadConfig& workload) {
    engine::Experiment experiment;
    experiment.workload = workload;
    Settings settings;
    for (const Parameter& parameter : engine::parameters()) {
        if (parameter.group == engine::ParameterGroup::model && parameter.path != "workload.model")
            settings.emplace(parameter.path, parameter.read(experiment));
    }
    return settings;
}

/// Returns the last part of the model's path, in the letters of a preset's name.
std::string nameOf(const DocumentNode& root) {
    constexpr std::size_t kLongestName = 64;
    const DocumentNode* path = root.find("_name_or_path");
    if (path == nullptr || path->kind != Kind::string)
        return {};
    std::string name;
    for (const char c : path->text.substr(path->text.find_last_of("/\\") + 1)) {
        const char letter = engine::lowerLetter(c);
        const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
        name += plain || letter == '.' || letter == '-' || letter == '_' ? letter : '-';
    }
    const std::size_t first = name.find_first_not_of(".-");
    if (first == std::string::npos || name.size() > kLongestName)
        return {};
    return name.substr(first, name.find_last_not_of(".-") + 1 - first);
}

/// Returns the keys that nearly all such files have and this file lacks.
std::string missingKeys(const DocumentNode& root) {
    std::vector<std::string> missing;
    const ModelArchitecture common;
    for (const std::string_view key :
         {common.hidden, common.layers, common.heads, common.feedForward.name, common.vocabulary}) {
        if (root.find(key) == nullptr)
            missing.emplace_back(key);
    }
    if (missing.empty())
        return "; it has the keys of a Llama: if its layers are built like those, set its architecture to "
               "LlamaForCausalLM";
    return "; the file also lacks keys that a model needs: " + joinedNames(missing, ", ");
}

void refuseArchitecture(const DocumentNode& root, std::string_view key, std::string value, Problems& problems) {
    problems.push_back({std::string(key), std::move(value),
                        "this architecture is not known; allowed: one of " + knownArchitectures() + missingKeys(root)});
}

/// Returns the names of the list "architectures"; if it is not such a list, an empty optional with a problem.
std::optional<std::vector<std::string>> architectureNames(const DocumentNode& list, Problems& problems) {
    std::vector<std::string> names;
    bool right = list.kind == Kind::list && !list.children.empty();
    for (const DocumentNode& child : list.children) {
        right = right && child.kind == Kind::string;
        names.push_back(child.text);
    }
    if (right)
        return names;
    problems.push_back(
        {"architectures", list.shown(), "a list with a name is expected; allowed: one of " + knownArchitectures()});
    return std::nullopt;
}

const ModelArchitecture* architectureOf(const DocumentNode& root, Problems& problems) {
    const auto find = [](auto member, const std::string& name) {
        return findNamed(modelArchitectures(), member, name);
    };
    const auto given = [&](std::string_view key) {
        const DocumentNode* node = root.find(key);
        return node != nullptr && node->shown() != "null" ? node : nullptr;
    };
    if (const DocumentNode* list = given("architectures")) {
        const auto names = architectureNames(*list, problems);
        if (!names)
            return nullptr;
        for (const std::string& name : *names) {
            if (const ModelArchitecture* known = find(&ModelArchitecture::name, name))
                return known;
        }
        refuseArchitecture(root, "architectures", joinedNames(*names, ", "), problems);
        return nullptr;
    }
    if (const DocumentNode* type = given("model_type")) {
        const ModelArchitecture* known =
            type->kind == Kind::string ? find(&ModelArchitecture::type, type->text) : nullptr;
        if (known == nullptr)
            refuseArchitecture(root, "model_type", type->shown(), problems);
        return known;
    }
    problems.push_back({"architectures", "",
                        "missing, but it decides how the other keys are read; allowed: one of " + knownArchitectures() +
                            missingKeys(root)});
    return nullptr;
}

}  // namespace

ModelImport importModel(std::string_view json, std::string_view origin, const ImportOptions& options) {
    ModelImport import;
    DocumentTree tree = readTree(json, origin);
    import.problems = std::move(tree.problems);
    const ModelArchitecture* architecture = tree.root ? architectureOf(*tree.root, import.problems) : nullptr;
    if (architecture == nullptr)
        return import;
    ConfigReader reader(*tree.root, *architecture, import.problems);
    const ModelSize size = readSize(*architecture, reader);
    checkSize(*architecture, size, reader);
    if (!import.problems.empty())
        return import;
    engine::WorkloadConfig workload = workloadOf(*architecture, size);
    import.name = nameOf(*tree.root);
    import.type = architecture->type;
    import.parameters = parametersOf(workload, size.tied);
    import.notes = std::string(architecture->name) + ", about " + countText(import.parameters) +
                   " parameters without biases and norms. " + addSequence(*architecture, size, options, workload);
    if (size.embeddingWidth && size.embeddingWidth != size.hidden)
        import.notes += " Embeddings are " + std::to_string(*size.embeddingWidth) +
                        " wide and projected; here they are as wide as the model.";
    import.values = settingsOf(workload);
    for (const auto& [path, value] : import.values) {
        if (auto problem = engine::check(*engine::findParameter(path), value))
            import.problems.push_back(std::move(*problem));
    }
    return import;
}

}  // namespace data
