#pragma once

#include <nlohmann/json.hpp>

#include <clocale>
#include <istream>
#include <string_view>

namespace data {

/// Sets the C locale on this thread for its lifetime. nlohmann's parser takes the decimal point from the locale of the
/// process, and QApplication sets that to the user's: under a German locale it would read 0.5 as the text "0,5".
class CLocale {
public:
    CLocale() {
        static const locale_t kPlain = newlocale(LC_ALL_MASK, "C", nullptr);
        m_before = uselocale(kPlain);
    }
    ~CLocale() { uselocale(m_before); }
    CLocale(const CLocale&) = delete;
    CLocale& operator=(const CLocale&) = delete;

private:
    locale_t m_before;
};

/// Parses a JSON text, whatever the locale. The value is discarded (`is_discarded`) if the text is not valid JSON.
template <class Json>
Json parseJson(std::string_view text) {
    const CLocale plain;
    return Json::parse(text.begin(), text.end(), nullptr, false);
}

/// Returns a JSON list of `entry(each)` for each element of `range`. Keys stay in the order in which they were written.
template <class Range, class Entry>
nlohmann::ordered_json jsonList(const Range& range, Entry entry) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& each : range)
        list.push_back(entry(each));
    return list;
}

/// Sends the parser's events to `receiver`, whatever the locale.
template <class Receiver>
void parseJsonEvents(std::string_view text, Receiver& receiver) {
    const CLocale plain;
    nlohmann::json::sax_parse(text.begin(), text.end(), &receiver);
}

/// Does the same for a text of any length, which is read as it is parsed.
template <class Receiver>
void parseJsonEvents(std::istream& text, Receiver& receiver) {
    const CLocale plain;
    nlohmann::json::sax_parse(text, &receiver);
}

}  // namespace data
