#include "data/questions/model_advice.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

// The words of advice: changes, orders and sentences.

namespace data {
namespace {

using engine::Duration;

/// The words before and after the value of a parameter: "4 heads", "tp 8", "hidden size 4224".
struct EditWords {
    std::string_view path, before, after, one;
};
constexpr std::array kEditWords{
    EditWords{"workload.vocabulary", "vocabulary ", "", ""},
    EditWords{"workload.hidden", "hidden size ", "", ""},
    EditWords{"workload.heads", "", " heads", " head"},
    EditWords{"workload.kv_heads", "", " heads of keys and values", " head of keys and values"},
    EditWords{"workload.head_size", "head size ", "", ""},
    EditWords{"workload.sequence", "sequence length ", "", ""},
    EditWords{"workload.batch", "micro-batch ", "", ""},
    EditWords{"workload.layers", "", " layers", " layer"},
    EditWords{"parallel.tp", "tp ", "", ""},
    EditWords{"division.pp", "", " stages", " stage"},
    EditWords{"division.microbatches", "", " micro-batches", " micro-batch"}};

std::string valueText(const AdviceEdit& edit) {
    return engine::formatValue(*engine::findParameter(edit.path), edit.value);
}

std::string editText(const AdviceEdit& edit) {
    const std::string value = valueText(edit);
    for (const EditWords& words : kEditWords) {
        if (words.path == edit.path)
            return std::string(words.before) + value +
                   std::string(value == "1" && !words.one.empty() ? words.one : words.after);
    }
    return edit.path + " " + value;
}

/// Returns the text with capitals at the start of words: "Query Heads".
std::string titleCase(std::string text) {
    bool begins = true;
    for (char& letter : text) {
        if (begins)
            letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        begins = letter == ' ';
    }
    return text;
}

template <typename Word>
std::string joinedEdits(const AdviceChange& change, Word word) {
    std::string text;
    for (std::size_t i = 0; i < change.size(); ++i)
        text += (i == 0 ? "" : i + 1 == change.size() ? " and " : ", ") + word(change[i]);
    return text;
}

/// Returns the value with `decimals` decimals, whatever the locale.
std::string fixedText(double value, int decimals) {
    std::array<char, 64> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

/// Returns a time with four digits: "123.4 µs".
std::string timeText(Duration time) {
    constexpr std::array<std::pair<double, const char*>, 5> kUnits{
        {{1e12, " s"}, {1e9, " ms"}, {1e6, " µs"}, {1e3, " ns"}, {1, " ps"}}};
    const auto ps = static_cast<double>(time.ps);
    std::size_t unit = 0;
    while (unit + 1 < kUnits.size() && ps < kUnits[unit].first)
        ++unit;
    const double value = ps / kUnits[unit].first;
    constexpr int kDigits = 4;
    const int before = value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : kDigits;
    return fixedText(value, unit + 1 == kUnits.size() ? 0 : kDigits - before) + kUnits[unit].second;
}

double relative(Duration before, Duration after) {
    return static_cast<double>(after.ps) / static_cast<double>(before.ps) - 1;
}

std::string weightsText(const RuleAdvice& advice) {
    const double change = advice.weightsChange.value_or(0);
    return change == 0 ? "as many weights" : relativeText(change) + " weights";
}

}  // namespace

std::string relativeText(double relative) {
    constexpr int kMostDecimals = 6;
    const double percent = std::abs(100 * relative);
    int decimals = 1;
    double seen = 0.05;
    while (percent < seen && decimals < kMostDecimals) {
        ++decimals;
        seen /= 10;
    }
    if (percent < seen)
        return "no change";
    return (relative < 0 ? "-" : "+") + fixedText(percent, decimals) + " %";
}

std::string changeText(const RuleCheck& check) {
    const AdviceChange& change = check.change;
    // The finding before it already names the vocabulary.
    if (check.rule == ShapeRule::vocabulary && change.size() == 1)
        return valueText(change.front());
    return joinedEdits(change, editText);
}

std::string changeTitle(const AdviceChange& change) {
    return "Set " + joinedEdits(change, [](const AdviceEdit& edit) {
               return titleCase(engine::findParameter(edit.path)->label) + " to " + valueText(edit);
           });
}

std::string adviceSentence(const RuleAdvice& advice) {
    const std::string& finding = advice.check.finding;
    if (!advice.isBroken())
        return finding;
    if (advice.check.change.empty())
        return finding + "; no change of a single size satisfies this rule and keeps the others";
    const std::string change = changeText(advice.check);
    if (!advice.now)
        return finding + "; " + change + " would satisfy the rule";
    const bool ofToken = advice.comparesTokens();
    const auto takes = [&](const AdviceTimes& times) {
        return timeText(ofToken ? times.partOfToken : times.part) + (ofToken ? " of GPU time a token" : "");
    };
    const bool isOne = advice.scope == AdviceScope::head || advice.scope == AdviceScope::step;
    return finding + ": " + std::string(title(advice.scope)) + (isOne ? " takes " : " take ") + takes(*advice.now) +
           "; " + change + " would take " + timeText(ofToken ? advice.changed->partOfToken : advice.changed->part) +
           " (" + weightsText(advice) + ")";
}

std::string adviceDetail(const RuleAdvice& advice) {
    if (!advice.now)
        return {};
    const AdvisedStep &now = advice.now->step, &then = advice.changed->step;
    std::string text = "a step takes " + timeText(now.time) + ", with the change " + timeText(then.time);
    if (advice.comparesTokens())
        text += "; a token takes " + timeText(now.ofToken()) + " of GPU time, with the change " +
                timeText(then.ofToken()) + " (" + relativeText(relative(now.ofToken(), then.ofToken())) + ")";
    else
        text += " (" + relativeText(relative(now.time, then.time)) + ")";
    constexpr double kSame = 0.001;
    if (advice.hasSameWaves && !advice.comparesTokens() &&
        std::abs(relative(advice.now->part, advice.changed->part)) < kSame)
        text +=
            "; the simulated time is the same: tiles and waves do not change, and alignment of rows is not modelled";
    else if (advice.now->partOfToken <= advice.changed->partOfToken)
        text += "; the part that the rule is about is not faster: alignment of rows is not modelled";
    return text;
}

}  // namespace data
