#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tests {

/// How a trace is written. The layouts are those of Kineto, whose traces PyTorch's profiler writes.
struct KinetoLayout {
    bool old = false;       ///< PyTorch 1.8: whole microseconds, capital categories, "external id" repeats correlation
    bool pretty = false;    ///< one field a line; otherwise one event a line
    bool oneLine = false;   ///< no line breaks at all
    bool bareList = false;  ///< a list of events without an object around it
    bool topAfter = false;  ///< the fields of the top level follow the events
};

/// A field of `args` with its value as JSON.
using KinetoArgs = std::vector<std::pair<std::string, std::string>>;

inline std::string jsonText(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// Returns text packed with gzip, in one member.
inline std::string packed(std::string_view text) {
    constexpr int kGzip = 16;
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// Writes traces for tests. Times are nanoseconds.
class KinetoText {
public:
    explicit KinetoText(KinetoLayout layout = {}) : m_layout(layout) {}

    /// Times of all events are this much later, in microseconds.
    void shift(std::int64_t microseconds) { m_shift = microseconds; }

    /// Adds a field of the top level with its value as JSON.
    void top(const std::string& key, const std::string& value) { m_top.emplace_back(key, value); }
    void rank(int rank, int world) {
        top("distributedInfo", "{\"backend\": \"nccl\", \"rank\": " + std::to_string(rank) +
                                   ", \"world_size\": " + std::to_string(world) + "}");
    }
    /// The H100 of the examples.
    void device() {
        top("deviceProperties",
            "[{\"id\": 0, \"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": 85000000000, \"numSms\": 132, "
            "\"maxThreadsPerMultiprocessor\": 2048, \"regsPerMultiprocessor\": 65536, "
            "\"sharedMemPerMultiprocessor\": 233472}]");
    }

    void kernel(const std::string& name, std::int64_t start, std::int64_t duration, KinetoArgs args = {},
                int stream = 7) {
        gpu("kernel", name, start, duration, std::move(args), stream);
    }
    void copy(const std::string& name, std::int64_t start, std::int64_t duration, KinetoArgs args = {},
              int stream = 9) {
        gpu("gpu_memcpy", name, start, duration, std::move(args), stream);
    }
    void fill(std::int64_t start, std::int64_t duration) {
        gpu("gpu_memset", "Memset (Device)", start, duration, {}, 7);
    }
    void launch(std::int64_t start, std::int64_t correlation, std::int64_t external = 0,
                const std::string& name = "cudaLaunchKernel", int thread = 1) {
        KinetoArgs args;
        if (m_layout.old)
            external = correlation;
        if (external != 0)
            args.emplace_back(m_layout.old ? "external id" : "External id", std::to_string(external));
        args.emplace_back("correlation", std::to_string(correlation));
        event("cuda_runtime", name, 1, thread, start, 2'000, args);
    }
    void op(const std::string& name, std::int64_t start, std::int64_t duration, std::int64_t external = 0,
            KinetoArgs args = {}, int thread = 1) {
        if (external != 0 && !m_layout.old)
            args.insert(args.begin(), {"External id", std::to_string(external)});
        event("cpu_op", name, 1, thread, start, duration, args);
    }
    void step(int number, std::int64_t start, std::int64_t duration) {
        event("user_annotation", "ProfilerStep#" + std::to_string(number), 1, 1, start, duration, {});
    }
    void annotation(const std::string& name, std::int64_t start, std::int64_t duration, int stream = 7) {
        event("gpu_user_annotation", name, 0, stream, start, duration, {});
    }
    void python(std::int64_t start, std::int64_t duration) {
        event("python_function", "torch/nn/modules/module.py(1735): _wrapped_call_impl", 1, 1, start, duration,
              {{"Python id", "12"}, {"Python parent id", "11"}, {"Ev Idx", "4"}});
    }
    /// Adds an event as JSON.
    void raw(std::string event) { m_events.push_back(std::move(event)); }

    std::size_t events() const { return m_events.size(); }

    std::string text() const {
        const std::string line = m_layout.oneLine ? "" : "\n";
        std::string events = "[";
        for (const std::string& event : m_events)
            events += (&event == m_events.data() ? "" : ",") + line + event;
        events += line + "]";
        if (m_layout.bareList)
            return events;
        std::string head = "\"schemaVersion\": 1," + line, tail;
        for (const auto& [key, value] : m_top)
            (m_layout.topAfter ? tail : head) += (m_layout.topAfter ? "," + line : "") + jsonText(key) + ": " + value +
                                                 (m_layout.topAfter ? "" : "," + line);
        return "{" + line + head + "\"traceEvents\": " + events + tail + line + "}" + line;
    }

private:
    std::string time(std::int64_t nanoseconds, bool absolute) const {
        const std::int64_t whole = nanoseconds / 1'000 + (absolute ? m_shift : 0);
        if (m_layout.old)
            return std::to_string(whole);
        std::string decimals = std::to_string(nanoseconds % 1'000);
        return std::to_string(whole) + "." + std::string(3 - decimals.size(), '0') + decimals;
    }

    std::string category(const std::string& category) const {
        if (!m_layout.old)
            return category;
        static const std::vector<std::pair<std::string, std::string>> kOld{{"kernel", "Kernel"},
                                                                           {"gpu_memcpy", "Memcpy"},
                                                                           {"gpu_memset", "Memset"},
                                                                           {"cuda_runtime", "Runtime"},
                                                                           {"cpu_op", "Operator"}};
        for (const auto& [now, then] : kOld) {
            if (now == category)
                return then;
        }
        return category;
    }

    void gpu(const std::string& kind, const std::string& name, std::int64_t start, std::int64_t duration,
             KinetoArgs args, int stream) {
        if (m_layout.old) {
            for (const auto& [key, value] : KinetoArgs(args)) {
                if (key == "correlation")
                    args.emplace_back("external id", value);
            }
        }
        args.emplace_back("device", "0");
        args.emplace_back("stream", std::to_string(stream));
        event(kind, name, 0, stream, start, duration, args);
    }

    void event(const std::string& kind, const std::string& name, int pid, int tid, std::int64_t start,
               std::int64_t duration, const KinetoArgs& args) {
        const std::string gap = m_layout.pretty && !m_layout.oneLine ? ",\n    " : ", ";
        std::string text = "{\"ph\": \"X\"" + gap + "\"cat\": " + jsonText(category(kind)) + gap +
                           "\"name\": " + jsonText(name) + gap + "\"pid\": " + std::to_string(pid) + gap +
                           "\"tid\": " + std::to_string(tid) + gap + "\"ts\": " + time(start, true) + gap +
                           "\"dur\": " + time(duration, false) + gap + "\"args\": {";
        for (const auto& [key, value] : args)
            text += (&key == &args.front().first ? "" : gap) + jsonText(key) + ": " + value;
        m_events.push_back(text + "}}");
    }

    KinetoLayout m_layout;
    std::int64_t m_shift = 0;
    KinetoArgs m_top;
    std::vector<std::string> m_events;
};

inline KinetoArgs correlated(std::int64_t correlation, KinetoArgs more = {}) {
    more.emplace_back("correlation", std::to_string(correlation));
    return more;
}

/// Fields of a collective, as newer traces have them.
inline KinetoArgs collective(const std::string& name, std::int64_t in, std::int64_t out, const std::string& type,
                             int group, const std::string& ranks, int sequence = -1) {
    KinetoArgs args{{"Collective name", jsonText(name)},     {"In msg nelems", std::to_string(in)},
                    {"Out msg nelems", std::to_string(out)}, {"dtype", jsonText(type)},
                    {"Group size", std::to_string(group)},   {"Process Group Name", jsonText("0")},
                    {"Process Group Ranks", jsonText(ranks)}};
    if (sequence >= 0)
        args.emplace_back("Seq", std::to_string(sequence));
    return args;
}

}  // namespace tests
