// Tests `ringside-cli convert`, and other commands with the presets that it writes.
// Usage: tests_app tst_convert_command RINGSIDE_CLI FOLDER.

#include "tests/app/program_test.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace tests::convert_command {

using Json = nlohmann::json;

const std::string kLlama = std::string("'") + RINGSIDE_CONFIGS + "/llama-3-70b.json'";

/// Makes a home folder that only one test uses.
std::string homeNamed(const char* name) {
    return "XDG_DATA_HOME='" + std::filesystem::absolute(g_folder / name).string() + "'";
}

void write(const std::string& name, const std::string& text) { std::ofstream(at(name), std::ios::binary) << text; }

void aConfigurationIsPrintedAsAPreset() {
    const Outcome outcome = run("convert " + kLlama);
    const Json preset = parsed(outcome.out);
    expect(outcome.code == 0 && outcome.err.empty(), "converts and says nothing else", outcome);
    expect(preset["format"] == "ringside-preset" && preset["kind"] == "model" && preset["name"] == "llama",
           "a preset, which does not take a bundled one's name from its file", outcome);
    expect(preset["workload"]["hidden"] == 8192 && preset["workload"]["kv_heads"] == 8 &&
               preset["workload"]["feed_forward"] == 28672 && preset["workload"]["mlp"] == "gated" &&
               preset["workload"]["vocabulary"] == 128256,
           "the sizes of the model", outcome);
    expect(contains(preset["notes"], "Sequence 8192 assumed") && contains(preset["notes"], "70.6 billion"),
           "what was assumed", outcome);
    const Outcome piped = run("convert - --sequence 4096 --batch 2", "", kLlama);
    expect(parsed(piped.out)["workload"]["sequence"] == 4096 && parsed(piped.out)["workload"]["batch"] == 2 &&
               parsed(piped.out)["name"] == "llama",
           "standard input, and sizes as asked for", piped);
    expect(!std::filesystem::exists(g_folder / "nobody"), "nothing is kept that was not asked for", outcome);
}

void aKeptModelRunsByItsName() {
    const std::string home = homeNamed("kept");
    const Outcome kept = run("convert " + kLlama + " --name my-llama", home);
    expect(kept.code == 0 && contains(kept.err, "presets/models/my-llama.json") &&
               contains(kept.err, "ringside-cli run my-llama/fc-2/tp8\n"),
           "says where it is and how it runs", kept);
    expect(contains(run("list models", home).out, "my-llama"), "listed", kept);
    for (const auto& [sublayer, k] : {std::pair{"op", 1024}, {"fc-2", 3584}, {"fc-1", 7168}, {"ip", 1280}}) {
        const Outcome ran =
            run(std::string("run my-llama/") + sublayer + "/tp8 --set detail.level=interactive --output json", home);
        const Json result = parsed(ran.out);
        expect(ran.code == 0 && result["shape"]["k"] == k && result["shape"]["n"] == 8192, sublayer, ran);
        expect(ran.code == 0 && result["invariants"]["failed"].empty(), "all hold", ran);
    }
    const Outcome compared = run("compare my-llama/op/tp8 --set detail.level=interactive --policies t3,t3-mca", home);
    expect(compared.code == 0 && contains(compared.out, "my-llama/op/tp8"), "compare knows it too", compared);
    const Outcome elsewhere = run("run my-llama/op/tp8");
    expect(elsewhere.code == 2 && contains(elsewhere.err, "no model is called \"my-llama\""), "nobody else's",
           elsewhere);
}

void aWholeModelIsTimedByNameAndFromItsFile() {
    const std::string home = homeNamed("whole");
    expect(run("convert " + kLlama + " --name llama --output '" + at("whole.json") + "'", home).code == 0, "kept", {});
    const std::string how = " --phase prompt --tp 8 --policies sequential --set workload.sequence=2048 --output json";
    const Outcome named = run("model llama" + how, home), file = run("model '" + at("whole.json") + "'" + how);
    expect(named.code == 0 && parsed(named.out).size() > 1, "by name", named);
    expect(file.code == 0 && parsed(file.out).size() == parsed(named.out).size(), "from the file", file);
    expectRefused("model lama --tp 8", {"MODEL: lama: neither a model nor a file", "dlrm, or the file of a model"});
}

void aSweepMayNameIt() {
    const std::string home = homeNamed("swept");
    expect(run("convert " + kLlama + " --name llama", home).code == 0, "kept", {});
    write("sweep.json", R"({"format": "ringside-sweep", "version": 1,
        "base": {"workload": {"model": "llama", "sublayer": "op"}, "parallel": {"tp": 8}, "detail": {"level": "interactive"}},
        "axes": [{"path": "link.bandwidth", "values": ["150 GB/s"]}], "policies": ["sequential"],
        "metrics": ["time_ps.total"]})");
    const Outcome swept = run("sweep '" + at("sweep.json") + "' --db '" + at("sweep.sqlite") + "'", home);
    expect(swept.code == 0, "runs", swept);
}

void aPresetsFileRunsAsItIs() {
    expect(run("convert " + kLlama + " --output '" + at("mine.json") + "'").out.empty(), "the file has it all", {});
    const std::string where =
        " --set workload.sublayer=op --set parallel.tp=8 --set detail.level=interactive --output json";
    const Outcome ran = run("run '" + at("mine.json") + "'" + where);
    const Json result = parsed(ran.out);
    expect(ran.code == 0 && result["experiment"]["workload"]["model"] == "llama" && result["shape"]["k"] == 1024,
           "the default experiment with this model", ran);
    const Outcome piped = run("run -" + where, "", "'" + at("mine.json") + "'");
    expect(parsed(piped.out)["experiment_hash"] == result["experiment_hash"], "the same from standard input", piped);
    write("again.json", result["experiment"].dump());
    expect(parsed(run("run '" + at("again.json") + "' --output json").out)["experiment_hash"] ==
               result["experiment_hash"],
           "what it printed runs again, without the preset", ran);
    write("gpt-3.json", R"({"format": "ringside-preset", "version": 1, "kind": "model",
        "workload": {"hidden": 4096, "sequence": 2048, "batch": 1}})");
    expectRefused("run '" + at("gpt-3.json") + "'", {"gpt-3: a bundled preset has this name"});
}

void aKeptPresetIsReplacedOnlyOnRequest() {
    const std::string home = homeNamed("replaced");
    expect(run("convert " + kLlama + " --name mine", home).code == 0, "kept", {});
    expect(run("convert " + kLlama + " --name mine", home).code == 0, "the same again is nothing new", {});
    const Outcome refused = run("convert " + kLlama + " --name mine --batch 4", home);
    expect(refused.code == 2 && refused.out.empty() && contains(refused.err, "--name: mine: a model with other values"),
           "other values", refused);
    expect(run("convert " + kLlama + " --name mine --batch 4 --replace", home).code == 0, "asked for", {});
    expect(contains(run("list models", home).out, " 4 "), "replaced", {});
}

void aPrintedCommandIsSafeInAShell() {
    const std::string home = homeNamed("quoted");
    const std::string name = "a'$(touch x)'b";
    const Outcome kept = run("convert " + kLlama + R"( --name "a'\$(touch x)'b")", home);
    const std::string begin = "run it by its name: ringside-cli ";
    const std::size_t place = kept.err.find(begin);
    expect(kept.code == 0 && place != std::string::npos, "prints a command", kept);
    const std::string command = kept.err.substr(std::min(kept.err.size(), place + begin.size()));
    const Outcome ran = run(command.substr(0, command.find('\n')) + " --set detail.level=interactive", home);
    expect(ran.code == 0 && contains(ran.out, name + "/fc-2/tp8"), "the shell reads the name as it is", ran);
    expect(!std::filesystem::exists("x"), "and runs nothing in it", ran);
}

void everyProblemIsListedAndNothingIsWritten() {
    write("bad.json", R"({"architectures": ["LlamaForCausalLM"], "hidden_size": "wide", "num_attention_heads": 0,
        "vocab_size": 32000})");
    const std::string file = "'" + at("bad.json") + "'";
    expectRefused("convert " + file + " --sequence 0 --batch many --name t-nlg --output '" + at("none.json") + "'",
                  {"--sequence: 0: below the minimum; allowed: 1 to 1048576", "--batch: many: not a",
                   "hidden_size: \"wide\": wrong type, a whole number is expected; allowed: 64 to 262144",
                   "num_attention_heads: 0: out of range; allowed: 1 to 4096",
                   "num_hidden_layers: missing; every LlamaForCausalLM must have it", "intermediate_size: missing",
                   "--name: t-nlg: a bundled preset has this name"});
    expect(!std::filesystem::exists(at("none.json")), "nothing was written", {});
    write("t5.json", R"({"architectures": ["T5ForConditionalGeneration"]})");
    expectRefused("convert '" + at("t5.json") + "'",
                  {"architectures: T5ForConditionalGeneration: this architecture is not known; allowed: one of "
                   "LlamaForCausalLM, ",
                   "needs: hidden_size"});
    expectRefused("convert '" + at("not-there.json") + "'", {"not-there.json", "cannot be opened"});
    expectRefused("convert '" + g_folder.string() + "'", {"a folder, but a file is expected"});
    expectRefused("convert -", {"standard input: not valid JSON"});
    expectRefused("convert", {"CONFIG"});
}

void aLongContextIsTakenAsFarAsItIsNeeded() {
    std::string text = textOf(std::string(RINGSIDE_CONFIGS) + "/llama-3-70b.json");
    const std::string key = "\"max_position_embeddings\": ";
    const std::size_t at = text.find(key) + key.size(), end = text.find_first_not_of("0123456789", at);
    const auto with = [&](const std::string& positions) {
        write("long.json", text.substr(0, at) + positions + text.substr(end));
        return run("convert '" + tests::at("long.json") + "'");
    };
    for (const char* positions : {"1048576", "1048577", "4194304", "10485760", "99999999999999999999"}) {
        const Outcome outcome = with(positions);
        const Json preset = parsed(outcome.out);
        expect(outcome.code == 0 && preset["workload"]["sequence"] == 8192, positions, outcome);
    }
    expect(contains(with("4194304").out, "of the 4194304 that max_position_embeddings allows"), "says so", {});
    expect(parsed(with("1").out)["workload"]["sequence"] == 1, "a short one as a whole", {});
    for (const char* positions : {"0", "-1", "-99999999999999999999"}) {
        const Outcome outcome = with(positions);
        expect(outcome.code == 2 && contains(outcome.err, std::string("max_position_embeddings: ") + positions +
                                                              ": out of range; allowed: 1 or more"),
               positions, outcome);
    }
    expect(contains(with("\"many\"").err, "max_position_embeddings: \"many\": wrong type"), "a word is none", {});
}

void aNameThatCouldNotBeRunIsRefused() {
    const std::string home = homeNamed("refused");
    for (const auto& [name, why] :
         {std::pair{"collective", "--name: collective: means a collective without a model, as in "
                                  "collective/all-reduce/tp8; choose another name"},
          {"all", "--name: all: means all bundled models, as in `ringside-cli model all`; choose another name"},
          {"-x", "--name: -x: begins with -, so that the command line takes it for an option; allowed: any other "
                 "first character"}}) {
        const Outcome outcome = run("convert " + kLlama + " --name=" + name, home);
        expect(outcome.code == 2 && outcome.out.empty() && contains(outcome.err, why), name, outcome);
    }
    expect(!std::filesystem::exists(g_folder / "refused"), "nothing is kept", {});
    write("all.json", R"({"format": "ringside-preset", "version": 1, "kind": "model",
        "workload": {"hidden": 4096, "sequence": 2048, "batch": 1}})");
    expectRefused("run '" + at("all.json") + "'", {"all: means all bundled models"});
    // What looks like those words, or like a command, is a name as any other.
    for (const std::string name : {"collectives", "All", "x-", "run", "help", "a, b", "=x"}) {
        expect(run("convert " + kLlama + " '--name=" + name + "'", home).code == 0, name + " is kept", {});
        const Outcome ran = run("run '" + name + "/op/tp8' --set detail.level=interactive --output json", home);
        expect(ran.code == 0 && parsed(ran.out)["experiment"]["workload"]["model"] == name, name + " runs", ran);
        const Outcome model = run("model '" + name + "' --phase generation --tp 8 --policies sequential", home);
        expect(model.code == 0, name + " runs as a whole model", model);
    }
}

void aFileThatCannotBeWrittenMeansThree() {
    const Outcome outcome = run("convert " + kLlama + " --output '" + at("no/such/folder.json") + "'");
    expect(outcome.code == 3 && contains(outcome.err, "cannot be written"), "exit code 3", outcome);
}

void helpNamesTheFormatsThatAreRead() {
    const Outcome outcome = run("convert --help");
    expect(outcome.code == 0 && contains(outcome.out, "Example:\n  ringside-cli convert") &&
               contains(outcome.out, "Falcon"),
           "help", outcome);
}

const NamedTests kTests{
    {"a configuration is printed as a preset", aConfigurationIsPrintedAsAPreset},
    {"a kept model runs by its name", aKeptModelRunsByItsName},
    {"a whole model is timed by name and from its file", aWholeModelIsTimedByNameAndFromItsFile},
    {"a sweep may name it", aSweepMayNameIt},
    {"a preset's file runs as it is", aPresetsFileRunsAsItIs},
    {"a kept preset is replaced only on request", aKeptPresetIsReplacedOnlyOnRequest},
    {"a printed command is safe in a shell", aPrintedCommandIsSafeInAShell},
    {"every problem is listed and nothing is written", everyProblemIsListedAndNothingIsWritten},
    {"a long context is taken as far as it is needed", aLongContextIsTakenAsFarAsItIsNeeded},
    {"a name that could not be run is refused", aNameThatCouldNotBeRunIsRefused},
    {"a file that cannot be written means exit code 3", aFileThatCannotBeWrittenMeansThree},
    {"help names the formats that are read", helpNamesTheFormatsThatAreRead},
};

const bool kAdded = tests::addProgramTest("tst_convert_command",
                                          [](int argc, char** argv) { return tests::runTests(argc, argv, kTests); });

}  // namespace tests::convert_command
