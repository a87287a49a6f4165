// Drives `ringside-cli advise` as a script would.
// Usage: tests_app tst_advise_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not
// built.

#include "tests/app/program_test.h"

#include <csignal>

namespace tests::advise_command {

using Json = nlohmann::json;

/// A small model that keeps all rules; each case breaks a rule with `--set`.
const std::string kKept =
    "advise t-nlg --tp 2 --set workload.hidden=512 --set workload.heads=8 --set workload.layers=4 "
    "--set workload.batch=2 --set workload.sequence=128 --set workload.vocabulary=1024 ";

Json ruleOf(const Json& document, const std::string& name) {
    for (const Json& rule : document.value("rules", Json::array())) {
        if (rule.at("rule") == name)
            return rule;
    }
    return Json::object();
}

void aModelThatKeepsTheRulesHasNoAdvice() {
    const Outcome outcome = run(kKept);
    expect(outcome.code == 0 && contains(outcome.out, "0 of 9 rules broken") &&
               contains(outcome.out, "holds    h/a = 512/8 = 64 is divisible by 64\n") &&
               contains(outcome.out,
                        "unknown  The micro-batch is as large as the memory allows: node.memory is unlimited"),
           "what holds and what cannot be told", outcome);
    const Json document = json(kKept);
    const Outcome whole{0, document.dump(), ""};
    expect(document.at("rules").size() == 9 && document.at("simulated").at("steps") == 0, "nothing is simulated",
           whole);
    for (const Json& rule : document.at("rules"))
        expect(rule.at("holds") != false && !rule.contains("change"), rule.at("rule").get<std::string>(), whole);
    expect(ruleOf(document, "micro-batch-largest").at("holds").is_null(), "unknown is null", whole);
}

void aBrokenRuleIsReportedWithItsCost() {
    const std::string broken = kKept + "--set workload.vocabulary=1001 ";
    const Outcome outcome = run(broken);
    expect(outcome.code == 0 && outcome.out.rfind("vocabulary 1001 is odd: the head's GEMM takes ", 0) == 0 &&
               contains(outcome.out, "; 1024 would take ") && contains(outcome.out, " weights)\n    a step takes ") &&
               contains(outcome.out, "\n    --set workload.vocabulary=1024\n"),
           "the sentence, and exit code 0", outcome);
    const Json document = json(broken);
    const Outcome whole{0, document.dump(), ""};
    const Json rule = ruleOf(document, "vocabulary-multiple");
    expect(rule.at("holds") == false && rule.at("value") == 1001 && rule.at("operator") == "head-gemm", "the rule",
           whole);
    expect(rule.at("change") == Json::parse(R"([{"path": "workload.vocabulary", "value": 1024}])"), "the edits", whole);
    for (const char* key : {"time_ps", "changed_time_ps", "step_ps", "changed_step_ps"})
        expect(rule.at(key).is_number_integer() && rule.at(key) > 0, key, whole);
    expect(rule.at("weights_change") > 0, "more weights", whole);
    // The printed change satisfies the rule.
    const Json changed = json(broken + "--set workload.vocabulary=1024");
    expect(ruleOf(changed, "vocabulary-multiple").at("holds") == true, "the change satisfies the rule", whole);
}

void aStepIsThatOfTheCommandModel() {
    const std::string sizes =
        kKept.substr(std::string("advise t-nlg --tp 2 ").size()) + "--set workload.vocabulary=1001 ";
    const Json advice = json("advise t-nlg --tp 2 " + sizes);
    const Json model = json("model t-nlg --tp 2 --policies sequential " + sizes);
    const Outcome both{0, advice.dump() + model.dump(), ""};
    expect(ruleOf(advice, "vocabulary-multiple").at("step_ps") == model.at("policies").at(0).at("time_ps").at("total"),
           "the step", both);
}

void headsThatDoNotDivideAreTheFirstAnswer() {
    const Outcome outcome = run(kKept + "--set workload.heads=7 --set workload.vocabulary=1001");
    expect(
        outcome.code == 0 &&
            outcome.out.rfind(
                "7 heads do not divide the hidden size, 512; 8 heads would satisfy the rule\n    --set workload.heads=8\n"
                "vocabulary 1001 is odd; 1024 would satisfy the rule\n",
                0) == 0 &&
            contains(outcome.out, "0 GEMMs and 0 steps simulated"),
        "heads first, nothing is simulated", outcome);
}

void aFileIsAModelAndAnOptionAMachine() {
    std::ofstream(at("config.json")) << R"({"model_type": "llama", "hidden_size": 512, "intermediate_size": 1024,
        "num_hidden_layers": 2, "num_attention_heads": 8, "vocab_size": 1000, "max_position_embeddings": 128})";
    const Outcome converted = run("convert '" + at("config.json") + "' --output '" + at("own.json") + "'");
    expect(converted.code == 0, "the model is converted", converted);
    // A small memory, so that the largest micro-batch, which is simulated, is small.
    const Json document = json("advise '" + at("own.json") + "' --tp 1 --machine nvidia-h100 --set node.memory=1GB");
    const Outcome whole{0, document.dump(), ""};
    expect(document.at("machine") == "nvidia-h100" && document.at("tp") == 1, "the machine", whole);
    expect(ruleOf(document, "vocabulary-multiple").at("change").at(0).at("value") == 1024, "its vocabulary", whole);
    expect(ruleOf(document, "degree-smallest").at("holds") == true, "one GPU is enough", whole);
}

void theResultDoesNotDependOnTheThreads() {
    const std::string broken = kKept + "--set workload.vocabulary=1001 --set workload.sequence=100 ";
    expect(run(broken + "--threads 1").out == run(broken + "--threads 2").out, "one thread or two", run(broken));
}

void mistakesAreReportedWithTheParameter() {
    expectRefused("advise", {"MODEL"});
    expectRefused("advise gpt-4", {"gpt-4"});
    expectRefused("advise t-nlg --machine toaster", {"toaster"});
    expectRefused("advise t-nlg --tp 0", {"--tp: 0: below the minimum"});
    expectRefused("advise t-nlg --tp 5", {"parallel.tp: 5: does not divide"});
    expectRefused("advise t-nlg --set division.weights=7e9 --set workload.layers=0",
                  {"workload.layers: 0: below the minimum"});
    expectRefused("advise t-nlg --set division.weights=7e9", {"division.weights: 7000000000", "allowed: model"});
    expectRefused("advise t-nlg --set workload.sublayer=op", {"workload.sublayer", "leave it out"});
    expectRefused("advise t-nlg --output csv", {"--output"});
}

void controlCStopsIt() {
    const Outcome outcome = interrupted({"advise", "t-nlg", "--set", "detail.level=standard", "--set",
                                         "workload.batch=512", "--set", "workload.vocabulary=50257"},
                                        SIGINT);
    expect(outcome.code == 130 && contains(outcome.err, "interrupted") && outcome.out.empty(), "Ctrl+C", outcome);
}

void theExampleOfTheAdviseHelpRuns() {
    for (const std::string& example : examplesOf("advise")) {
        const Outcome outcome = run(example);
        expect(outcome.code == 0 && contains(outcome.out, "vocabulary 50257 is odd"), example, outcome);
    }
}

const bool kAdded = tests::addProgramTest("tst_advise_command", [](int argc, char** argv) {
    return runTests(argc, argv,
                    {
                        {"a model that keeps the rules has no advice", aModelThatKeepsTheRulesHasNoAdvice},
                        {"a broken rule is reported with its cost", aBrokenRuleIsReportedWithItsCost},
                        {"a step is that of the command model", aStepIsThatOfTheCommandModel},
                        {"heads that do not divide come first", headsThatDoNotDivideAreTheFirstAnswer},
                        {"a file is a model", aFileIsAModelAndAnOptionAMachine},
                        {"the result does not depend on the threads", theResultDoesNotDependOnTheThreads},
                        {"mistakes are reported with the parameter", mistakesAreReportedWithTheParameter},
                        {"Ctrl+C stops it", controlCStopsIt},
                        {"the example of the help runs", theExampleOfTheAdviseHelpRuns},
                    });
});

}  // namespace tests::advise_command
