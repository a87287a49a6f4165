// Drives `ringside-cli model` as a script would.
// Usage: tests_app tst_model_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tests::model_command {

using Json = nlohmann::json;

constexpr std::array kParts{"gemm_feeding",   "gemm_other", "attention", "element_wise",
                            "reduce_scatter", "all_gather", "all_to_all"};

std::int64_t sumOfParts(const Json& time) {
    std::int64_t sum = 0;
    for (const char* part : kParts)
        sum += time.at(part).get<std::int64_t>();
    return sum;
}

void thePartsAndTheOperatorsSumToTheTotalUnderEachPolicy() {
    for (const std::string phase : {"training", "prompt", "generation"}) {
        const Json run =
            json("model t-nlg --phase " + phase + " --tp 8 --threads 2 --policies sequential,t3,t3-mca,ideal-overlap");
        const Outcome outcome{0, run.dump(), ""};
        expect(run.value("model", "") == "t-nlg" && run.value("phase", "") == phase && run.value("tp", 0) == 8 &&
                   run.value("machine", "") == "t3-table-1" && run.value("detail", "") == "interactive",
               "it says what was run", outcome);
        expect(run.contains("policies") && run["policies"].size() == 4, "four policies", outcome);
        for (const Json& policy : run.value("policies", Json::array())) {
            const Json& time = policy.at("time_ps");
            const auto total = time.at("total").get<std::int64_t>();
            expect(sumOfParts(time) == total, phase + ": the parts sum to the total", outcome);
            std::int64_t sum = 0;
            for (const Json& op : run.at("operators"))
                sum += op.at("count").get<std::int64_t>() *
                       op.at("time_ps").at(policy.at("policy").get<std::string>()).get<std::int64_t>();
            expect(sum == total, phase + ": the operators sum to the total", outcome);
            const double share =
                static_cast<double>(policy.at("exposed_ps").get<std::int64_t>()) / static_cast<double>(total);
            expect(std::abs(share - policy.at("communication_share").get<double>()) < 1e-12, "the share", outcome);
        }
        for (const Json& op : run.value("operators", Json::array()))
            expect(!op.at("formula").get<std::string>().empty() && !op.at("source").get<std::string>().empty(),
                   "each operator has formula and source", outcome);
    }
}

// Returns picoseconds. The decimals of "374.395695249" go down to picoseconds.
std::int64_t picoseconds(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '.'), text.end());
    return std::stoll(text);
}

void theTablesPartsAddUpToItsTotal() {
    const Outcome outcome = run("model mega-gpt-2 --phase prompt --tp 16 --policies t3-mca");
    expect(outcome.code == 0 && outcome.err.empty(), "the table is printed", outcome);
    std::int64_t sum = 0, total = -1;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
        const auto value = line.substr(line.rfind(' ') + 1);
        if (line.rfind("sum of the parts", 0) == 0) {
            total = picoseconds(value);
            break;
        }
        if (value.size() > 10 && value.find('.') != std::string::npos &&
            value.find_first_not_of("0123456789.") == std::string::npos)
            sum += picoseconds(value);
    }
    expect(total > 0 && sum == total, "the numbers of the table add up", outcome);
    expect(contains(outcome.out, "24 query heads"), "heads that the degree cuts are a notice", outcome);
}

void csvHasALineAPolicy() {
    const Outcome outcome = run("model gpt-3 --phase generation --policies sequential,t3 --output csv");
    expect(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 3, "a heading and two lines", outcome);
    expect(contains(outcome.out, "gpt-3,generation,32,t3-table-1,t3,"), "the published degree is the default", outcome);
}

const std::string kClassed = "model t-nlg --tp 8 --policies sequential,t3 --set operators.attention=separate";

void theClassesSumToTheTotalUnderEachPolicy() {
    const Json run = json(kClassed);
    const Outcome outcome{0, run.dump(), ""};
    const Json& classes = run.at("classes");
    expect(classes.size() == 6 && classes[0].at("class") == "gemm" && classes[1].at("class") == "batched-gemm" &&
               classes[2].at("class") == "attention-element-wise" && classes[3].at("class") == "element-wise" &&
               classes[4].at("class") == "optimizer" && classes[5].at("class") == "collective",
           "six classes in their order", outcome);
    for (const Json& policy : run.at("policies")) {
        const auto name = policy.at("policy").get<std::string>();
        std::int64_t sum = 0;
        double share = 0;
        for (const Json& each : classes) {
            sum += each.at("time_ps").at(name).get<std::int64_t>();
            share += each.at("share").at(name).get<double>();
            std::int64_t ofOperators = 0, operators = 0;
            for (const Json& op : run.at("operators")) {
                if (op.at("class") != each.at("class"))
                    continue;
                ofOperators += op.at("count").get<std::int64_t>() * op.at("time_ps").at(name).get<std::int64_t>();
                ++operators;
            }
            expect(ofOperators == each.at("time_ps").at(name) && operators == each.at("operators") && operators > 0,
                   "a class has the times of its operators", outcome);
        }
        expect(sum == policy.at("time_ps").at("total") && std::abs(share - 1) < 1e-9, "the classes are the whole",
               outcome);
    }
    const double flops = classes[0].at("flops").get<double>() + classes[1].at("flops").get<double>();
    expect(std::abs(flops / run.at("flops").get<double>() - 1) < 1e-9, "GEMMs are the model's flops", outcome);
    expect(classes[5].at("flops") == 0 && classes[5].at("flops_per_byte") == 0, "a collective computes nothing",
           outcome);
}

void projectedTimesSaySo() {
    const std::string projected = "model gpt-3 --tp 32 --project-from mega-gpt-2/tp8";
    const Json run = json(projected);
    const Outcome outcome{0, run.dump(), ""};
    const Json& from = run.at("projected");
    expect(from.at("from") == "mega-gpt-2/tp8" && from.at("saved_events").get<std::int64_t>() > 100'000 &&
               run.at("policies").size() == 1 && run.at("policies")[0].at("policy") == "sequential",
           "JSON names the source and the events", outcome);
    const auto parts = run.at("policies")[0].at("time_ps");
    expect(sumOfParts(parts) == parts.at("total"), "the parts sum to the total", outcome);
    for (const Json& op : run.at("operators"))
        expect(!op.contains("gemm") || !op.at("gemm").contains("parts_of_k"), "no GEMM of it is split", outcome);
    expect(!json("model gpt-3 --policies sequential").contains("projected"), "simulated times do not", outcome);
    const Outcome table = tests::run(projected), csv = tests::run(projected + " --output csv");
    expect(contains(table.out, "detail; projected from mega-gpt-2/tp8: 5 sub-layers and ") &&
               contains(table.out, "\nnotice  project_from: the times are projected from those of mega-gpt-2/tp8") &&
               contains(table.out, " events\n"),
           "the table names the source and the events", table);
    expect(contains(csv.err, "note: the times are projected from mega-gpt-2/tp8"), "CSV has a note beside it", csv);
    const Json usual = json("model gpt-3 --tp 32 --project-from mega-gpt-2");
    expect(usual.at("policies") == run.at("policies"), "the published degree is the default", outcome);
}

void whatCannotBeProjectedIsRefused() {
    const std::string from = " --project-from mega-gpt-2/tp8";
    expectRefused("model gpt-3 --tp 32 --policies sequential,t3" + from, {"--policies: t3: a projection scales"});
    expectRefused("model gpt-3 --tp 1" + from,
                  {"--project-from: mega-gpt-2/tp8: its operators are not those of gpt-3/tp1"});
    expectRefused("model gpt-3 --tp 32 --set division.dp=2" + from, {"division.dp: 2: a projection is of one pass"});
    expectRefused("model all" + from, {"--project-from: mega-gpt-2/tp8: times are projected to one model"});
    expectRefused("model gpt-3 --project-from mega-gpt", {"--project-from: mega-gpt: ", "did you mean mega-gpt-2?"});
    expectRefused("model gpt-3 --project-from mega-gpt-2/tp7",
                  {"--project-from: mega-gpt-2/tp7: parallel.tp: 7: does not divide"});
    expectRefused("model gpt-3 --project-from mega-gpt-2/tp0", {"--project-from: 0: below the minimum"});
}

void showNamesTheTables() {
    const Outcome usual = run(kClassed), classes = run(kClassed + " --show classes"),
                  all = run(kClassed + " --show classes,operators --show parts");
    expect(contains(usual.out, "sum of the parts") && contains(usual.out, "forward/softmax") &&
               !contains(usual.out, "Attention element-wise"),
           "parts and operators unless it is given", usual);
    expect(contains(classes.out, "Attention element-wise") && contains(classes.out, "flops/byte") &&
               !contains(classes.out, "sum of the parts") && !contains(classes.out, "forward/softmax"),
           "classes alone", classes);
    expect(contains(all.out, "Attention element-wise") && contains(all.out, "sum of the parts") &&
               all.out.find("Attention element-wise") < all.out.find("forward/softmax") &&
               all.out.find("forward/softmax") < all.out.find("sum of the parts"),
           "the tables in the order asked", all);
    expectRefused("model t-nlg --show shares", {"--show", "classes"});
    expectRefused("model t-nlg --output csv --show classes,operators", {"--show: classes,operators: CSV has one "
                                                                        "table"});
    expectRefused("model all --show classes", {"--show: classes: tables exist for one model only"});
}

void csvHasTheTableThatIsAskedFor() {
    const Outcome classes = run(kClassed + " --output csv --show classes");
    expect(std::count(classes.out.begin(), classes.out.end(), '\n') == 1 + 2 * 6 &&
               contains(classes.out, "t-nlg,training,8,t3-table-1,t3,attention-element-wise,2,"),
           "a line a policy and class", classes);
    const Outcome operators = run(kClassed + " --output csv --show operators");
    expect(contains(operators.out, ",sequential,forward/softmax,attention-element-wise,forward,78,"),
           "a line a policy and operator", operators);
}

void theResultDoesNotDependOnThreads() {
    const auto timeless = [](const std::string& arguments) {
        Json run = json(arguments);
        run.erase("wall_ns");
        run.erase("threads");
        return run;
    };
    const Json one = timeless("model t-nlg --threads 1"), three = timeless("model t-nlg --threads 3");
    expect(one == three, "one thread and three give the same", Outcome{0, one.dump(), three.dump()});
}

void aDividedModelHasAStep() {
    const std::string command = "model gpt-3 --tp 8 --set division.pp=8 --set division.microbatches=64 "
                                "--policies sequential,t3-mca ";
    const Outcome table = run(command + "--show step");
    expect(table.code == 0 && contains(table.out, "8 stages, 1 replica, 64 micro-batches, schedule 1f1b:") &&
               contains(table.out, "sequential") && contains(table.out, "t3-mca") &&
               !contains(table.out, "backward/fc-2"),
           "a row for each policy", table);
    const Json document = json(command);
    for (const Json& policy : document.at("policies")) {
        const Json& step = policy.at("step");
        const Json& ps = step.at("ps");
        const std::int64_t sum = ps.at("compute").get<std::int64_t>() + ps.at("tensor").get<std::int64_t>() +
                                 ps.at("data").get<std::int64_t>() + ps.at("pipeline").get<std::int64_t>();
        expect(sum == ps.at("total").get<std::int64_t>(), "the parts sum to the total", {});
        expect(step.at("stages").size() == 8 && step.at("passes") == 1024, "8 stages with 128 passes each", {});
        // (p - 1)/(m + p - 1) where stages are equal; here the last stage has the head, and the others wait for it.
        const double bubble = step.at("bubble_share");
        expect(bubble > 7.0 / 71 && bubble < 0.13, "the bubble is that of 1F1B and of unequal stages", {});
    }
    const Outcome csv = run(command + "--output csv");
    expect(csv.code == 0 && csv.out.starts_with("model,phase,tp,machine,policy,total_ps,compute_ps,"), "CSV", csv);
}

void aStepIsWrittenAsATrace() {
    const std::string file = at("step-trace.json");
    const std::string command = "model t-nlg --set division.pp=2 --set division.microbatches=4 --trace '" + file + "' ";
    const Outcome written = run(command + "--policies t3-mca --show step");
    const Json trace = parsed(textOf(file));
    std::size_t passes = 0;
    for (const Json& event : trace.at("traceEvents"))
        passes += event.value("name", "").starts_with("F ") ? 1 : 0;
    expect(written.code == 0 && passes == 8, "two stages with four forward passes each", written);
    expectRefused(command, {"--trace", "allowed: one for --policies"});
}

void mistakesAreReportedWithTheAllowedValues() {
    expectRefused("model t-nlgg", {"t-nlgg", "t-nlg", "mt-nlg", "or all"});
    expectRefused("model t-nlg --tp 5",
                  {"parallel.tp: 5", "K of op (4256)", "K of ip (12768)", "allowed: 1, 2, 4, 7, 8"});
    expectRefused("model t-nlg --tp 900", {"--tp: 900"});
    expectRefused("model t-nlg --set division.pp=79", {"division.pp: 79: more stages than layers; allowed: 1 to 78"});
    expectRefused("model t-nlg --set division.pp=0", {"division.pp: 0: below the minimum; allowed: 1 to "});
    expectRefused("model t-nlg --policies t3,ideal", {"--policies: ideal", "did you mean ideal-overlap"});
    expectRefused("model t-nlg --set policy=t3 --set workload.sublayer=op",
                  {"policy.preset: t3", "--policies", "workload.sublayer: op"});
    expectRefused("model t-nlg --phase dreaming", {"dreaming"});
    expectRefused("model t-nlg --set link.bandwidth=fast --set workload.hidden=3",
                  {"link.bandwidth", "workload.hidden"});
    expectRefused("model mega-gpt-2 --phase generation --tp 32 --set workload.hidden=2048", {"only 16 tiles"});
}

// A model with grouped queries and a gate: Q + 2 KV = 2048 + 2 x 512 columns, 2F = 2 x 5632, over 4 GPUs.
void theFileOfAModelRuns() {
    std::ofstream(at("own.json")) << R"({"format": "ringside-preset", "version": 1, "kind": "model", "name": "own",
        "workload": {"hidden": 2048, "sequence": 1024, "batch": 2, "layers": 22, "heads": 32, "kv_heads": 8,
                     "feed_forward": 5632, "mlp": "gated", "vocabulary": 32000}})";
    const Json run = json("model " + at("own.json") + " --tp 4 --phase prompt --policies t3");
    const Outcome outcome{0, run.dump(), ""};
    expect(run.value("model", "") == "own" && run.value("layers", 0) == 22, "it has its name and layers", outcome);
    for (const Json& op : run.value("operators", Json::array())) {
        if (op.at("id") == "forward/ip")
            expect(op.at("gemm").at("n") == 768, "the input projection is narrow", outcome);
        if (op.at("id") == "forward/fc-1")
            expect(op.at("gemm").at("n") == 2816, "the first feed-forward is twice as wide", outcome);
    }
    std::ofstream(at("broken.json"))
        << R"({"format": "ringside-preset", "version": 1, "kind": "model", "name": "broken",
        "workload": {"hidden": 2048}})";
    expectRefused("model " + at("broken.json"), {"workload.sequence"});
}

void settingsReachTheModel() {
    const Json plain = json("model t-nlg --policies t3-mca"),
               slow = json("model t-nlg --policies t3-mca --set link.bandwidth=75GB/s");
    const auto total = [](const Json& run) { return run["policies"][0]["time_ps"]["total"].get<std::int64_t>(); };
    expect(total(slow) > total(plain), "a slower link takes longer", Outcome{0, slow.dump(), plain.dump()});
    const Json fine = json("model t-nlg --policies sequential --phase generation --set detail.level=standard");
    expect(fine.value("detail", "") == "standard", "detail can be set", Outcome{0, fine.dump(), ""});
}

void allModelsAreThoseOfEachByItself() {
    const Json all = json("model all --phase prompt --threads 2 --policies t3,t3-mca");
    const Outcome outcome{0, all.dump(), ""};
    expect(all.value("phase", "") == "prompt" && all.value("machine", "") == "t3-table-1" &&
               all.value("detail", "") == "interactive" && all.value("engine_version", "") != "",
           "it says what was run", outcome);
    const Json models = all.value("models", Json::array());
    std::string cases;
    for (const Json& model : models)
        cases += model.at("model").get<std::string>() + "/" + std::to_string(model.at("tp").get<int>()) + " ";
    expect(cases == "mega-gpt-2/8 mega-gpt-2/16 t-nlg/8 t-nlg/16 gpt-3/32 palm/32 mt-nlg/32 ",
           "each model at each published degree", outcome);
    double product = 1, most = 0;
    for (const Json& model : models) {
        expect(!model.contains("operators"), "operators are left out", outcome);
        const double speedup = model.at("policies").at(1).at("speedup_over_sequential").get<double>();
        product *= speedup;
        most = std::max(most, speedup);
    }
    const double geomean = std::pow(product, 1.0 / static_cast<double>(models.size()));
    expect(std::abs(all.at("speedup_geomean").at("t3-mca").get<double>() - geomean) < 1e-9, "the geomean", outcome);
    expect(all.at("speedup_max").at("t3-mca").get<double>() == most, "the maximum", outcome);
    const Json one = json("model t-nlg --tp 16 --phase prompt --policies t3,t3-mca");
    expect(models.size() == 7 && models[3].at("policies") == one.at("policies"), "as by itself", outcome);
    expect(models.size() == 7 && models[3].at("simulated") == one.at("simulated"), "as many needed", outcome);
}

// The width of T-NLG, 4256, is not a multiple of 12, and 37 divides the width of no model.
void aModelThatTheDegreeDoesNotDivideIsLeftOut() {
    const std::string short12 = "model all --phase generation --policies t3 --tp 12";
    const Outcome table = run(short12);
    expect(table.code == 0 && table.err.empty() && contains(table.out, "\ngpt-3 ") &&
               !contains(table.out, "\nt-nlg ") && contains(table.out, "t-nlg/tp12 left out: 12: does not divide"),
           "the others run, and it is said which did not", table);
    expect(contains(table.out, "\ngeomean ") && contains(table.out, "\nmaximum "), "the last rows", table);
    const Outcome csv = run(short12 + " --output csv");
    expect(std::count(csv.out.begin(), csv.out.end(), '\n') == 4, "a heading and a line a model that ran", csv);
    const Json full = json(short12 + " --full");
    expect(full.at("models").size() == 3 && full.at("models")[0].contains("operators") && !full.at("notices").empty(),
           "--full has the operators", Outcome{0, full.dump(), ""});
    expectRefused("model all --tp 37", {"parallel.tp: 37: for mega-gpt-2/tp37: ", "for mt-nlg/tp37: "});
    expectRefused("model all --tp 900 --policies t3,ideal", {"--tp: 900", "--policies: ideal"});
    expectRefused("model all --set workload.model=gpt-3", {"workload.model: gpt-3", "leave it out"});
}

const bool kAdded = tests::addProgramTest("tst_model_command", [](int argc, char** argv) {
    return runTests(
        argc, argv,
        {
            {"the parts and the operators sum to the total", thePartsAndTheOperatorsSumToTheTotalUnderEachPolicy},
            {"the table's parts add up", theTablesPartsAddUpToItsTotal},
            {"CSV has a line a policy", csvHasALineAPolicy},
            {"the classes sum to the total", theClassesSumToTheTotalUnderEachPolicy},
            {"projected times say so", projectedTimesSaySo},
            {"what cannot be projected is refused", whatCannotBeProjectedIsRefused},
            {"--show names the tables", showNamesTheTables},
            {"CSV has the table that is asked for", csvHasTheTableThatIsAskedFor},
            {"threads change nothing", theResultDoesNotDependOnThreads},
            {"a divided model has a step", aDividedModelHasAStep},
            {"a step is written as a trace", aStepIsWrittenAsATrace},
            {"mistakes are reported with the allowed values", mistakesAreReportedWithTheAllowedValues},
            {"the file of a model runs", theFileOfAModelRuns},
            {"settings reach the model", settingsReachTheModel},
            {"all models are those of each by itself", allModelsAreThoseOfEachByItself},
            {"a model that the degree does not divide is left out", aModelThatTheDegreeDoesNotDivideIsLeftOut},
        });
});

}  // namespace tests::model_command
