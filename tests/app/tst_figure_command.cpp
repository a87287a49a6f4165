// Runs `ringside figure`, a command of the window's program, without a display, as a script would.

#include "tests/app/program_test.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace tests::figure_command {

namespace fs = std::filesystem;

constexpr const char* kNoDisplay = "env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM";
constexpr const char* kQuick = " --set detail.level=interactive ";

Outcome figure(const std::string& arguments, const std::string& environment = kNoDisplay) {
    return run("figure " + arguments, environment);
}

/// Returns the output of a tool of poppler-utils, or an empty text if the tool is not installed.
std::string tool(const std::string& command) {
    const int status = std::system((command + " >'" + at("tool") + "' 2>/dev/null").c_str());
    return status == 0 ? textOf(at("tool")) : std::string();
}

bool hasPoppler() { return std::system("command -v pdfinfo pdffonts pdfimages pdfdetach >/dev/null 2>&1") == 0; }

void expectPage(const std::string& path, const std::string& width, const Outcome& outcome) {
    if (hasPoppler())
        expect(contains(tool("pdfinfo '" + path + "'"), "Page size:       " + width + " x"),
               path + " is " + width + " pt wide", outcome);
}

std::size_t linesOf(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void everyFigureIsMadeWithoutADisplay() {
    // Small models and large K-steps make the figures quickly.
    const Outcome made =
        figure("--all" + std::string(kQuick) +
               "--set workload.hidden=1024 --set gemm.k_step=128 --set cu.local_memory=4MiB --no-date --out '" +
               at("all") + "'");
    expect(made.code == 0, "--all is made", made);
    const Outcome listed = figure("--list");
    expect(listed.code == 0 && linesOf(listed.out) == 31, "all figures are listed", listed);
    std::istringstream lines(listed.out);
    std::set<std::size_t> columns;
    for (std::string line; std::getline(lines, line);) {
        const std::string name = line.substr(0, line.find(' '));
        columns.insert(line.find_first_not_of(' ', name.size()));
        expect(line.substr(name.size(), 2) == "  ", "two blanks follow the name: " + line, listed);
        const std::string path = at("all") + "/" + name + ".pdf";
        expect(textOf(path).starts_with("%PDF-"), path + " is a PDF", made);
        expect(contains(made.out, path), path + " is named on standard output", made);
        const bool isWide = name == "pipeline-schedules" || name == "channel-heat";
        expectPage(path, isWide ? "504" : "240", made);  // the others fit into a column
    }
    expect(columns.size() == 1, "what they show begins in one column", listed);
    expect(!contains(made.err, "refuse"), "checkers accept all of them", made);
}

void figuresKeepTheRulesOfPublishers() {
    const std::string path = at("all") + "/sublayer-speedup.pdf";
    if (!hasPoppler())
        return;
    std::istringstream fonts(tool("pdffonts '" + path + "'"));
    std::string line;
    int rows = 0;
    for (int i = 0; std::getline(fonts, line); ++i) {
        if (i < 2)
            continue;
        ++rows;
        std::istringstream words(line);
        const std::vector<std::string> cells{std::istream_iterator<std::string>(words), {}};
        // The columns are counted from the end, since the type contains blanks: embedded, subset, Unicode map, two
        // numbers.
        expect(!contains(line, "Type 3") && cells.size() > 5 && cells[cells.size() - 5] == "yes", "embedded: " + line,
               {});
    }
    expect(rows > 0, "there are fonts", {});
    expect(linesOf(tool("pdfimages -list '" + path + "'")) == 2, "no image is inside", {});
    expect(contains(tool("pdfdetach -list '" + path + "'"), "spec.json"), "the figure is attached", {});
}

void aFigureIsMadeAgainFromItsFiles() {
    const std::string spec = at("rs.json"), pdf = at("rs.pdf"), again = at("again.json"), wide = at("wide.pdf");
    Outcome made = figure("reduce-scatter-time" + std::string(kQuick) + "--no-date --out '" + spec + "'");
    expect(made.code == 0 && made.out == spec + "\n", "a spec is written", made);
    const nlohmann::json document = parsed(textOf(spec));
    expect(document.value("format", "") == "ringside-figure", "it is the document of a figure", made);
    made = figure("'" + spec + "' --out '" + pdf + "'");
    expect(made.code == 0, "a PDF is made from the spec", made);
    made = figure("'" + pdf + "' --out '" + again + "'");
    expect(made.code == 0 && textOf(again) == textOf(spec), "the PDF carries the spec", made);
    made = figure("'" + pdf + "' --size ieee-column --theme grey-print --out '" + wide + "'");
    expectPage(wide, "251", made);
    made = figure("'" + wide + "' --out '" + again + "'");
    expect(parsed(textOf(again)).value("theme", "") == "grey-print", "size and theme are the new ones", made);
}

void theSameFigureGivesTheSameBytes() {
    for (const std::string suffix : {"svg", "pdf"}) {
        const auto make = [&](const std::string& name, const std::string& threads, const std::string& zone = "UTC0",
                              const std::string& more = {}) {
            return figure("reduce-scatter-time" + std::string(kQuick) + more + " --threads " + threads + " --out '" +
                              at(name) + "." + suffix + "'",
                          std::string(kNoDisplay) + " SOURCE_DATE_EPOCH=86400 TZ=" + zone);
        };
        const Outcome one = make("one", "1"), two = make("two", "2");
        expect(one.code == 0 && textOf(at("one." + suffix)) == textOf(at("two." + suffix)), suffix + " is the same",
               two);
        const Outcome east = make("east", "1", "EAST-05:30"), plain = make("plain", "1", "UTC0", "--no-date"),
                      west = make("west", "1", "WEST+03:30", "--no-date");
        expect(east.code == 0 && textOf(at("one." + suffix)) == textOf(at("east." + suffix)),
               suffix + " is the same in every time zone, with a date", east);
        expect(west.code == 0 && textOf(at("plain." + suffix)) == textOf(at("west." + suffix)),
               suffix + " is the same in every time zone, without a date", west);
        expect(textOf(at("one." + suffix)) != textOf(at("plain." + suffix)), suffix + " has a date or none", plain);
    }
    figure("reduce-scatter-time" + std::string(kQuick) + "--out '" + at("dated.json") + "'",
           std::string(kNoDisplay) + " SOURCE_DATE_EPOCH=86400");
    expect(parsed(textOf(at("dated.json")))["provenance"].value("made", "") == "1970-01-02",
           "the date is the one asked", {});
}

void aFolderAndAZipTakeTheWholeBundle() {
    const Outcome folder = figure("reduce-scatter-time" + std::string(kQuick) + "--out '" + at("bundle/") + "'");
    for (const char* name : {"reduce-scatter-time.pdf", "reduce-scatter-time.svg", "reduce-scatter-time.png",
                             "reduce-scatter-time-tikz.tex", "reduce-scatter-time.py", "reduce-scatter-time-1.csv",
                             "spec.json", "caption.txt", "alt.txt"})
        expect(fs::exists(fs::path(at("bundle")) / name), std::string("the bundle has ") + name, folder);
    const Outcome zip = figure("reduce-scatter-time" + std::string(kQuick) + "--out '" + at("bundle.zip") + "'");
    expect(zip.code == 0 && textOf(at("bundle.zip")).starts_with("PK"), "a zip is written", zip);
    const Outcome back = figure("'" + at("bundle.zip") + "' --out '" + at("unzipped.svg") + "'");
    expect(back.code == 0 && contains(textOf(at("unzipped.svg")), "<svg"), "a zip carries its figure", back);
    const Outcome some =
        figure("reduce-scatter-time" + std::string(kQuick) + "--formats pdf,csv --out '" + at("some/") + "'");
    expect(some.code == 0 && linesOf(some.out) == 3, "only what was asked for: a PDF and two tables", some);
}

void scriptsNameTheTablesBesideThem() {
    const Outcome made = figure("reduce-scatter-time" + std::string(kQuick) + "--out '" + at("times.tex") + "'");
    expect(made.code == 0 && contains(textOf(at("times.tex")), "times-1.csv"), "the script names the table", made);
    expect(fs::exists(at("times-1.csv")), "the table is there", made);
}

void settingsChangeTheFigureAndStandInIt() {
    const Outcome made = figure("reduce-scatter-time" + std::string(kQuick) + "--set link.bandwidth=75GB/s --out '" +
                                at("slow.json") + "'");
    const nlohmann::json slow = parsed(textOf(at("slow.json"))), usual = parsed(textOf(at("rs.json")));
    expect(slow["panels"] != usual["panels"], "the numbers differ", made);
    expect(contains(slow["provenance"].value("command", ""), "--set link.bandwidth=75GB/s"), "the command says it",
           made);
}

constexpr const char* kSmallSweep = R"({"format": "ringside-sweep", "version": 1, "label": "Links",
  "base": {"detail": {"level": "interactive"}},
  "axes": [{"path": "link.bandwidth", "values": ["75 GB/s", "150 GB/s"]},
           {"path": "tracker.entries", "values": [2048, 4096]}],
  "policies": ["sequential", "t3-mca"], "metrics": ["speedup_over_sequential", "time_ps.total"]})";

void editsStayInTheFileAndHoldWhenItIsMadeAgain() {
    const Outcome made = figure("gemm-sawtooth" + std::string(kQuick) +
                                "--look panel.1.y.title=Pace --look series.simulated.name=Ours --size slide --no-date "
                                "--out '" +
                                at("edited.pdf") + "'");
    expect(made.code == 0, "edits are applied", made);
    const Outcome again =
        figure("'" + at("edited.pdf") + "' --again --set link.latency=1us --no-date --out '" + at("again.json") + "'");
    const nlohmann::json spec = parsed(textOf(at("again.json")));
    expect(again.code == 0 && spec["panels"][0]["y"]["title"] == "Pace" && spec["size"] == "slide",
           "the edits hold with another setting", again);
    expect(contains(spec["provenance"].value("command", ""),
                    "--set link.latency=1us --size slide --look panel.1.y.title=Pace"),
           "the command is complete", again);
    const Outcome missing = figure("'" + at("edited.pdf") + "' --look series.T4.name=x --out '" + at("y.pdf") + "'");
    expect(missing.code == 2 && contains(missing.err, "series.T4.name: x: no series has this name") &&
               !fs::exists(at("y.pdf")),
           "an edit without its part is refused", missing);
    // A part that the source no longer has: the rest is written, and the exit code says that something is missing.
    nlohmann::json stale = spec;
    stale["edits"].push_back("series.T4.hidden=true");
    std::ofstream(at("stale.json")) << stale.dump();
    const Outcome left = figure("'" + at("stale.json") + "' --again --out '" + at("left.pdf") + "'");
    expect(left.code == 1 && contains(left.err, "left out: series.T4.hidden") && fs::exists(at("left.pdf")),
           "a stale edit is named", left);
    const Outcome none = figure("'" + at("rs-old.json") + "' --again --out '" + at("y.pdf") + "'");
    expect(none.code == 2, "a file that is not there is refused", none);
    nlohmann::json old = spec;
    old.erase("from");
    std::ofstream(at("old.json")) << old.dump();
    const Outcome unknown = figure("'" + at("old.json") + "' --again --out '" + at("y.pdf") + "'");
    expect(unknown.code == 2 && contains(unknown.err, "does not say where its numbers come from") &&
               !fs::exists(at("y.pdf")),
           "a figure without a source cannot be made again", unknown);
}

void aCheckNamesEachNumberThatDiffers() {
    const Outcome good = figure("'" + at("edited.pdf") + "' --check");
    expect(good.code == 0 && contains(good.out, "192 of 192 numbers are equal"), "all numbers are equal", good);
    nlohmann::json spec = parsed(textOf(at("again.json")));
    spec["panels"][0]["marks"][0]["series"][0]["values"][3] = 1.25;
    spec["provenance"]["engine"] = "0.4.0";
    std::ofstream(at("forged.json")) << spec.dump();
    const Outcome forged = figure("'" + at("forged.json") + "' --check");
    expect(forged.code == 1 && contains(forged.out, ": 1.25 in the file, ") &&
               contains(forged.out, "191 of 192 numbers are equal") && contains(forged.out, "made by engine 0.4.0"),
           "an altered number and an older engine are named", forged);
    const Outcome about = figure("'" + at("edited.pdf") + "' --about");
    expect(about.code == 0 && contains(about.out, "Command: ringside figure gemm-sawtooth") &&
               contains(about.out, "seed 1") && contains(about.out, "panel.1.y.title=Pace") &&
               contains(about.out, "t3-table-1 (published"),
           "how it was made is printed", about);
    expectRefused("figure cu-split --check", {"--check", "only with a file"});
}

void aSweepBecomesAFigureFromItsStore() {
    std::ofstream(at("links.json")) << kSmallSweep;
    const std::string make = "'" + at("links.json") + "' --store '" + at("links.sqlite") +
                             "' --x link.bandwidth --y time_ps.total --series tracker.entries --where "
                             "policy=t3-mca --no-date --out '";
    const Outcome made = figure(make + at("links.pdf") + "'");
    expect(made.code == 0 && fs::exists(at("links.sqlite")), "a sweep becomes a figure", made);
    const Outcome again = figure("'" + at("links.pdf") + "' --store '" + at("links.sqlite") +
                                 "' --again --no-date --out '" + at("links-2.pdf") + "'");
    expect(again.code == 0 && textOf(at("links.pdf")) == textOf(at("links-2.pdf")), "the same bytes again", again);
    expectRefused("figure '" + at("links.json") + "' --where link.bandwidth=3GB/s --out x.pdf",
                  {"nothing is selected", "75 GB/s and 150 GB/s"});
    expectRefused("figure '" + at("links.json") + "' --kind lines --out x.pdf", {"places for 1 axes"});
    expectRefused("figure '" + at("links.json") + "' --set tracker.entries=64 --out x.pdf", {"an axis of the sweep"});
    expectRefused("figure cu-split --x link.bandwidth --out x.pdf", {"--x", "only a figure of a sweep"});
}

void viewsBecomeFiguresWithoutAWindow() {
    const Outcome lanes =
        figure("timeline t-nlg/fc-2/tp8" + std::string(kQuick) +
               "--from 20% --to 60% --gpus 0,1 --lanes compute --no-date --out '" + at("lanes.json") + "'");
    const nlohmann::json spec = parsed(textOf(at("lanes.json")));
    expect(lanes.code == 0 && spec["panels"].size() == 1, "only the lanes of compute", lanes);
    for (const auto& lane : spec["panels"][0]["marks"][0]["lanes"])
        expect(lane["group"] == "GPU 0" || lane["group"] == "GPU 1", "of two GPUs", lanes);
    const Outcome again = figure("'" + at("lanes.json") + "' --check");
    expect(again.code == 0, "a view is made again alike", again);
    expectRefused("figure timeline t-nlg/fc-2/tp8 --lanes shoes --out x.pdf", {"--lanes: shoes", "compute"});
    expectRefused("figure timeline t-nlg/fc-2/tp8 --from 20% --out x.pdf", {"both ends"});
    expectRefused("figure timeline --out x.pdf", {"the experiment of the view is missing"});
}

void severalFiguresBecomeOne() {
    const Outcome both = figure("combine '" + at("edited.pdf") + "' '" + at("links.pdf") +
                                "' --letters --no-date --out '" + at("both.json") + "'");
    const nlohmann::json spec = parsed(textOf(at("both.json")));
    expect(both.code == 0 && spec["panels"].size() == 3 && spec["size"] == "slide", "the first decides the size", both);
    expect(contains(both.err, "links.pdf has another size"), "another size is said", both);
    const Outcome again = figure("'" + at("both.json") + "' --again --no-date --out '" + at("both-2.json") + "'");
    expect(again.code == 0 && parsed(textOf(at("both-2.json")))["panels"] == spec["panels"], "all parts are made again",
           again);
    expectRefused("figure combine '" + at("links.pdf") + "' '" + at("links.pdf") + "' --out x.pdf", {"there twice"});
    expectRefused("figure combine '" + at("both.json") + "' '" + at("links.pdf") + "' --out x.pdf", {"there twice"});
    expectRefused("figure combine '" + at("links.pdf") + "' --out x.pdf", {"at least two"});
}

void oneFileGoesToStandardOutput() {
    const Outcome latex = figure("'" + at("links.pdf") + "' --format latex --out -");
    expect(latex.code == 0 && latex.out.starts_with("\\begin{figure}") && contains(latex.out, "\\includegraphics"),
           "the lines for LaTeX", latex);
    expectRefused("figure '" + at("links.pdf") + "' --format pdf,svg --out -", {"one figure in one format"});
}

void unknownNamesAreRefusedWithWhatIsAllowed() {
    expectRefused("figure sublayer-sped --out x.pdf", {"sublayer-sped: neither a figure", "did you mean "
                                                                                          "sublayer-speedup?"});
    expectRefused("figure cu-split --size acm --theme pape --out x.pdf",
                  {"--size: acm: no such size", "acm-column", "--theme: pape: no such theme", "dark-slide"});
    expectRefused("figure cu-split --format pfd --height 3 --dpi x --out x.pdf",
                  {"--format: pfd", "did you mean pdf?", "--height: 3", "36 to 2000", "--dpi: x"});
    expectRefused("figure cu-split --out x.doc", {"--out: x.doc: its name has no known format", ".pdf"});
    expectRefused("figure cu-split", {"--out: the file or folder to write is missing"});
    expectRefused("figure --out x.pdf", {"the figure is missing", "sublayer-speedup"});
    expectRefused("figure --all cu-split --out d", {"--all makes every figure"});
    expectRefused("figure --all --out d.zip", {"--all needs a folder"});
    expectRefused("figure cu-split --set link.bandwith=1 --out x.pdf", {"link.bandwith", "link.bandwidth"});
    expectRefused("figure cu-split --set policy=t3 --out '" + at("x.pdf") + "'", {"policy.preset", "leave it out"});
    expectRefused("figure cu-split --set link.bandwidth=0 --out '" + at("x.pdf") + "'", {"link.bandwidth"});
    expectRefused("figure '" + at("missing.json") + "' --out '" + at("x.pdf") + "'", {"missing.json"});
    expectRefused("figure cu-split --wrong", {"wrong"});
    for (const char* empty : {"--out ''", "--out=", "--size '' --out x.pdf", "--set '' --out x.pdf"})
        expectRefused(std::string("figure cu-split ") + empty, {std::string(empty, 5), ": the value is empty"});
    expectRefused("figure '' --out x.pdf", {"WHAT: the value is empty"});
}

void aFileThatIsNotAFigureIsRejected() {
    std::ofstream(at("broken.json")) << R"({"format": "ringside-figure", "version": 1, "panels": [{"marks": 3}]})";
    expectRefused("figure '" + at("broken.json") + "' --out '" + at("x.pdf") + "'", {"panels"});
    std::ofstream(at("other.pdf")) << "%PDF-1.4 nothing";
    expectRefused("figure '" + at("other.pdf") + "' --out '" + at("x.pdf") + "'", {"other.pdf"});
    expectRefused("figure '" + at("rs.json") + "' --set link.bandwidth=75GB/s --out '" + at("x.pdf") + "'",
                  {"--set", "or with --again"});
    expect(!fs::exists(at("x.pdf")), "nothing was written", {});
}

void whereNothingCanBeWrittenNothingIsSimulated() {
    const Outcome nowhere = figure("end-to-end --out '" + at("no/such/folder/x.pdf") + "'");
    expect(nowhere.code == 3 && contains(nowhere.err, "cannot be written: there is no folder"), "the folder is named",
           nowhere);
    const Outcome file = figure("--all --out '" + at("rs.json") + "/figures'");
    expect(file.code == 3 && contains(file.err, "is not a folder"), "a file is no folder", file);
    // Written whole or not at all, so by another name first: that would put a file in a device's place.
    const Outcome device = figure("reduce-scatter-time" + std::string(kQuick) + "--format pdf --out /dev/null");
    expect(device.code == 3 && contains(device.err, "/dev/null: cannot be written"), "a device is no file", device);
    const Outcome longer =
        figure("reduce-scatter-time" + std::string(kQuick) + "--out '" + at(std::string(300, 'x') + ".pdf") + "'");
    expect(longer.code == 3 && contains(longer.err, "xxx.pdf"), "what fails while writing is said", longer);
}

void findingsAreWarningsOnStandardError() {
    nlohmann::json document = parsed(textOf(at("rs.json")));
    document.erase("alternative");
    std::ofstream(at("silent.json")) << document;
    const Outcome made = figure("'" + at("silent.json") + "' --out '" + at("silent.pdf") + "'");
    expect(made.code == 0 && contains(made.err, "warning: reduce-scatter-time: "), "what is missing is a warning",
           made);
    expect(fs::exists(at("silent.pdf")), "the figure is written all the same", made);
}

void anInterruptEndsIt() {
    const Outcome outcome = figure("end-to-end --set detail.level=fine --out '" + at("never.pdf") + "'",
                                   std::string(kNoDisplay) + " timeout --preserve-status -s INT 1.5");
    expect(outcome.code == 130, "exit code 130", outcome);
    expect(!fs::exists(at("never.pdf")), "nothing was written", outcome);
}

const NamedTests kTests{
    {"every figure is made without a display", everyFigureIsMadeWithoutADisplay},
    {"figures keep the rules of publishers", figuresKeepTheRulesOfPublishers},
    {"a figure is made again from its files", aFigureIsMadeAgainFromItsFiles},
    {"the same figure gives the same bytes", theSameFigureGivesTheSameBytes},
    {"a folder and a zip take the whole bundle", aFolderAndAZipTakeTheWholeBundle},
    {"scripts name the tables beside them", scriptsNameTheTablesBesideThem},
    {"settings change the figure and stand in it", settingsChangeTheFigureAndStandInIt},
    {"edits stay in the file and hold when it is made again", editsStayInTheFileAndHoldWhenItIsMadeAgain},
    {"a check names each number that differs", aCheckNamesEachNumberThatDiffers},
    {"a sweep becomes a figure from its store", aSweepBecomesAFigureFromItsStore},
    {"views become figures without a window", viewsBecomeFiguresWithoutAWindow},
    {"several figures become one", severalFiguresBecomeOne},
    {"one file goes to standard output", oneFileGoesToStandardOutput},
    {"unknown names are refused with what is allowed", unknownNamesAreRefusedWithWhatIsAllowed},
    {"a file that is not a figure is rejected", aFileThatIsNotAFigureIsRejected},
    {"where nothing can be written nothing is simulated", whereNothingCanBeWrittenNothingIsSimulated},
    {"findings are warnings on standard error", findingsAreWarningsOnStandardError},
    {"an interrupt ends it", anInterruptEndsIt},
};

const bool kAdded =
    tests::addProgramTest("tst_figure_command", [](int argc, char** argv) { return runTests(argc, argv, kTests); });

}  // namespace tests::figure_command
