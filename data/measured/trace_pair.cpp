#include "data/measured/trace_pair.h"

#include "data/document/names.h"
#include "data/presets/presets.h"
#include "engine/api/letters.h"
#include "engine/api/run_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace data {
namespace {

constexpr double kAgrees = 0.005;  // parts that differ by less than this share are equal
constexpr int kMostFits = 12;      // runs of a fit
constexpr std::int64_t kFewestGpus = 2;

const MeasuredSpan& spanAt(std::span<const MeasuredTrace> traces, const MeasuredPlace& place) {
    return traces[place.trace].spans[place.span];
}

/// Returns the operation of Ringside, or an empty text if it has none.
std::string operationWord(MeasuredOperation operation) {
    switch (operation) {
    case MeasuredOperation::allReduce:
    case MeasuredOperation::reduceScatter:
    case MeasuredOperation::allGather:
    case MeasuredOperation::allToAll: return std::string(wordOf(operation));
    default: return {};
    }
}

std::string bytesText(std::int64_t bytes) {
    constexpr std::array<std::pair<std::int64_t, const char*>, 3> kUnits{
        {{std::int64_t{1} << 30, " GiB"}, {std::int64_t{1} << 20, " MiB"}, {std::int64_t{1} << 10, " KiB"}}};
    for (const auto& [size, unit] : kUnits) {
        if (bytes >= size && bytes % size == 0)
            return std::to_string(bytes / size) + unit;
    }
    return std::to_string(bytes) + " B";
}

/// Returns whether `word` stands in `text` as a word of its own; letters may be large or small.
bool standsIn(std::string_view text, std::string_view word) {
    const auto isWordLetter = [](char c) {
        const char small = engine::lowerLetter(c);
        return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
    };
    for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
        const bool equal = std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                                      [](char a, char b) { return engine::lowerLetter(a) == engine::lowerLetter(b); });
        const bool begins = at == 0 || !isWordLetter(text[at - 1]);
        const std::size_t end = at + word.size();
        if (equal && begins && (end == text.size() || !isWordLetter(text[end])))
            return true;
    }
    return false;
}

std::int64_t countOf(const Preset& machine) {
    const auto count = machine.settings.find("cu.count");
    const auto* number = count == machine.settings.end() ? nullptr : std::get_if<std::int64_t>(&count->second);
    return number == nullptr ? 0 : *number;
}

/// Returns how long two spans run at once.
std::int64_t overlapOf(const MeasuredSpan& a, const MeasuredSpan& b) {
    return std::max<std::int64_t>(0, std::min(a.end(), b.end()) - std::max(a.start, b.start));
}

/// Makes the experiment of a choice.
class PairMaking {
public:
    PairMaking(std::span<const MeasuredTrace> traces, const RankMatch& match, const MeasuredReport& report,
               const MeasuredChoice& choice)
        : m_traces(traces), m_match(match), m_report(report), m_choice(choice) {}

    TracePair make() {
        readGemm();
        readCollective();
        chooseKind();
        if (!m_pair.refusal.empty() || m_pair.kind == PairKind::nothing)
            return std::move(m_pair);
        setMachine();
        if (m_choice.gemm)
            setGemm();
        if (m_choice.collective)
            setCollective();
        measure();
        return std::move(m_pair);
    }

private:
    void set(const std::string& path, const std::string& value, const std::string& from, bool assumed = false) {
        m_pair.values.push_back({path, value, assumed, from});
    }
    void refuse(const std::string& why) {
        if (m_pair.refusal.empty())
            m_pair.refusal = why;
    }

    void readGemm() {
        if (!m_choice.gemm)
            return;
        const MeasuredSpan& span = spanAt(m_traces, *m_choice.gemm);
        const MeasuredTrace& trace = m_traces[m_choice.gemm->trace];
        GemmShapeReading reading = gemmShapeOf(trace, span);
        if (!reading.shape)
            return refuse("the shape of the GEMM is unknown: " + reading.unknown);
        m_shape = reading.shape;
        m_type = reading.type;
        m_elementBytes = elementBytesOf(m_type);
        m_waves = gemmWavesOf(&*m_shape, trace.nameOf(span.name), trace.launchOf(span), trace.deviceOf(span));
    }

    void readCollective() {
        if (!m_choice.collective)
            return;
        for (const MeasuredCollective& one : m_match.collectives) {
            if (std::ranges::find(one.members, *m_choice.collective) != one.members.end()) {
                m_collective = &one;
                m_series = &m_match.series[one.series];
            }
        }
        if (m_series == nullptr)
            return refuse("the collective is not in the chosen steps");
        m_operation = operationWord(m_series->operation);
        if (m_operation.empty())
            return refuse("Ringside simulates all-reduce, reduce-scatter, all-gather and all-to-all; this is " +
                          (m_series->operation == MeasuredOperation::unknown
                               ? std::string("of an unknown operation")
                               : std::string(wordOf(m_series->operation))));
        if (!m_series->bytes)
            return refuse("the size of the collective is unknown: " + m_series->bytesUnknown);
        if (m_series->groupSize && *m_series->groupSize < kFewestGpus)
            return refuse("the group of the collective has one rank");
    }

    void chooseKind() {
        if (!m_choice.gemm && !m_choice.collective)
            return;
        if (!m_choice.collective) {
            m_pair.kind = PairKind::gemmAlone;
        } else if (!m_choice.gemm) {
            m_pair.kind = PairKind::collectiveAlone;
        } else {
            m_pair.kind = isDependent() ? PairKind::dependent : PairKind::independent;
        }
    }

    bool isDependent() const {
        if (!m_shape || m_series == nullptr || !m_elementBytes || !m_series->bytes ||
            m_choice.gemm->trace != m_choice.collective->trace || m_series->operation == MeasuredOperation::allGather)
            return false;
        const bool follows = spanAt(m_traces, *m_choice.collective).start >= spanAt(m_traces, *m_choice.gemm).end();
        return follows && m_shape->batch == 1 && *m_series->bytes == m_shape->m * m_shape->n * *m_elementBytes;
    }

    void setMachine() {
        const MeasuredPlace& place = m_choice.gemm ? *m_choice.gemm : *m_choice.collective;
        const MeasuredDevice* device = m_traces[place.trace].deviceOf(spanAt(m_traces, place));
        if (device == nullptr) {
            m_pair.missing.push_back("the machine: the trace has no deviceProperties");
            return;
        }
        const MeasuredMachine machine = machineOf(*device);
        const std::string said = (device->name.empty() ? std::string("a GPU") : device->name) + " with " +
                                 std::to_string(device->multiprocessors) + " SMs";
        if (machine.name.empty())
            m_pair.missing.push_back("the machine: no bundled machine is " + said);
        else
            set("machine", machine.name, (machine.assumed ? "assumed from " : "") + said, machine.assumed);
    }

    void setGemm() {
        const std::string dims = "Input Dims";
        if (m_pair.kind == PairKind::dependent) {
            set("workload.sublayer", "fc-2", "a GEMM whose output the collective moves");
            set("workload.sequence", std::to_string(m_shape->m), dims + ": M");
            set("workload.batch", "1", dims);
            set("workload.hidden", std::to_string(m_shape->n), dims + ": N");
            const std::int64_t group = groupSize();
            set("workload.feed_forward", std::to_string(m_shape->k * group), dims + ": K of each GPU, times the GPUs");
        } else {
            set("workload.sublayer", "gemm", "a GEMM of its own");
            set("matrix.m", std::to_string(m_shape->m), dims + ": M");
            set("matrix.n", std::to_string(m_shape->n), dims + ": N");
            set("matrix.k", std::to_string(m_shape->k), dims + ": K");
            if (m_shape->batch > 1)
                set("matrix.batch", std::to_string(m_shape->batch), dims + ": batch");
        }
        if (m_waves.tileM && m_waves.tileN) {
            set("gemm.tile_m", std::to_string(*m_waves.tileM), "the kernel's name");
            set("gemm.tile_n", std::to_string(*m_waves.tileN), "the kernel's name");
        } else {
            m_pair.missing.push_back("the tile: the kernel's name has none");
        }
        if (m_elementBytes)
            set("operators.element_bits", std::to_string(8 * *m_elementBytes), "Input type " + m_type);
        else
            m_pair.missing.push_back("the type of the elements");
    }

    std::int64_t groupSize() const {
        return m_series != nullptr ? m_series->groupSize.value_or(kFewestGpus) : kFewestGpus;
    }

    void setGroup() {
        if (m_series->groupSize)
            set("parallel.tp", std::to_string(*m_series->groupSize), "Group size", m_series->groupAssumed);
        else
            set("parallel.tp", std::to_string(kFewestGpus), "assumed: the trace has no group size", true);
    }

    void setCollective() {
        setGroup();
        const bool byCopy = m_series->carrier == SpanKind::copy;
        const std::string bytes = bytesText(*m_series->bytes);
        const MeasuredTrace& trace = m_traces[m_choice.collective->trace];
        const SpanLaunch* launch = trace.launchOf(spanAt(m_traces, *m_choice.collective));
        const std::optional<std::int64_t> workgroups = launch == nullptr ? std::nullopt : launch->workgroups();
        if (m_pair.kind == PairKind::dependent) {
            set("collective.operation", m_operation, "the collective");
            return;
        }
        if (m_pair.kind == PairKind::collectiveAlone) {
            set("workload.sublayer", m_operation, "the collective alone");
            set("workload.bytes", bytes, "its size");
            if (workgroups && !byCopy)
                set("collective.cu_count", std::to_string(*workgroups), "the grid of its kernel");
            return;
        }
        set("companion.operation", m_operation, "the collective");
        set("companion.bytes", bytes, "its size");
        if (byCopy)
            set("companion.by", "dma", "it is a copy");
        else if (workgroups)
            set("companion.workgroups", std::to_string(*workgroups), "the grid of its kernel");
        else
            m_pair.missing.push_back("the workgroups of the collective: the trace has no grid");
    }

    void measure() {
        PairTimes& times = m_pair.measured;
        std::int64_t begin = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
        const auto cover = [&](const MeasuredSpan& span, std::int64_t from) {
            begin = std::min(begin, from);
            end = std::max(end, span.end());
        };
        std::string name;
        if (m_choice.gemm) {
            const MeasuredSpan& span = spanAt(m_traces, *m_choice.gemm);
            const MeasuredTrace& trace = m_traces[m_choice.gemm->trace];
            times.gemm = span.duration;
            const auto row = std::ranges::find_if(m_report.gemms, [&](const KernelRow& each) {
                return each.shape == m_shape && each.name == trace.nameOf(span.name) && each.type == m_type;
            });
            if (row != m_report.gemms.end() && row->alone)
                times.gemm = *row->alone;
            else
                m_pair.remarks.push_back(
                    "The GEMM never ran alone in the trace; its time is that beside communication.");
            cover(span, span.start);
            name = m_shape->text();
        }
        if (m_choice.collective) {
            const MeasuredSpan& span = spanAt(m_traces, *m_choice.collective);
            times.collective = m_collective->time;
            // A rank that begins early waits for the others. What counts is the time since the last one began.
            cover(span, span.end() - times.collective);
            name += (name.empty()                         ? ""
                     : m_pair.kind == PairKind::dependent ? " then "
                                                          : " beside ") +
                    m_operation + " of " + bytesText(*m_series->bytes);
        }
        times.together = end - begin;
        if (m_pair.kind == PairKind::independent &&
            overlapOf(spanAt(m_traces, *m_choice.gemm), spanAt(m_traces, *m_choice.collective)) == 0)
            m_pair.remarks.push_back("The two do not run at once in the trace. In the simulation they begin together.");
        m_pair.name = name;
    }

    std::span<const MeasuredTrace> m_traces;
    const RankMatch& m_match;
    const MeasuredReport& m_report;
    const MeasuredChoice& m_choice;
    const MeasuredCollective* m_collective = nullptr;
    const CollectiveSeries* m_series = nullptr;
    std::optional<GemmShape> m_shape;
    std::string m_type, m_operation;
    std::optional<std::int64_t> m_elementBytes;
    GemmWaves m_waves;
    TracePair m_pair;
};

/// Returns whether a span is a collective of this operation; with an empty name, any communication.
bool isNamed(const MeasuredSpan& span, std::string_view operation) {
    return span.isCommunication() && (operation.empty() || wordOf(span.operation) == operation);
}

/// The communication of a trace in some steps, in the order of its beginnings.
class Communications {
public:
    Communications(const MeasuredTrace& trace, const ChosenSteps& steps) : m_trace(trace) {
        for (std::uint32_t i = 0; i < trace.spans.size(); ++i) {
            const MeasuredSpan& span = trace.spans[i];
            if (!span.isCommunication() || !steps.has(span))
                continue;
            m_spans.push_back(i);
            m_ends.push_back(m_ends.empty() ? span.end() : std::max(m_ends.back(), span.end()));
        }
    }

    /// Returns what runs beside a kernel for longest, or else what begins first after it ends.
    std::optional<std::uint32_t> nearestTo(const MeasuredSpan& own) const {
        const auto after = std::ranges::lower_bound(m_spans, own.end(), {},
                                                    [&](std::uint32_t span) { return m_trace.spans[span].start; });
        std::optional<std::uint32_t> beside;
        std::int64_t most = 1;
        for (auto i = static_cast<std::size_t>(after - m_spans.begin()); i-- > 0 && m_ends[i] > own.start;) {
            const std::int64_t shared = overlapOf(own, m_trace.spans[m_spans[i]]);
            if (shared >= most) {
                most = shared;
                beside = m_spans[i];
            }
        }
        return beside || after == m_spans.end() ? beside : std::optional(*after);
    }

private:
    const MeasuredTrace& m_trace;
    std::vector<std::uint32_t> m_spans;
    std::vector<std::int64_t> m_ends;  // the latest end of this span and those before it
};

std::string gemmsIn(const MeasuredReport& report) {
    std::vector<std::string> shapes;
    constexpr std::size_t kMostListed = 12;
    for (const KernelRow& row : report.gemms) {
        if (row.shape && shapes.size() < kMostListed)
            addOnce(shapes, row.shape->text());
    }
    return shapes.empty() ? "none with a known shape" : joined(shapes, ", ");
}

/// Returns whether a preset is a machine that can be bought, whose name ends with that of its GPU.
bool isProduct(const Preset& machine) {
    return machine.name.starts_with("nvidia-") || machine.name.starts_with("amd-");
}

double shareOf(std::int64_t simulated, std::int64_t measured) {
    return static_cast<double>(simulated) / static_cast<double>(std::max<std::int64_t>(1, measured));
}

double valueOf(const engine::Experiment& experiment, const char* path) {
    const engine::ParameterValue value = engine::findParameter(path)->read(experiment);
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

}  // namespace

std::int64_t PairTimes::parts(PairKind kind) const {
    return kind == PairKind::independent ? std::max(gemm, collective) : gemm + collective;
}

PairDifference differenceOf(const PairTimes& measured, const PairTimes& simulated, PairKind kind) {
    return {measured.together - simulated.together, measured.parts(kind) - simulated.parts(kind),
            measured.interaction(kind) - simulated.interaction(kind)};
}

ExperimentDraft TracePair::draft(engine::Problems& problems) const {
    ExperimentDraft draft;
    for (const PairValue& value : values)
        applySetting(value.path + "=" + value.value, draft, problems);
    applySetting("policy.preset=sequential", draft, problems);
    return draft;
}

TracePair tracePairOf(std::span<const MeasuredTrace> traces, const RankMatch& match, const MeasuredReport& report,
                      const MeasuredChoice& choice) {
    return PairMaking(traces, match, report, choice).make();
}

std::optional<MeasuredPlace> nearestCollective(std::span<const MeasuredTrace> traces, const StepChoice& steps,
                                               const MeasuredPlace& gemm) {
    const MeasuredTrace& trace = traces[gemm.trace];
    const auto nearest = Communications(trace, {trace, steps}).nearestTo(spanAt(traces, gemm));
    return nearest ? std::optional(MeasuredPlace{gemm.trace, *nearest}) : std::nullopt;
}

MeasuredChoice choiceNamed(std::span<const MeasuredTrace> traces, const MeasuredReport& report, std::string_view gemm,
                           std::string_view operation, engine::Problems& problems) {
    std::optional<MeasuredChoice> apart;
    bool shapeFound = false;
    for (std::size_t t = 0; t < traces.size(); ++t) {
        const MeasuredTrace& trace = traces[t];
        const ChosenSteps steps(trace, report.steps);
        const Communications communications(trace, steps);
        for (std::uint32_t i = 0; i < trace.spans.size(); ++i) {
            const MeasuredSpan& span = trace.spans[i];
            if (!steps.has(span))
                continue;
            if (gemm.empty() && isNamed(span, operation))
                return {{}, MeasuredPlace{t, i}};
            if (gemm.empty() || span.kernelClass != KernelClass::gemm)
                continue;
            const GemmShapeReading reading = gemmShapeOf(trace, span);
            if (!reading.shape || reading.shape->text() != gemm)
                continue;
            shapeFound = true;
            if (operation.empty())
                return {MeasuredPlace{t, i}, {}};
            const auto nearest = communications.nearestTo(span);
            if (!nearest || !isNamed(trace.spans[*nearest], operation))
                continue;
            const MeasuredChoice choice{MeasuredPlace{t, i}, MeasuredPlace{t, *nearest}};
            if (overlapOf(span, trace.spans[*nearest]) > 0)
                return choice;
            if (!apart)
                apart = choice;
        }
    }
    if (apart)
        return *apart;
    const std::string wanted = std::string(gemm) + "," + std::string(operation);
    if (!gemm.empty() && !shapeFound)
        problems.push_back({"--pair", wanted, "no GEMM has this shape; there are: " + gemmsIn(report)});
    else
        problems.push_back({"--pair", wanted,
                            gemm.empty() ? "no collective has this operation"
                                         : "no such collective is the nearest to a GEMM of this shape"});
    return {};
}

MeasuredChoice choiceNamed(std::span<const MeasuredTrace> traces, const MeasuredReport& report, std::string_view pair,
                           engine::Problems& problems) {
    const std::size_t comma = pair.find(',');
    if (comma != std::string_view::npos)
        return choiceNamed(traces, report, pair.substr(0, comma), pair.substr(comma + 1), problems);
    problems.push_back(
        {"--pair", std::string(pair), "a GEMM and an operation are expected: 4096x4096x1024,all-reduce"});
    return {};
}

MeasuredMachine machineOf(const MeasuredDevice& device) {
    for (const Preset& machine : machines()) {
        if (isProduct(machine) &&
            standsIn(device.name, std::string_view(machine.name).substr(machine.name.find('-') + 1)))
            return {machine.name, device.multiprocessors > 0 && countOf(machine) != device.multiprocessors};
    }
    for (const Preset& machine : machines()) {
        if (isProduct(machine) && device.multiprocessors > 0 && countOf(machine) == device.multiprocessors)
            return {machine.name, true};
    }
    return {};
}

PairTimes simulatedTimes(const engine::RunResult& result, PairKind kind) {
    const engine::TimeResult& time = engine::timesOfRun(result);
    PairTimes times;
    times.together = time.total.ps;
    switch (kind) {
    case PairKind::nothing: break;
    case PairKind::gemmAlone: times.gemm = time.total.ps; break;
    case PairKind::collectiveAlone: times.collective = time.total.ps; break;
    case PairKind::dependent:
        if (result.isolated) {
            const engine::IsolatedTimes& alone = *result.isolated;
            times.gemm = alone.gemm.ps;
            times.collective = alone.reduceScatter.ps + alone.allGather.ps + alone.allToAll.ps;
        }
        break;
    case PairKind::independent:
        if (result.companion) {
            times.gemm = result.companion->ownAlone.value_or(engine::Duration{}).ps;
            times.collective = result.companion->alone.value_or(engine::Duration{}).ps;
        }
        break;
    }
    return times;
}

std::vector<std::string> policiesOf(PairKind kind) {
    return kind == PairKind::dependent ? std::vector<std::string>{"sequential", "t3-mca"}
                                       : std::vector<std::string>{"sequential"};
}

PartsFit fitParts(const ExperimentDraft& draft, const TracePair& pair,
                  const std::function<engine::RunResult(const ExperimentDraft&)>& run) {
    PartsFit fit{draft, {}, 0, {}};
    const auto agrees = [](std::int64_t a, std::int64_t b) { return b == 0 || std::abs(shareOf(a, b) - 1) <= kAgrees; };
    while (fit.runs < kMostFits) {
        fit.simulated = simulatedTimes(run(fit.draft), pair.kind);
        ++fit.runs;
        const bool gemm = agrees(fit.simulated.gemm, pair.measured.gemm);
        const bool collective = agrees(fit.simulated.collective, pair.measured.collective);
        if (gemm && collective)
            return fit;
        const engine::Experiment experiment = expand(fit.draft).experiment;
        fit.refusal.clear();
        bool changed = false;
        const auto scale = [&](const char* path, std::int64_t simulated, std::int64_t measured, bool whole) {
            const engine::Parameter& parameter = *engine::findParameter(path);
            const double before = valueOf(experiment, path);
            const double wanted =
                std::clamp(before * shareOf(simulated, measured), parameter.minimum, parameter.maximum);
            if (std::abs(wanted / before - 1) < 1e-6) {
                fit.refusal += (fit.refusal.empty() ? "" : "; ") + std::string(path) + " is at the end of its range, " +
                               engine::formatValue(parameter, parameter.read(experiment));
                return;
            }
            changed = true;
            fit.draft.explicitValues.insert_or_assign(
                path, whole ? engine::ParameterValue(static_cast<std::int64_t>(std::llround(wanted)))
                            : engine::ParameterValue(wanted));
        };
        if (!gemm)
            scale("cu.tensor_efficiency", fit.simulated.gemm, pair.measured.gemm, false);
        if (!collective)
            scale("link.bandwidth", fit.simulated.collective, pair.measured.collective, true);
        if (!changed)
            return fit;
    }
    fit.refusal = "the parts do not agree after " + std::to_string(fit.runs) + " runs";
    return fit;
}

}  // namespace data
