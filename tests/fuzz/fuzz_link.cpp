// Gives any bytes to the reader of link texts. It must return a list of problems, or a scene whose own link reads back
// as the same scene. After `~` the input is the scene's document itself, so that the fuzzer need not guess checksums.
// After `#` it is a document packed as the store packs results: its keys and its values with a zero in between.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/experiment/link_text.h"
#include "data/results/packed_document.h"
#include "data/results/result_document.h"
#include "tests/fuzz/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fuzz::link {

void checkScene(const data::SceneReading& reading) {
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return;
    const std::string kept = data::writeScene(reading.scene);
    const data::SceneReading again = data::readScene(kept, "kept");
    require(again.problems.empty() && again.scene == reading.scene, "a kept scene is the same scene", kept);
    const auto link = data::writeLink(reading.scene);
    require(link || kept.size() > data::kLongestLink / 2, "a scene that is not large has a link", kept);
    if (!link)
        return;
    require(data::looksLikeLink(*link), "a link is known as one", *link);
    require(data::readLink(*link).scene == reading.scene, "a link opens the same scene", *link);
    // The link as a mail program may change it.
    std::string sent = "<" + *link + ">";
    sent.insert(sent.size() / 2, "\r\n ");
    const data::SceneReading received = data::readLink(sent);
    require(received.problems.empty() && received.scene == reading.scene, "a link survives a mail", sent);
    require(!data::readLink(std::string_view(*link).substr(0, link->size() - 1)).problems.empty(),
            "a link that was cut is refused", *link);
}

/// Checks the numbers of a packed document as the store's columns read them.
void checkNumbers(std::string_view layout, std::string_view values, const data::ResultJson* document) {
    const std::array<std::string, 3> paths{"time_ps.total", "events", "a"};
    std::array<std::optional<double>, 3> numbers;
    try {
        data::PackedNumbers(layout, paths).read(values, numbers);
    } catch (const data::DamagedDocument& error) {
        require(document == nullptr, "what is read whole is read by parts", error.what());
        return;
    }
    if (document == nullptr || !document->is_object())
        return;
    const auto whole = document->find("events");
    if (whole != document->end() && whole->is_number())
        require(numbers[1] == whole->get<double>() || std::isnan(whole->get<double>()), "a part is that of the whole",
                std::string(layout));
}

void checkPacked(std::string_view text) {
    const std::size_t middle = std::min(text.find('\0'), text.size());
    const std::string_view layout = text.substr(0, middle), values = text.substr(std::min(middle + 1, text.size()));
    std::optional<data::ResultJson> document;
    try {
        document = data::unpacked(layout, values);
    } catch (const data::DamagedDocument& error) { require(error.what()[0] != '\0', "a refusal has words"); }
    checkNumbers(layout, values, document ? &*document : nullptr);
    if (!document)
        return;
    const data::PackedDocument again = data::packed(*document);
    require(again.values.size() <= values.size(), "values do not grow", std::string(layout));
    const data::PackedDocument once = data::packed(data::unpacked(again.layout, again.values));
    require(once.layout == again.layout && once.values == again.values, "a packed document is the same document",
            std::string(layout));
}

RINGSIDE_FUZZ_TARGET(fuzz_link)(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    if (text.starts_with('#')) {
        checkPacked(text.substr(1));
    } else if (text.starts_with('~')) {
        checkScene(data::readScene(text.substr(1), "input"));
    } else {
        data::looksLikeLink(text);
        checkScene(data::readLink(text));
    }
    return 0;
}

}  // namespace fuzz::link
