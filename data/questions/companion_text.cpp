#include "data/questions/companion_text.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <sstream>
#include <vector>

namespace data {
namespace {

constexpr std::string_view kNone = "none", kGemm = "gemm", kInMemory = "in-memory";
constexpr char kExamples[] = "\"all-gather 896MiB\" or \"gemm 4096x1024x1024 x3\"";

std::vector<std::string> wordsIn(std::string_view text) {
    std::istringstream from{std::string(text)};
    std::vector<std::string> words;
    for (std::string word; from >> word;)
        words.push_back(std::move(word));
    return words;
}

std::vector<std::string> collectives() {
    std::vector<std::string> words = engine::findParameter("companion.operation")->words;
    std::erase_if(words, [](const std::string& word) { return word == kNone || word == kGemm || word == kInMemory; });
    return words;
}

/// Splits a text such as "4096x1024x1024" at each "x".
std::vector<std::string> sidesIn(const std::string& word) {
    std::vector<std::string> sides(1);
    for (const char c : word) {
        if (c == 'x')
            sides.emplace_back();
        else
            sides.back() += c;
    }
    return sides;
}

class CompanionText {
public:
    CompanionText(std::string_view text, std::string_view name, engine::Problems& problems)
        : m_text(text), m_name(name), m_problems(problems) {}

    Settings read() {
        const std::vector<std::string> words = wordsIn(m_text);
        if (words.empty()) {
            refuse("empty");
            return {};
        }
        const std::span<const std::string> rest = std::span(words).subspan(1);
        if (words.front() == kGemm)
            readGemm(rest);
        else if (isAmong(collectives(), words.front()))
            readCollective(words.front(), rest);
        else
            refuse(unknown(words.front()));
        m_settings["companion.operation"] = words.front();
        return m_failed ? Settings() : std::move(m_settings);
    }

private:
    void add(std::string what) {
        m_failed = true;
        m_problems.push_back({std::string(m_name), m_text.empty() ? "\"\"" : std::string(m_text), std::move(what)});
    }

    void refuse(const std::string& what) { add(what + "; allowed: " + companionTextAllowed()); }

    static std::string unknown(const std::string& word) {
        std::vector<std::string> known = collectives();
        known.emplace_back(kGemm);
        const auto near = engine::nearestNames(word, known);
        return word + " is not an operation that can run beside an experiment" +
               (near.empty() ? std::string() : ", did you mean " + joinedNames(near, " or ") + "?");
    }

    void set(const char* path, const std::string& text) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        engine::Problems found;
        if (const auto value = engine::parseValue(parameter, text, found))
            m_settings[path] = *value;
        for (const engine::Problem& problem : found)  // these say what is allowed
            add(problem.path + " " + problem.value + ": " + problem.text + "; for example " + kExamples);
    }

    void readCollective(const std::string& operation, std::span<const std::string> rest) {
        if (rest.empty())
            return;
        if (rest.back().front() == 'x')
            return refuse(rest.back() + ": " + operation + " has no copies; only gemm has them");
        set("companion.bytes", joined({rest.begin(), rest.end()}, " "));
    }

    void readGemm(std::span<const std::string> rest) {
        for (const std::string& word : rest) {
            if (word.front() == 'x')
                readCopies(word.substr(1));
            else
                readSides(word);
        }
    }

    void readCopies(const std::string& count) {
        if (m_settings.contains("companion.copies"))
            return refuse("the number of copies is given twice");
        set("companion.copies", count);
    }

    void readSides(const std::string& word) {
        constexpr std::array kPaths{"companion.m", "companion.n", "companion.k"};
        const std::vector<std::string> sides = sidesIn(word);
        if (m_settings.contains(kPaths.front()))
            return refuse("the size MxNxK is given twice");
        if (sides.size() != kPaths.size())
            return refuse(word + ": not a size MxNxK");
        for (std::size_t i = 0; i < kPaths.size(); ++i)
            set(kPaths.at(i), sides[i]);
    }

    std::string_view m_text, m_name;
    engine::Problems& m_problems;
    Settings m_settings;
    bool m_failed = false;
};

}  // namespace

Settings companionSettings(std::string_view text, std::string_view name, engine::Problems& problems) {
    return CompanionText(text, name, problems).read();
}

std::string companionTextAllowed() {
    return "OPERATION [SIZE] with one of " + joinedNames(collectives(), " or ") +
           ", or gemm [MxNxK] [xCOPIES]; for example " + kExamples;
}

}  // namespace data
