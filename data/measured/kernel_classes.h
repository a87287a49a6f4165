#pragma once

#include "data/measured/measured_trace.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace data {

inline constexpr std::string_view kKernelClassesFormat = "ringside-kernel-classes";

/// One rule of a table of kernel classes.
struct KernelRule {
    std::vector<std::string> match;    ///< words of which a name must have one; empty: any name
    std::vector<std::string> exclude;  ///< words that a name must not have; "not" in the document
    std::vector<std::string> under;    ///< words of which an operator around the launch must have one; empty: any
    KernelClass kernelClass = KernelClass::other;
    MeasuredOperation operation = MeasuredOperation::unknown;
    bool assumed = false;  ///< the class is likely, not certain
};

/// The class of a kernel, copy or fill by its name and by the operators that launched it, as data: the first rule that
/// matches decides. A word matches anywhere in a name, whatever the case of its letters; one that begins with "^" only
/// at the beginning of a word, after no letter and no digit.
class KernelClasses {
public:
    /// A set of rules with `under`, one bit for each of them.
    using UnderSet = std::uint64_t;
    static constexpr std::size_t kMostUnderRules = 64, kMostRules = 1'000;

    KernelClasses() = default;
    explicit KernelClasses(std::vector<KernelRule> rules);

    const std::vector<KernelRule>& rules() const { return m_rules; }
    /// Returns the indices of the rules whose words match a name, in their order. Rules with `under` are among them.
    std::vector<std::uint32_t> rulesFor(std::string_view name) const;
    /// Returns which rules with `under` hold below an operator of this name.
    UnderSet underSetOf(std::string_view operatorName) const;
    /// Returns the first of the rules that holds below the operators of `under`, or null.
    const KernelRule* firstOf(const std::vector<std::uint32_t>& rules, UnderSet under) const;

private:
    std::vector<KernelRule> m_rules;
    std::vector<std::uint32_t> m_underBit;  ///< of each rule; kNoIndex without `under`
};

struct KernelClassesReading {
    KernelClasses classes;
    engine::Problems problems;
};

/// Reads a table. The rules of `more` come after it.
KernelClassesReading readKernelClasses(std::string_view text, std::string_view origin,
                                       const std::vector<KernelRule>& more = {});

/// Returns a table that is compiled in: "kernel-classes", the usual one, or "hta", which repeats the three classes of
/// Holistic Trace Analysis. Precondition: there is one with this name.
const KernelClasses& bundledKernelClasses(std::string_view name = "kernel-classes");

/// Returns the table that a user names: a bundled one, or a file, before the usual rules. An empty name means the usual
/// one; `kernel-classes.json` in `folder`, if it is there, is asked first.
KernelClassesReading kernelClassesNamed(const std::string& name, const std::string& folder);

}  // namespace data
