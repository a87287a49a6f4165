#include "data/measured/gemm_shape.h"

#include "data/document/names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

namespace data {
namespace {

constexpr std::int64_t kLongestSide = std::int64_t{1} << 31;

/// Reads a whole number at the beginning of a text and removes it.
std::optional<std::int64_t> takeNumber(std::string_view& text) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{})
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

bool takeLetter(std::string_view& text, char letter) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    if (!text.starts_with(letter))
        return false;
    text.remove_prefix(1);
    return true;
}

/// Reads one input: a list of sides, or anything nested, which is no single tensor. Returns false for bad text.
bool takeInput(std::string_view& text, std::vector<std::int64_t>& sides) {
    if (!takeLetter(text, '['))
        return takeNumber(text).has_value();
    bool nested = false;
    for (std::size_t depth = 1; depth > 0;) {
        if (takeLetter(text, ']')) {
            --depth;
        } else if (takeLetter(text, '[')) {
            ++depth;
            nested = true;
        } else if (!takeLetter(text, ',')) {
            const auto side = takeNumber(text);
            if (!side)
                return false;
            sides.push_back(*side);
        }
    }
    if (nested)
        sides.clear();
    return true;
}

/// Which inputs an operator multiplies.
struct GemmOperator {
    std::string_view name;
    std::size_t left, right;
    bool batched, transposed;
};

constexpr std::array<GemmOperator, 8> kGemmOperators{{
    {"aten::mm", 0, 1, false, false},
    {"aten::_scaled_mm", 0, 1, false, false},
    {"aten::_int_mm", 0, 1, false, false},
    {"aten::linear", 0, 1, false, true},
    {"aten::addmm", 1, 2, false, false},
    {"aten::_addmm_activation", 1, 2, false, false},
    {"aten::bmm", 0, 1, true, false},
    {"aten::baddbmm", 1, 2, true, false},
}};

/// Returns the entry of a list of texts that semicolons join.
std::string_view partOf(std::string_view list, std::size_t index) {
    for (; index > 0; --index) {
        const std::size_t end = list.find(';');
        if (end == std::string_view::npos)
            return {};
        list.remove_prefix(end + 1);
    }
    return list.substr(0, list.find(';'));
}

std::optional<GemmShape> shapeOfInputs(const GemmOperator& how, const std::vector<std::int64_t>& left,
                                       const std::vector<std::int64_t>& right) {
    GemmShape shape;
    const auto side = [](std::int64_t value) { return value >= 1 && value < kLongestSide; };
    if (!std::ranges::all_of(left, side) || !std::ranges::all_of(right, side))
        return std::nullopt;
    if (how.batched) {
        if (left.size() != 3 || right.size() != 3 || left[0] != right[0] || left[2] != right[1])
            return std::nullopt;
        shape = {left[0], left[1], right[2], left[2]};
    } else if (how.transposed) {
        if (left.empty() || right.size() != 2 || left.back() != right[1])
            return std::nullopt;
        shape = {1, 1, right[0], right[1]};
        for (std::size_t i = 0; i + 1 < left.size(); ++i) {
            if (left[i] >= kLongestSide / shape.m)
                return std::nullopt;
            shape.m *= left[i];
        }
    } else {
        if (left.size() != 2 || right.size() != 2 || left[1] != right[0])
            return std::nullopt;
        shape = {1, left[0], right[1], left[1]};
    }
    // No count of tiles exceeds the number of elements, which must fit into 64 bits.
    constexpr double kMostElements = 4e18;
    const bool fits =
        static_cast<double>(shape.batch) * static_cast<double>(shape.m) * static_cast<double>(shape.n) < kMostElements;
    return fits ? std::optional(shape) : std::nullopt;
}

std::int64_t roundedUp(std::int64_t value, std::int64_t by) { return (value - 1) / by + 1; }

/// Reads "128x256" at a place of a name, if both numbers can be sides of a tile.
std::optional<NamedTile> tileAt(std::string_view name, std::size_t at) {
    constexpr std::int64_t kLeast = 8, kMost = 1024;
    std::string_view rest = name.substr(at);
    if (rest.empty() || rest.front() < '1' || rest.front() > '9')
        return std::nullopt;
    const auto first = takeNumber(rest);
    if (!first || !rest.starts_with('x'))
        return std::nullopt;
    rest.remove_prefix(1);
    const auto second = rest.starts_with('-') ? std::nullopt : takeNumber(rest);
    if (!second || *first < kLeast || *second < kLeast || *first > kMost || *second > kMost)
        return std::nullopt;
    return NamedTile{*first, *second};
}

void countTiles(const GemmShape* shape, const std::optional<NamedTile>& tile, std::int64_t grid,
                std::int64_t multiprocessors, GemmWaves& waves) {
    if (!tile || shape == nullptr) {
        if (grid == 0)
            waves.unknown = "the trace has no grid";
        else if (multiprocessors > 0 && grid == multiprocessors)
            waves.unknown = "the grid has one workgroup for each SM (persistent kernel)" +
                            std::string(tile ? ", and the shape is unknown" : ", and the name has no tile");
        else
            waves.tiles = grid;
        return;
    }
    const auto tilesOf = [&](std::int64_t alongN, std::int64_t alongM) {
        return shape->batch * roundedUp(shape->n, alongN) * roundedUp(shape->m, alongM);
    };
    const std::int64_t usual = tilesOf(tile->first, tile->second), other = tilesOf(tile->second, tile->first);
    const auto fits = [grid](std::int64_t tiles) { return grid >= tiles && grid % tiles == 0; };
    const bool isOther =
        grid > 0 && usual != other && (grid == other || (grid != usual && !fits(usual) && fits(other)));
    waves.tileN = isOther ? tile->second : tile->first;
    waves.tileM = isOther ? tile->first : tile->second;
    const std::int64_t tiles = isOther ? other : usual;
    waves.tiles = grid > tiles ? grid : tiles;  // a smaller grid is that of a persistent kernel
}

}  // namespace

std::optional<std::vector<std::vector<std::int64_t>>> inputDimsOf(std::string_view text) {
    std::vector<std::vector<std::int64_t>> inputs;
    if (!takeLetter(text, '['))
        return std::nullopt;
    while (!takeLetter(text, ']')) {
        if (!inputs.empty() && !takeLetter(text, ','))
            return std::nullopt;
        if (!takeInput(text, inputs.emplace_back()))
            return std::nullopt;
    }
    return text.empty() ? std::optional(std::move(inputs)) : std::nullopt;
}

std::optional<std::int64_t> elementBytesOf(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 31> kTypes{{
        {"double", 8},
        {"Double", 8},
        {"float", 4},
        {"Float", 4},
        {"Half", 2},
        {"c10::Half", 2},
        {"BFloat16", 2},
        {"c10::BFloat16", 2},
        {"long int", 8},
        {"long", 8},
        {"Long", 8},
        {"int", 4},
        {"Int", 4},
        {"short", 2},
        {"Short", 2},
        {"signed char", 1},
        {"char", 1},
        {"Char", 1},
        {"unsigned char", 1},
        {"Byte", 1},
        {"bool", 1},
        {"Bool", 1},
        {"ComplexFloat", 8},
        {"ComplexDouble", 16},
        {"Float32", 4},
        {"UInt8", 1},
        {"Int8", 1},
        {"Float64", 8},
        {"Int64", 8},
        {"Int32", 4},
        {"c10::complex<float>", 8},
    }};
    const auto* found = std::ranges::find(kTypes, type, &std::pair<std::string_view, std::int64_t>::first);
    if (found != kTypes.end())
        return found->second;
    const bool isEighth = type.find("Float8") != std::string_view::npos;
    return isEighth ? std::optional<std::int64_t>(1) : std::nullopt;
}

double GemmShape::flops() const {
    return 2 * static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

std::string GemmShape::text() const {
    return (batch == 1 ? std::string() : std::to_string(batch) + "x") + std::to_string(m) + "x" + std::to_string(n) +
           "x" + std::to_string(k);
}

GemmShapeReading gemmShapeOf(const MeasuredTrace& trace, const SpanFacts& facts) {
    GemmShapeReading reading;
    const std::string_view name = trace.nameOf(facts.name);
    const GemmOperator* how = findNamed(kGemmOperators, &GemmOperator::name, name);
    if (how == nullptr) {
        reading.unknown = "the operator " + std::string(name) + " is not among those whose inputs give the shape";
        return reading;
    }
    if (facts.dims == kNoIndex) {
        reading.unknown = "Input Dims are missing: recorded without record_shapes=True";
        return reading;
    }
    const auto inputs = inputDimsOf(trace.nameOf(facts.dims));
    if (inputs && inputs->size() > how->right)
        reading.shape = shapeOfInputs(*how, (*inputs)[how->left], (*inputs)[how->right]);
    if (!reading.shape)
        reading.unknown = "Input Dims " + std::string(trace.nameOf(facts.dims).substr(0, 100)) + " are not those of " +
                          std::string(name);
    reading.type = partOf(trace.nameOf(facts.types), how->left);
    return reading;
}

GemmShapeReading gemmShapeOf(const MeasuredTrace& trace, const MeasuredSpan& span) {
    const auto unknown = [](std::string why) { return GemmShapeReading{std::nullopt, {}, std::move(why)}; };
    if (span.has(kOfGraph))
        return unknown("kernel of a graph launch");
    if (span.has(kSharesOperator))
        return unknown("its operator launched several GEMM kernels");
    const SpanFacts* facts = trace.factsOf(span);
    if (facts == nullptr || facts->name == kNoIndex)
        return unknown(span.has(kNoLaunchCall) ? "its launch call is not in the trace" : "no operator launched it");
    return gemmShapeOf(trace, *facts);
}

std::optional<NamedTile> tileInName(std::string_view name) {
    for (const std::string_view before : {std::string_view("tilesize"), std::string_view("_MT")}) {
        for (std::size_t at = name.find(before); at != std::string_view::npos; at = name.find(before, at + 1)) {
            if (const auto tile = tileAt(name, at + before.size()))
                return tile;
        }
    }
    // Names of templates have other numbers: cutlass::gemm::GemmShape<128, 256>.
    if (name.starts_with("MT")) {
        if (const auto tile = tileAt(name, 2))
            return tile;
    }
    for (std::size_t at = name.find('_'); at != std::string_view::npos; at = name.find('_', at + 1)) {
        if (const auto tile = tileAt(name, at + 1))
            return tile;
    }
    return std::nullopt;
}

std::optional<double> GemmWaves::efficiency() const {
    if (!tiles || !waves || !slots)
        return std::nullopt;
    return static_cast<double>(*tiles) / (static_cast<double>(*waves) * static_cast<double>(*slots));
}

GemmWaves gemmWavesOf(const GemmShape* shape, std::string_view name, const SpanLaunch* launch,
                      const MeasuredDevice* device) {
    constexpr std::int64_t kSharedOfSystem = 1024;  // bytes that CUDA keeps of each workgroup's shared memory
    GemmWaves waves;
    const std::int64_t grid = launch == nullptr ? 0 : launch->workgroups().value_or(0);
    const std::int64_t multiprocessors = device == nullptr ? 0 : device->multiprocessors;
    countTiles(shape, tileInName(name), grid, multiprocessors, waves);
    if (multiprocessors == 0) {
        if (waves.unknown.empty())
            waves.unknown = "the trace does not say how many SMs the GPU has";
        return waves;
    }
    const std::int64_t threads = launch == nullptr ? 0 : launch->threads().value_or(0);
    const bool known = threads > 0 && launch->registers > 0 && launch->shared >= 0 && device->maxThreads > 0 &&
                       device->registers > 0 && device->shared > 0 &&
                       launch->registers <= std::numeric_limits<std::int64_t>::max() / threads &&
                       launch->shared <= std::numeric_limits<std::int64_t>::max() - kSharedOfSystem;
    std::int64_t each = 1;
    if (known)
        each = std::min({device->maxThreads / threads, device->registers / (launch->registers * threads),
                         device->shared / (launch->shared + kSharedOfSystem)});
    waves.assumed = !known || each < 1;
    each = std::max<std::int64_t>(each, 1);
    if (each > std::numeric_limits<std::int32_t>::max() || multiprocessors > std::numeric_limits<std::int32_t>::max()) {
        waves.unknown = "the numbers of the GPU cannot be right";
        return waves;
    }
    waves.perMultiprocessor = each;
    waves.slots = multiprocessors * each;
    if (waves.tiles)
        waves.waves = roundedUp(*waves.tiles, *waves.slots);
    return waves;
}

}  // namespace data
