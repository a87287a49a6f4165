#pragma once

#include "data/results/result_json.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// A document taken apart into its keys, which thousands of results share, and its values, which are a fifth of it.
///
/// The layout is the document as JSON with 0, 0.0, "" or false where a value stood (null stays null): how many values
/// there are, of which kind, and where. The values follow in that order without names: whole numbers in seven bits a
/// byte, sign folded in, lowest first; reals as eight bytes, lowest first; texts behind their length; truths as a byte.
struct PackedDocument {
    std::string layout;
    std::string values;
};

PackedDocument packed(const ResultJson& document);

/// The document again, with every key in its order and every bit of every number. Throws DamagedDocument.
ResultJson unpacked(std::string_view layout, std::string_view values);

/// Reads chosen numbers out of the values of one layout, a tenth of a microsecond a document.
class PackedNumbers {
public:
    /// `paths` join keys by dots: "time_ps.total". Throws DamagedDocument.
    PackedNumbers(std::string_view layout, std::span<const std::string> paths);

    /// One number for each path, 1 or 0 for a truth; nothing where the layout has none there. Throws DamagedDocument.
    void read(std::string_view values, std::span<std::optional<double>> numbers) const;

private:
    enum class Kind { whole, real, text, truth };
    struct Leaf {
        Kind kind{};
        std::optional<std::size_t> wanted{};  ///< place among the paths
    };
    void add(const ResultJson& layout, const std::string& path, std::span<const std::string> paths);

    std::vector<Leaf> m_leaves;
};

}  // namespace data
