#include "app/ringside_cli_trace.h"

#include "app/ringside_cli_watch.h"
#include "data/document/document_body.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace cli {
namespace {

constexpr std::int64_t kLargeTrace = 200'000'000;

std::vector<std::string> partNames() {
    std::vector<std::string> names;
    for (const data::TracePart& part : data::traceParts())
        names.emplace_back(part.name);
    return names;
}

std::string megabytes(std::int64_t bytes) {
    return std::to_string(std::llround(static_cast<double>(bytes) / 1e6)) + " MB";
}

/// The two parts that take most of the file, and what would be left of it without them.
std::string smallerWay(const data::LaboratoryRun& run, const data::TraceChoice& choice, std::int64_t size) {
    std::vector<std::pair<std::int64_t, const data::TracePart*>> shares;
    for (const data::TracePart& part : data::traceParts()) {
        data::TraceChoice without = choice;
        data::choose(without, part, false);
        if (data::isChosen(choice, part))
            shares.emplace_back(size - data::estimatedTraceSize(run, without), &part);
    }
    std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (shares.size() < 2)
        return {};
    const std::int64_t left = std::max<std::int64_t>(0, size - shares[0].first - shares[1].first);
    return "; --trace-without " + std::string(shares[0].second->name) + "," + std::string(shares[1].second->name) +
           " would make it " + megabytes(left);
}

}  // namespace

void addTraceWithout(CLI::App& command, std::vector<std::string>& without) {
    command
        .add_option("--trace-without", without,
                    "Leave these out of the trace, to make it smaller: " + data::joinedNames(partNames(), ", "))
        ->delimiter(',')
        ->type_name("PART,...");
}

TraceOutput::TraceOutput(const std::string& path, const std::vector<std::string>& without) {
    const std::vector<std::string> names = partNames();
    engine::Problems problems;
    for (const std::string& name : without) {
        const auto part = std::find(names.begin(), names.end(), name);
        if (part != names.end()) {
            data::choose(m_choice, data::traceParts()[static_cast<std::size_t>(part - names.begin())], false);
            continue;
        }
        problems.push_back({"--trace-without", name, "no part of a trace; allowed: " + data::joinedNames(names, ", ")});
    }
    if (path.empty() && !without.empty())
        problems.push_back({"--trace-without", without.front(), "only together with --trace"});
    if (!problems.empty())
        throw engine::InvalidExperiment(std::move(problems));
    if (!path.empty())
        m_file.emplace(path);
}

void TraceOutput::write(const data::LaboratoryRun& run) {
    const std::int64_t size = data::estimatedTraceSize(run, m_choice);
    if (size >= kLargeTrace)
        std::cerr << "the trace takes about " << megabytes(size) << smallerWay(run, m_choice, size) << '\n';
    const InterruptWatch interrupt;
    ProgressLine progress;
    data::writeChromeTrace(run, [this](std::string_view piece) { m_file->write(piece); }, m_choice,
                           {interrupt.token(), progress.callback()});
    m_file->keep();
}

}  // namespace cli
