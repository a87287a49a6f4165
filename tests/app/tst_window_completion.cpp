// Asks shells to complete words of ringside with the scripts that it prints.
// Usage: tests_app tst_window_completion RINGSIDE FOLDER.

#include "tests/app/completion_test.h"

namespace tests::window_completion {

void reply(const Words& words, const std::set<std::string>& wanted) {
    Words line{"ringside"};
    line.insert(line.end(), words.begin(), words.end());
    expectReplies("_ringside", line, wanted);
}

void everyOptionOfTheHelpIsCompleted() {
    for (const std::string command : {"", " figure"}) {
        const std::set<std::string> options = longOptions(run(command + " --help").out);
        expect(options.size() > 8, "the options of" + command + " were found", {});
        expectOptions("ringside" + command, options);
    }
}

void bashCompletesAPartOfAWord() {
    reply({"fig"}, {"figure"});
    reply({"t-nlg/fc-2/"}, {"t-nlg/fc-2/tp8", "t-nlg/fc-2/tp16"});
    reply({"--theme", "dark", "t-nlg/fc-2/tp1"}, {"t-nlg/fc-2/tp16"});
    reply({"t-nlg/fc-2/tp8", "--theme", ""}, {"dark", "light"});
    reply({"--phase", ""}, {"training", "prompt", "generation"});
    reply({"--lesson", "ring"}, {"ring-reduce-scatter"});
    reply({"figure", "sublayer-s"}, {"sublayer-speedup"});
    reply({"figure", "--theme", ""}, {"paper", "grey-print", "dark-slide"});
    reply({"figure", "--format", "pdf,b"}, {"pdf,bundle"});
    reply({"figure", "--set", "link.b"}, {"link.bandwidth="});
    reply({"completion", ""}, {"bash", "fish", "zsh"});
}

void otherShellsReadTheirScripts() {
    if (hasShell("zsh")) {
        const Outcome syntax = shellOutcome("zsh -f -n " + inSingleQuotes(at("script.zsh")));
        expect(syntax.code == 0 && syntax.out.empty(), "zsh -n", syntax);
        expect(zshMakes("ringside figure --theme grey", "grey-print"), "zsh completes a theme of figures", {});
        expect(zshMakes("ringside t-nlg/op/tp8 --theme da", "dark"), "zsh completes a theme of the window", {});
    }
    if (hasShell("fish")) {
        const Outcome syntax = shellOutcome("fish --no-config -n " + inSingleQuotes(at("script.fish")));
        expect(syntax.code == 0 && syntax.out.empty(), "fish -n", syntax);
        expect(fishReplies("ringside figure --theme g") == std::set<std::string>{"grey-print"},
               "fish completes a theme", {});
    }
}

void anotherShellIsRefused() {
    for (const std::string words : {"completion tcsh", "completion bash zsh", "completion"})
        expectRefused(words, {"completion: ", "allowed: one of bash, zsh, fish"});
}

const bool kAdded = tests::addProgramTest("tst_window_completion", [](int argc, char** argv) {
    const auto makesScripts = [] {
        for (const char* shell : {"bash", "zsh", "fish"})
            scriptFor(shell);
    };
    return runTests(argc, argv,
                    {{"the scripts are printed", makesScripts},
                     {"every option of the help is completed", everyOptionOfTheHelpIsCompleted},
                     {"bash completes a part of a word", bashCompletesAPartOfAWord},
                     {"other shells read their scripts", otherShellsReadTheirScripts},
                     {"another shell is refused", anotherShellIsRefused}});
});

}  // namespace tests::window_completion
