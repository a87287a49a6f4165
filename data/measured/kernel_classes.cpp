#include "data/measured/kernel_classes.h"

#include "data/document/bundled_json.h"
#include "data/document/names.h"
#include "data/document/tree_reader.h"
#include "engine/api/letters.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace data {
namespace {

constexpr std::string_view kUsualClasses = "kernel-classes";
constexpr int kClassesVersion = 1;
constexpr char kWordStart = '^';

std::string inLowerCase(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), engine::lowerLetter);
    return lower;
}

bool isLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Returns whether a name has the word. Both are in lower case.
bool hasWord(std::string_view name, std::string_view word) {
    if (!word.starts_with(kWordStart))
        return name.find(word) != std::string_view::npos;
    word.remove_prefix(1);
    for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
        if (at == 0 || !isLetterOrDigit(name[at - 1]))
            return true;
    }
    return false;
}

bool hasOneOf(std::string_view name, const std::vector<std::string>& words) {
    return std::ranges::any_of(words, [name](const std::string& word) { return hasWord(name, word); });
}

/// Reads one table of kernel classes.
class ClassTableReader : private TreeReader {
public:
    explicit ClassTableReader(engine::Problems& problems) : TreeReader(problems) {}

    std::vector<KernelRule> read(const DocumentNode& root, std::string_view origin) {
        std::vector<KernelRule> rules;
        if (auto problem = formatProblem(root, origin, "a table of kernel classes", kKernelClassesFormat)) {
            problems().push_back(std::move(*problem));
            return rules;
        }
        checkVersion(root, kClassesVersion, problems());
        checkKeys(root, {}, {"format", "version", "title", "source", "classes"}, problems());
        const DocumentNode* classes = childOf(root, {}, "classes", Kind::list, "a list of rules", problems());
        if (classes == nullptr && root.find("classes") == nullptr)
            report("classes", "", "missing; a list of rules is expected");
        readEach(
            classes, "classes", "a rule {...}",
            [&](const DocumentNode& object, const std::string& path) { rules.push_back(ruleOf(object, path)); },
            KernelClasses::kMostRules);
        if (classes != nullptr && classes->children.size() > KernelClasses::kMostRules)
            report("classes", std::to_string(classes->children.size()) + " rules",
                   "too many; allowed: up to " + std::to_string(KernelClasses::kMostRules));
        return rules;
    }

private:
    KernelRule ruleOf(const DocumentNode& object, const std::string& path) {
        checkKeys(object, path, {"match", "not", "under", "class", "operation", "assumed"}, problems());
        KernelRule rule;
        rule.match = wordsAt(object, path, "match");
        rule.exclude = wordsAt(object, path, "not");
        rule.under = wordsAt(object, path, "under");
        if (rule.match.empty() && rule.under.empty())
            report(path, object.shown(), "matches everything; at least one of match and under is expected");
        rule.kernelClass = static_cast<KernelClass>(
            wordAmong(kKernelClassWords, textAt(object, path, "class", true), within(path, "class")));
        const std::string operation =
            object.find("operation") == nullptr ? std::string() : textAt(object, path, "operation", true);
        if (!operation.empty()) {
            rule.operation = static_cast<MeasuredOperation>(
                wordAmong(kMeasuredOperationWords, operation, within(path, "operation")));
            if (rule.kernelClass != KernelClass::communication)
                report(within(path, "operation"), operation, "only communication has an operation");
        }
        rule.assumed = flagAt(object, path, "assumed").value_or(false);
        return rule;
    }

    std::vector<std::string> wordsAt(const DocumentNode& object, const std::string& where, std::string_view key) {
        constexpr std::size_t kMostWords = 200;
        std::vector<std::string> words;
        const DocumentNode* list = childOf(object, where, key, Kind::list, "a list of words", problems());
        if (list == nullptr)
            return words;
        const std::string path = within(where, key);
        if (list->children.size() > kMostWords) {
            report(path, std::to_string(list->children.size()) + " words",
                   "too many; allowed: up to " + std::to_string(kMostWords));
            return words;
        }
        for (std::size_t i = 0; i < list->children.size() && goesOn(); ++i) {
            const DocumentNode& word = list->children[i];
            if (word.kind == Kind::string && word.text.find_first_not_of(kWordStart) != std::string::npos)
                words.push_back(inLowerCase(word.text));
            else
                report(indexed(path, i), word.shown(), "a word is expected");
        }
        return words;
    }

    template <std::size_t Count>
    std::size_t wordAmong(const std::array<std::string_view, Count>& words, const std::string& word,
                          const std::string& path) {
        const auto found = std::ranges::find(words, word);
        if (found != words.end())
            return static_cast<std::size_t>(found - words.begin());
        if (!word.empty())
            report(path, word, "unknown; allowed: " + joined({words.begin(), words.end()}, ", "));
        return 0;
    }
};

}  // namespace

KernelClasses::KernelClasses(std::vector<KernelRule> rules) : m_rules(std::move(rules)) {
    std::uint32_t bits = 0;
    for (const KernelRule& rule : m_rules)
        m_underBit.push_back(rule.under.empty() || bits == kMostUnderRules ? kNoIndex : bits++);
}

std::vector<std::uint32_t> KernelClasses::rulesFor(std::string_view name) const {
    const std::string lower = inLowerCase(name);
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < m_rules.size(); ++i) {
        const KernelRule& rule = m_rules[i];
        if ((rule.match.empty() || hasOneOf(lower, rule.match)) && !hasOneOf(lower, rule.exclude))
            found.push_back(i);
    }
    return found;
}

KernelClasses::UnderSet KernelClasses::underSetOf(std::string_view operatorName) const {
    const std::string lower = inLowerCase(operatorName);
    UnderSet set = 0;
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        if (m_underBit[i] != kNoIndex && hasOneOf(lower, m_rules[i].under))
            set |= UnderSet{1} << m_underBit[i];
    }
    return set;
}

const KernelRule* KernelClasses::firstOf(const std::vector<std::uint32_t>& rules, UnderSet under) const {
    for (const std::uint32_t i : rules) {
        const bool holds =
            m_rules[i].under.empty() || (m_underBit[i] != kNoIndex && (under >> m_underBit[i] & UnderSet{1}) != 0);
        if (holds)
            return &m_rules[i];
    }
    return nullptr;
}

KernelClassesReading readKernelClasses(std::string_view text, std::string_view origin,
                                       const std::vector<KernelRule>& more) {
    KernelClassesReading reading;
    DocumentTree tree = readTree(text, origin);
    reading.problems = std::move(tree.problems);
    if (!tree.root || !reading.problems.empty())
        return reading;
    std::vector<KernelRule> rules = ClassTableReader(reading.problems).read(*tree.root, origin);
    rules.insert(rules.end(), more.begin(), more.end());
    const auto under = std::ranges::count_if(rules, [](const KernelRule& rule) { return !rule.under.empty(); });
    if (static_cast<std::size_t>(under) > KernelClasses::kMostUnderRules)
        reading.problems.push_back(
            {std::string(origin), std::to_string(under) + " rules with under",
             "too many, with the bundled ones; allowed: up to " + std::to_string(KernelClasses::kMostUnderRules)});
    if (reading.problems.empty())
        reading.classes = KernelClasses(std::move(rules));
    return reading;
}

const KernelClasses& bundledKernelClasses(std::string_view name) {
    static const std::map<std::string, KernelClasses, std::less<>> tables = [] {
        std::map<std::string, KernelClasses, std::less<>> all;
        for (const BundledText& text : bundledKernelClassTexts())
            all.emplace(text.name, readKernelClasses(text.text, text.name).classes);
        return all;
    }();
    return tables.find(name)->second;
}

KernelClassesReading kernelClassesNamed(const std::string& name, const std::string& folder) {
    const auto texts = bundledKernelClassTexts();
    if (std::ranges::any_of(texts, [&](const BundledText& text) { return name == text.name; }))
        return {bundledKernelClasses(name), {}};
    std::string path = name;
    if (name.empty()) {
        path = folder + "/" + std::string(kUsualClasses) + ".json";
        std::error_code error;
        if (folder.empty() || !std::filesystem::exists(path, error))
            return {bundledKernelClasses(), {}};
    }
    KernelClassesReading reading;
    const std::string text = readText(path, reading.problems);
    return reading.problems.empty() ? readKernelClasses(text, path, bundledKernelClasses().rules()) : reading;
}

}  // namespace data
