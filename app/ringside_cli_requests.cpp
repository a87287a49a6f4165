#include "app/ringside_cli_requests.h"

#include "data/document/names.h"
#include "data/trace/request_file.h"
#include "data/trace/traced_requests.h"
#include "engine/api/dram_place.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <utility>

// The request files of `run`: memory requests of other DRAM simulators as an access pattern, and those of a run for
// other simulators.

namespace cli {
namespace {

using engine::Problem;
using engine::Problems;

std::vector<std::string> formNames() {
    std::vector<std::string> names;
    for (const data::RequestFormText& form : data::kRequestForms)
        names.emplace_back(form.word);
    return names;
}

[[noreturn]] void refuse(const char* option, const std::string& value, std::string text) {
    throw engine::InvalidExperiment({Problem{option, value, std::move(text)}});
}

data::RequestForm formOf(const RequestArguments& arguments) {
    const std::vector<std::string> names = formNames();
    const auto found = std::find(names.begin(), names.end(), arguments.form);
    if (found == names.end())
        refuse("--requests-as", arguments.form, "not a form; allowed: " + data::joinedNames(names, ", "));
    return static_cast<data::RequestForm>(found - names.begin());
}

/// Returns the bytes of a request in the file: a power of two up to a granule.
engine::Bytes sizeOf(const RequestArguments& arguments, const engine::Experiment& experiment) {
    const engine::Parameter& granule = *engine::findParameter("detail.granule");
    Problems problems;
    const auto value = engine::parseValue(granule, arguments.size, problems);
    const auto* bytes = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    if (bytes == nullptr || engine::check(granule, *value) || *bytes > experiment.detail.granule.count)
        refuse("--requests-size", arguments.size,
               "not a size of a request; allowed: powers of two from 32 B to detail.granule = " +
                   engine::formatValue(granule, experiment.detail.granule.count));
    return {*bytes};
}

data::RequestCut cutOf(const RequestArguments& arguments, const engine::Experiment& experiment) {
    return {experiment.detail.granule, sizeOf(arguments, experiment), experiment.access.clock};
}

}  // namespace

void addRequestFiles(const Command& command, RequestArguments& arguments) {
    addText(
        command, "--read-requests", arguments.read,
        "Run the memory requests of this file (workload.sublayer=access): lines of DRAMsim3, Ramulator 2 or Ramulator",
        "FILE");
    addText(command, "--write-requests", arguments.write,
            "Write the memory requests of the run, which needs an address.mapping", "FILE");
    command
        .option("--requests-as", arguments.form,
                "Form of the written requests: " + data::joinedNames(formNames(), ", "))
        .type("FORM");
    addText(command, "--requests-size", arguments.size, "Bytes of a written request, into which granules are cut",
            "SIZE");
}

void readRequests(const RequestArguments& arguments, data::ExperimentDraft& draft, engine::RunOptions& options) {
    if (arguments.read.empty())
        return;
    const engine::Experiment experiment = data::expandValues(draft).experiment;
    if (experiment.workload.sublayer != engine::SubLayer::access)
        refuse("--read-requests", arguments.read,
               "only an access pattern runs requests of a file; allowed: with workload.sublayer=access");
    data::RequestReading reading = data::readRequestFile(arguments.read, experiment.detail.granule);
    if (!reading.problems.empty())
        throw engine::InvalidExperiment(std::move(reading.problems));
    draft = data::withRequests(std::move(draft), reading.digest);
    options.accesses = std::make_shared<const engine::AccessRequests>(
        engine::AccessRequests{reading.digest, std::move(reading.requests)});
}

void prepareWriting(const RequestArguments& arguments, const engine::Experiment& experiment,
                    engine::RunOptions& options) {
    if (arguments.write.empty())
        return;
    if (!engine::hasAddressMapping(experiment))
        refuse("--write-requests", arguments.write,
               "with address.mapping=spread data have no address bits; allowed: with address.mapping=usual, or its "
               "letters");
    if (engine::isIdeal(experiment.policy.preset))
        refuse("--write-requests", arguments.write, "a formula makes no requests; choose a policy that is simulated");
    formOf(arguments);
    sizeOf(arguments, experiment);
    options.recordTrace = options.recordGranules = true;
}

void writeRequests(const RequestArguments& arguments, const data::LaboratoryRun& run) {
    if (arguments.write.empty())
        return;
    const data::RequestCut cut = cutOf(arguments, run.experiment);
    const std::int64_t count = data::countRequests(*run.result.trace, 0, cut);
    if (count > static_cast<std::int64_t>(data::kMostRequests))
        refuse("--requests-size", arguments.size,
               "would make " + std::to_string(count) + " requests, allowed are " + std::to_string(data::kMostRequests) +
                   "; choose a larger size, up to detail.granule, or a smaller "
                   "experiment");
    data::writeRequestFile(data::requestsOf(*run.result.trace, 0, cut), formOf(arguments), arguments.write);
}

}  // namespace cli
