#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tests {

/// A strict reader of the Chrome Trace Event format. It follows the description of the format and the behaviour of
/// Perfetto's importer, and shares no code with the writer. Events are checked one by one and not stored; threads and
/// arrows are checked at the end.
class TraceChecker {
public:
    using Json = nlohmann::json;

    /// Returns a text for each broken rule, at most a hundred.
    std::vector<std::string> check(std::string_view text) {
        const auto each = [this](int depth, Json::parse_event_t event, Json& parsed) {
            if (event == Json::parse_event_t::key && depth == 1)
                m_key = parsed.get<std::string>();
            if (event == Json::parse_event_t::object_end && depth == 2 && m_key == "traceEvents") {
                judge(parsed);
                return false;
            }
            return true;
        };
        const Json root = Json::parse(text.begin(), text.end(), each, false);
        if (root.is_discarded() || !root.is_object() || !root.contains("traceEvents"))
            return {"not a JSON object with a list traceEvents"};
        if (root.value("displayTimeUnit", "") != "ns" && root.value("displayTimeUnit", "") != "ms")
            report("displayTimeUnit is neither ms nor ns");
        judgeNames();
        judgeThreads();
        judgeArrows();
        return m_broken;
    }

    std::map<std::string, std::int64_t> counts;          ///< events by ph
    std::map<std::string, std::int64_t> names;           ///< complete events and instants by name
    std::map<int, std::string> processes;                ///< names, by pid
    std::map<std::pair<int, int>, std::string> threads;  ///< names, by pid and tid
    std::map<std::int64_t, std::vector<std::string>>
        ways;  ///< the names of the slices that contain the points of each arrow

private:
    using Thread = std::pair<int, int>;
    struct Slice {
        std::int64_t start, end;
        std::string name;
    };
    struct Point {
        std::string ph;
        std::int64_t ps;
        Thread thread;
    };

    void report(const std::string& text) {
        if (m_broken.size() < 100)
            m_broken.push_back(text);
    }

    bool needs(const Json& event, std::initializer_list<const char*> keys) {
        for (const char* key : keys) {
            if (!event.contains(key)) {
                report(std::string("without ") + key + ": " + event.dump());
                return false;
            }
        }
        return true;
    }

    std::int64_t picoseconds(const Json& event, const char* key) {
        const Json& value = event[key];
        if (!value.is_number() || value.get<double>() < 0) {
            report(std::string(key) + " is no time: " + event.dump());
            return 0;
        }
        return std::llround(value.get<double>() * 1e6);
    }

    void judge(const Json& event) {
        if (!needs(event, {"ph", "pid", "name"}))
            return;
        const auto ph = event["ph"].get<std::string>();
        ++counts[ph];
        if (!event["pid"].is_number_unsigned() || (event.contains("tid") && !event["tid"].is_number_unsigned()))
            report("pid or tid is no number: " + event.dump());
        else if (ph == "M")
            judgeMetadata(event);
        else if (ph == "C")
            judgeCounter(event);
        else if (ph == "X" || ph == "i" || ph == "s" || ph == "t" || ph == "f")
            judgeOnThread(ph, event);
        else
            report("unknown ph: " + event.dump());
    }

    void judgeMetadata(const Json& event) {
        const auto what = event["name"].get<std::string>();
        const bool named = what == "process_name" || what == "thread_name";
        const bool ordered = what == "process_sort_index" || what == "thread_sort_index";
        if (!named && !ordered)
            return report("unknown metadata: " + event.dump());
        const Json args = event.value("args", Json::object());
        if (!(named ? args.contains("name") && args["name"].is_string() && !args["name"].get<std::string>().empty()
                    : args.contains("sort_index") && args["sort_index"].is_number()))
            return report("metadata without its value: " + event.dump());
        const bool ofThread = what.starts_with("thread");
        if (ofThread && !needs(event, {"tid"}))
            return;
        const int pid = event["pid"].get<int>();
        const int tid = ofThread ? event["tid"].get<int>() : -1;
        if (!m_metadata.insert({what, pid, tid}).second)
            report("given twice: " + event.dump());
        if (what == "process_name")
            processes[pid] = args["name"].get<std::string>();
        if (what == "thread_name")
            threads[{pid, tid}] = args["name"].get<std::string>();
    }

    void judgeCounter(const Json& event) {
        if (!needs(event, {"ts", "args"}))
            return;
        m_pids.insert(event["pid"].get<int>());
        const Json& args = event["args"];
        const bool numeric = args.is_object() && !args.empty() &&
                             std::all_of(args.begin(), args.end(), [](const Json& value) { return value.is_number(); });
        if (!numeric)
            report("a counter that is no number: " + event.dump());
        const std::int64_t ps = picoseconds(event, "ts");
        auto& last =
            m_counters.try_emplace({event["pid"].get<int>(), event["name"].get<std::string>()}, ps).first->second;
        if (ps < last)
            report("a counter goes back in time: " + event.dump());
        last = ps;
    }

    void judgeOnThread(const std::string& ph, const Json& event) {
        if (!needs(event, {"tid", "ts"}))
            return;
        const Thread thread{event["pid"].get<int>(), event["tid"].get<int>()};
        const std::int64_t start = picoseconds(event, "ts");
        m_threads.insert(thread);
        if (ph == "X") {
            if (!needs(event, {"dur"}))
                return;
            ++names[event["name"].get<std::string>()];
            m_slices[thread].push_back({start, start + picoseconds(event, "dur"), event["name"].get<std::string>()});
        } else if (ph == "i") {
            ++names[event["name"].get<std::string>()];
            if (event.value("s", "") != "t" && event.value("s", "") != "p" && event.value("s", "") != "g")
                report("an instant without a scope: " + event.dump());
        } else if (needs(event, {"id", "cat"})) {
            if (ph == "f" && event.value("bp", "") != "e")
                report("an arrow's end would bind to the slice after it: " + event.dump());
            m_arrows[event["id"].get<std::int64_t>()].push_back({ph, start, thread});
        }
    }

    void judgeNames() {
        for (const Thread& thread : m_threads) {
            m_pids.insert(thread.first);
            if (!threads.contains(thread))
                report("a thread without a name: " + std::to_string(thread.first) + "/" +
                       std::to_string(thread.second));
        }
        for (const int pid : m_pids) {
            if (!processes.contains(pid))
                report("a process without a name: " + std::to_string(pid));
        }
        std::set<std::pair<int, std::string>> known;
        for (const auto& [thread, name] : threads) {
            if (!known.insert({thread.first, name}).second)
                report("two threads of one name: " + name);
        }
    }

    void judgeThreads() {
        for (auto& [thread, slices] : m_slices) {
            std::stable_sort(slices.begin(), slices.end(),
                             [](const Slice& a, const Slice& b) { return a.start < b.start; });
            for (std::size_t i = 1; i < slices.size(); ++i) {
                if (slices[i].start < slices[i - 1].end)
                    report("two slices overlap on thread " + std::to_string(thread.second) + " (" + threads[thread] +
                           ") at " + std::to_string(slices[i].start) + " ps");
            }
        }
    }

    void judgeArrows() {
        for (const auto& [id, points] : m_arrows) {
            const std::string arrow = "arrow " + std::to_string(id);
            if (points.size() < 2 || points.front().ph != "s" || points.back().ph != "f")
                report(arrow + " does not go from a beginning to an end");
            for (std::size_t i = 0; i < points.size(); ++i) {
                if (i > 0 && points[i].ps < points[i - 1].ps)
                    report(arrow + " goes back in time");
                if (i > 0 && i + 1 < points.size() && points[i].ph != "t")
                    report(arrow + " begins or ends in its middle");
                ways[id].push_back(enclosing(arrow, points[i]));
            }
        }
    }

    // Returns the slice that contains a point of an arrow, both for exact times and for times cut to whole nanoseconds,
    // as
    // viewers do.
    std::string enclosing(const std::string& arrow, const Point& point) {
        const std::vector<Slice>& slices = m_slices[point.thread];
        const auto after = std::upper_bound(slices.begin(), slices.end(), point.ps,
                                            [](std::int64_t ps, const Slice& slice) { return ps < slice.start; });
        if (after == slices.begin() || point.ps >= std::prev(after)->end) {
            report(arrow + " stands in no slice at " + std::to_string(point.ps) + " ps");
            return {};
        }
        const Slice& slice = *std::prev(after);
        if (point.ps / 1000 >= slice.start / 1000 + (slice.end - slice.start) / 1000)
            report(arrow + " stands in no slice of whole nanoseconds at " + std::to_string(point.ps) + " ps");
        return slice.name;
    }

    std::vector<std::string> m_broken;
    std::string m_key;
    std::set<std::tuple<std::string, int, int>> m_metadata;
    std::set<Thread> m_threads;
    std::set<int> m_pids;
    std::map<std::pair<int, std::string>, std::int64_t> m_counters;
    std::map<Thread, std::vector<Slice>> m_slices;
    std::map<std::int64_t, std::vector<Point>> m_arrows;
};

}  // namespace tests
