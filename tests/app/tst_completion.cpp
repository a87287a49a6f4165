// Asks shells to complete words of ringside-cli with the scripts that it prints.
// Usage: tests_app tst_completion RINGSIDE_CLI FOLDER.

#include "tests/app/completion_test.h"

namespace tests::completion {

void reply(const Words& words, const std::set<std::string>& wanted) {
    Words line{"ringside-cli"};
    line.insert(line.end(), words.begin(), words.end());
    expectReplies("_ringside_cli", line, wanted);
}

/// Returns the commands that a help text lists, if any.
Words commandsOf(const std::string& help) {
    static const std::regex command("\n  ([a-z-]+) {2,}");
    Words commands;
    const std::string listed = partOf(help, "Subcommands:", "\n\n");
    for (std::sregex_iterator found(listed.begin(), listed.end(), command), end; found != end; ++found)
        commands.push_back((*found)[1]);
    return commands;
}

void compareWithHelp(const std::string& command) {
    const std::string help = run(command + " --help").out, path = "ringside-cli" + command;
    expect(longOptions(help).contains("--help"), "the options of" + command + " were found", {0, help, ""});
    expectOptions(path, longOptions(help));
    for (const std::string& below : commandsOf(help)) {
        expect(contains(textOf(at("script.zsh")), "\n            " + inSingleQuotes(below) + ") ") ||
                   contains(textOf(at("script.zsh")), " " + inSingleQuotes(below) + ") "),
               "zsh knows" + command + " " + below, {});
        expect(contains(textOf(at("script.fish")), "\\'" + path + "\\' 0' -a '" + below + "' -d "),
               "fish knows" + command + " " + below, {});
        compareWithHelp(command + " " + below);
    }
}

void everyCommandAndOptionOfTheHelpIsCompleted() {
    const Words commands = commandsOf(run("--help").out);
    expect(commands.size() > 15, "the commands were found", {});
    reply({""}, {commands.begin(), commands.end()});
    compareWithHelp("");
}

void bashCompletesAPartOfAWord() {
    reply({"repro"}, {"reproduce"});
    reply({"lesson", ""}, {"check"});
    reply({"footprint", "--sh"}, {"--sharding"});
    reply({"run", "t-nlg/fc-2/"}, {"t-nlg/fc-2/tp8", "t-nlg/fc-2/tp16"});
    reply({"run", "t-nlg/fc-2/tp8", "t-nlg/fc-2/"}, {});
    reply({"run", "gemm/"}, {"gemm/4096x4096x4096"});
    reply({"run", "--set", "link.bandwidth=1GB/s", "t-nlg/fc-2/tp1"}, {"t-nlg/fc-2/tp16"});
    reply({"reproduce", "t3", "dram-reduction-m"}, {"dram-reduction-max"});
    reply({"unheard-of", "--o"}, {});
}

void bashCompletesValues() {
    reply({"run", "--output", ""}, {"csv", "json", "table"});
    reply({"parameters", "--output", "m"}, {"markdown"});
    reply({"model", "t-nlg", "--phase", "pro"}, {"prompt"});
    reply({"run", "--output", "=", "j"}, {"json"});
    reply({"compare", "--policies", "t3,seq"}, {"t3,sequential"});
    reply({"footprint", "--sharding", "none,w"}, {"none,weights"});
    reply({"best", "--metric", "time_ps.tot"}, {"time_ps.total"});
    reply({"run", "--threads", ""}, {});
    reply({"list", "pol"}, {"policies"});
    reply({"completion", ""}, {"bash", "fish", "zsh"});
}

void bashCompletesSettings() {
    reply({"run", "--set", "link.b"}, {"link.bandwidth="});
    reply({"run", "--set", "policy"},
          {"policy=", "policy.preset=", "policy.order=", "policy.mapping=", "policy.output_caching=", "policy.start=",
           "policy.pieces=", "policy.queues=", "policy.signal_latency="});
    // bash splits "policy=ideal" and "policy=" into these words.
    reply({"run", "--set", "policy", "=", "ideal"}, {"ideal-overlap", "ideal-overlap-nmc"});
    reply({"run", "--set", "collective.reduction", "="}, {"cu", "nmc"});
    reply({"run", "--set", "machine", "=", "t3-half"}, {"t3-half-link"});
    reply({"run", "--set", "link.bandwidth", "=", "7"}, {});
}

void filesAreOfferedWhereOneIsExpected() {
    std::ofstream(at("own document.json")) << "{}";
    const std::string begun = at("own doc");
    reply({"run", begun}, {at("own document.json")});
    reply({"lesson", "check", "a.json", begun}, {at("own document.json")});
    reply({"results", "--db", begun}, {at("own document.json")});
    reply({"list", begun}, {});
    reply({"run", "--set", begun}, {});
}

void ownPresetsAreCompleted() {
    std::ofstream(at("config.json")) << R"({"model_type": "llama", "hidden_size": 512, "intermediate_size": 1024,
        "num_hidden_layers": 2, "num_attention_heads": 8, "vocab_size": 1000, "max_position_embeddings": 512})";
    reply({"model", "kept-"}, {});
    expect(run("convert " + at("config.json") + " --name kept-model").code == 0, "a model is kept", {});
    scriptFor("bash");
    reply({"model", "kept-"}, {"kept-model"});
}

void zshReadsItsScript() {
    if (!hasShell("zsh"))
        return;
    const Outcome syntax = shellOutcome("zsh -f -n " + inSingleQuotes(at("script.zsh")));
    expect(syntax.code == 0 && syntax.out.empty(), "zsh -n", syntax);
    for (const auto& [line, wanted] : {std::pair{"ringside-cli repro", "reproduce"},
                                       {"ringside-cli lesson ch", "check"},
                                       {"ringside-cli run --set link.b", "link.bandwidth="},
                                       {"ringside-cli run --set policy.preset=seq", "policy.preset=sequential"}})
        expect(zshMakes(line, wanted), std::string("zsh completes ") + line, {0, textOf(at("shell.out")), ""});
}

void fishReadsItsScript() {
    if (!hasShell("fish"))
        return;
    const Outcome syntax = shellOutcome("fish --no-config -n " + inSingleQuotes(at("script.fish")));
    expect(syntax.code == 0 && syntax.out.empty(), "fish -n", syntax);
    const auto expectFish = [](const std::string& line, const std::set<std::string>& wanted) {
        expect(fishReplies(line) == wanted, "fish completes " + line, {0, textOf(at("shell.out")), ""});
    };
    expectFish("ringside-cli repro", {"reproduce"});
    expectFish("ringside-cli lesson ", {"check"});
    expectFish("ringside-cli run t-nlg/fc-2/", {"t-nlg/fc-2/tp8", "t-nlg/fc-2/tp16"});
    expectFish("ringside-cli run t-nlg/fc-2/tp8 t-nlg/fc-2/", {});
    expectFish("ringside-cli run --set link.bandwi", {"link.bandwidth="});
    expectFish("ringside-cli run --set policy=seq", {"policy=sequential"});
    expectFish("ringside-cli compare --policies t3,seq", {"t3,sequential"});
}

void anotherShellIsRefused() { expectRefused("completion tcsh", {"tcsh", "bash"}); }

const bool kAdded = tests::addProgramTest("tst_completion", [](int argc, char** argv) {
    const auto makesScripts = [] {
        for (const char* shell : {"bash", "zsh", "fish"})
            scriptFor(shell);
        expect(shellOutcome("bash -n " + inSingleQuotes(at("script.bash"))).out.empty(), "bash -n", {});
    };
    return runTests(argc, argv,
                    {{"the scripts are printed", makesScripts},
                     {"every command and option of the help is completed", everyCommandAndOptionOfTheHelpIsCompleted},
                     {"bash completes a part of a word", bashCompletesAPartOfAWord},
                     {"bash completes values", bashCompletesValues},
                     {"bash completes settings", bashCompletesSettings},
                     {"files are offered where one is expected", filesAreOfferedWhereOneIsExpected},
                     {"own presets are completed", ownPresetsAreCompleted},
                     {"zsh reads its script", zshReadsItsScript},
                     {"fish reads its script", fishReadsItsScript},
                     {"another shell is refused", anotherShellIsRefused}});
});

}  // namespace tests::completion
