#include "data/results/shared_notices.h"

#include "data/document/names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace data {
namespace {

struct Met {
    engine::Notice notice;  // of the first result that has it
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t results = 1;
};

std::vector<Met> metIn(const NoticedResults& results) {
    std::vector<Met> all;
    for (std::size_t i = 0; i < results.count; ++i) {
        for (const engine::Notice& notice : results.notices(i)) {
            const auto known =
                std::ranges::find_if(all, [&](const Met& each) { return each.notice.path == notice.path; });
            if (known == all.end()) {
                all.push_back({notice, i, i});
            } else if (known->last != i) {
                known->last = i;
                ++known->results;
            }
        }
    }
    return all;
}

}  // namespace

engine::Notices sharedNotices(const NoticedResults& results) {
    engine::Notices notices;
    const std::string all = std::to_string(results.count) + " " + results.many;
    for (Met& met : metIn(results)) {
        if (results.count > 1)
            met.notice.text = (met.results == results.count ? "all " : std::to_string(met.results) + " of ") + all +
                              ", first " + results.name(met.first) + ": " + met.notice.text;
        notices.push_back(std::move(met.notice));
    }
    return notices;
}

bool qualifiesNumbers(const engine::Notice& notice) {
    constexpr std::array<std::string_view, 3> kPaths{"tracker.held_bytes", "detail.mode", "project_from"};
    return isAmong(kPaths, notice.path);
}

engine::Notices qualifying(engine::Notices notices) {
    std::erase_if(notices, [](const engine::Notice& notice) { return !qualifiesNumbers(notice); });
    return notices;
}

}  // namespace data
