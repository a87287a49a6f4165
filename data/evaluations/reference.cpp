#include "data/evaluations/reference.h"

#include "data/document/json_reading.h"
#include "data/document/bundled_json.h"

namespace data {

namespace {

const nlohmann::json& document() {
    static const nlohmann::json kDocument = parseJson<nlohmann::json>(kPublishedJson);
    return kDocument;
}

}  // namespace

const std::vector<PublishedItem>& publishedItems() {
    static const std::vector<PublishedItem> kItems = [] {
        std::vector<PublishedItem> items;
        for (const nlohmann::json& item : document().at("items"))
            items.push_back({item.at("id"), item.at("what"), item.at("value"), item.at("label")});
        return items;
    }();
    return kItems;
}

const std::string& publishedSource() {
    static const std::string kSource = document().at("source");
    return kSource;
}

const std::string& publishedCitation() {
    static const std::string kCitation = document().at("citation");
    return kCitation;
}

}  // namespace data
