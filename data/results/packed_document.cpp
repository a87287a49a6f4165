#include "data/results/packed_document.h"

#include "data/document/json_reading.h"
#include "data/results/result_document.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace data {
namespace {

constexpr unsigned kBitsAByte = 7;
constexpr unsigned kMore = 0x80;
constexpr std::size_t kRealBytes = 8;
constexpr int kDeepest = 16;  // documents written here have four levels; deeper ones are damaged

[[noreturn]] void damaged() { throw DamagedDocument("its values do not fit its keys"); }

std::uint64_t folded(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1u ^ static_cast<std::uint64_t>(value >> 63u);
}

std::int64_t unfolded(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1u) ^ -static_cast<std::int64_t>(value & 1u);
}

class Writer {
public:
    /// Appends the value to the packed values and replaces it by the placeholder of its kind.
    void take(ResultJson& value) {
        if (value.is_structured()) {
            for (ResultJson& member : value)
                take(member);
        } else if (value.is_number_float()) {
            real(value.get<double>());
            value = 0.0;
        } else if (value.is_number()) {
            whole(folded(value.get<std::int64_t>()));
            value = 0;
        } else if (value.is_string()) {
            const auto& text = value.get_ref<const std::string&>();
            whole(text.size());
            m_bytes += text;
            value = "";
        } else if (value.is_boolean()) {
            m_bytes += value.get<bool>() ? '\1' : '\0';
            value = false;
        }
    }

    std::string bytes() { return std::move(m_bytes); }

private:
    void whole(std::uint64_t value) {
        for (; value >= kMore; value >>= kBitsAByte)
            m_bytes += static_cast<char>(value | kMore);
        m_bytes += static_cast<char>(value);
    }

    void real(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (std::size_t i = 0; i < kRealBytes; ++i)
            m_bytes += static_cast<char>(bits >> 8 * i);
    }

    std::string m_bytes;
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : m_bytes(bytes) {}

    std::int64_t whole() { return unfolded(plain()); }

    double real() {
        const std::string_view from = next(kRealBytes);
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < kRealBytes; ++i)
            bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << 8 * i;
        return std::bit_cast<double>(bits);
    }

    std::string_view text() { return next(plain()); }
    bool truth() { return next(1).front() != '\0'; }
    bool atEnd() const { return m_bytes.empty(); }

private:
    std::uint64_t plain() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += kBitsAByte) {
            const auto byte = static_cast<unsigned char>(next(1).front());
            value |= static_cast<std::uint64_t>(byte & ~kMore) << shift;
            if ((byte & kMore) == 0)
                return value;
        }
        damaged();
    }

    std::string_view next(std::size_t count) {
        if (count > m_bytes.size())
            damaged();
        const std::string_view found = m_bytes.substr(0, count);
        m_bytes.remove_prefix(count);
        return found;
    }

    std::string_view m_bytes;
};

void fill(ResultJson& place, Reader& from) {
    if (place.is_structured()) {
        for (ResultJson& member : place)
            fill(member, from);
    } else if (place.is_number_float()) {
        place = from.real();
    } else if (place.is_number()) {
        place = from.whole();
    } else if (place.is_string()) {
        place = std::string(from.text());
    } else if (place.is_boolean()) {
        place = from.truth();
    }
}

ResultJson layoutFrom(std::string_view text) {
    int depth = 0, deepest = 0;  // counts brackets in keys as well, but keys have none
    for (const char c : text) {
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        deepest = std::max(deepest, depth);
    }
    ResultJson layout = parseJson<ResultJson>(text);
    if (layout.is_discarded() || deepest > kDeepest)
        throw DamagedDocument("its keys are not valid JSON");
    return layout;
}

}  // namespace

PackedDocument packed(const ResultJson& document) {
    ResultJson layout = document;
    Writer writer;
    writer.take(layout);
    return {layout.dump(), writer.bytes()};
}

ResultJson unpacked(std::string_view layout, std::string_view values) {
    ResultJson document = layoutFrom(layout);
    Reader reader(values);
    fill(document, reader);
    if (!reader.atEnd())
        damaged();
    return document;
}

PackedNumbers::PackedNumbers(std::string_view layout, std::span<const std::string> paths) {
    add(layoutFrom(layout), "", paths);
}

void PackedNumbers::add(const ResultJson& layout, const std::string& path, std::span<const std::string> paths) {
    if (layout.is_object()) {
        for (const auto& [key, member] : layout.items())
            add(member, path.empty() ? key : path + "." + key, paths);
    } else if (layout.is_array()) {
        for (const ResultJson& member : layout)
            add(member, path + "[]", paths);
    } else if (!layout.is_null()) {
        Leaf leaf;
        leaf.kind = layout.is_number_float() ? Kind::real
                    : layout.is_number()     ? Kind::whole
                    : layout.is_string()     ? Kind::text
                                             : Kind::truth;
        const auto wanted = std::find(paths.begin(), paths.end(), path);
        if (wanted != paths.end() && (layout.is_number() || layout.is_boolean()))
            leaf.wanted = static_cast<std::size_t>(wanted - paths.begin());
        if (leaf.kind == Kind::text && path == "notices[].path")
            leaf.notice = &engine::Notice::path;
        if (leaf.kind == Kind::text && path == "notices[].text")
            leaf.notice = &engine::Notice::text;
        m_leaves.push_back(leaf);
    }
}

void PackedNumbers::read(std::string_view values, std::span<std::optional<double>> numbers,
                         engine::Notices* notices) const {
    std::fill(numbers.begin(), numbers.end(), std::nullopt);
    if (notices != nullptr)
        notices->clear();
    Reader reader(values);
    for (const Leaf& leaf : m_leaves) {
        double number = 0;
        if (leaf.kind == Kind::whole) {
            number = static_cast<double>(reader.whole());
        } else if (leaf.kind == Kind::real) {
            number = reader.real();
        } else if (leaf.kind == Kind::text) {
            const std::string_view text = reader.text();
            if (notices != nullptr && leaf.notice != nullptr) {
                if (leaf.notice == &engine::Notice::path)
                    notices->emplace_back();
                if (!notices->empty())
                    notices->back().*leaf.notice = text;
            }
        } else {
            number = reader.truth() ? 1 : 0;
        }
        if (leaf.wanted)
            numbers[*leaf.wanted] = number;
    }
}

}  // namespace data
