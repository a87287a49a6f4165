// Drives `ringside-cli reproduce` with files of rows and of measured numbers, as a script would.
// Usage: tests_app tst_reproduce_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not
// built.

#include "tests/app/program_test.h"

namespace tests::reproduce_command {

std::string writtenFile(const std::string& name, const std::string& text) {
    std::ofstream(at(name), std::ios::binary) << text;
    return at(name);
}

/// Returns the command for an evaluation of footprints, whose rows are in a file beside it: 80 GB and 56 GB.
std::string reproduceRows() {
    writtenFile("rows.csv", "id,replicas\na,2\nb,4\n");
    return "reproduce " + writtenFile("rows.json", R"({"format": "ringside-evaluation", "version": 1, "title": "Rows",
        "sweeps": {"states": {"of": "footprint",
            "base": {"division": {"weights": 8000000000, "sharding": "optimizer"}, "parallel": {"tp": 1}},
            "axes": [{"csv": "rows.csv", "key": "id", "columns": {"division.dp": "replicas"}}]}},
        "items": [{"id": "held", "what": "held", "metric": "footprint_bytes.total", "as": "each", "label": "derived",
            "role": "exact", "against": {"column": "gigabytes", "unit": "GB"}}]})");
}

std::string measuredFile(const std::string& text) { return " --measured " + writtenFile("measured.csv", text); }

void rowsWithoutMeasuredNumbersAreAGoodRun() {
    const Outcome table = run(reproduceRows());
    expect(table.code == 0 && contains(table.out, "held[id=a]") && contains(table.out, "no measured steps attached"),
           "the table shows ours and why there is no difference", table);
    const auto row = json(reproduceRows())["items"][0];
    expect(row["value"] == 80e9 && !row.contains("published") && !row.contains("holds") &&
               row["note"] == "no measured steps attached",
           "and so does JSON", {});
}

void attachedRowsAreComparedAndJudged() {
    const std::string equal = "# measured later\nid,gigabytes\nb,56\na,80\n";
    const Outcome holds = run(reproduceRows() + measuredFile(equal));
    expect(holds.code == 0 && contains(holds.out, " 0.0 %") && !contains(holds.out, "attached"), "equal", holds);
    const Outcome piped = run(reproduceRows() + " --measured -", "", at("measured.csv"));
    expect(piped.code == 0 && piped.out == holds.out, "standard input is a file", piped);
    const Outcome fails = run(reproduceRows() + measuredFile("id,gigabytes\na,80\nb,57.0\n"));
    expect(fails.code == 1 && contains(fails.err, "rows held[id=b]: ") && contains(fails.err, "published is 57.0 GB"),
           "one differs", fails);
}

void aFileThatDoesNotFitIsRefused() {
    expectRefused(reproduceRows() + measuredFile("id,gigabytes\na,80\n"),
                  {"measured.csv: has no row with the key b in the column id"});
    expectRefused(reproduceRows() + measuredFile("id,gigabytes\na,80\nb,many\n"),
                  {"measured.csv:3 gigabytes: \"many\": not a number; a number above 0 in GB"});
    expectRefused(reproduceRows() + " --measured nowhere.csv", {"nowhere.csv"});
    expectRefused("reproduce t3" + measuredFile("id,gigabytes\na,80\n"), {"no item has \"against\""});
    expectRefused("reproduce --all" + measuredFile("id,gigabytes\na,80\n"),
                  {"--measured", "belongs to one evaluation"});
}

void theExampleOfTheHelpRuns() {
    std::size_t examples = 0;
    for (const std::string& example : examplesOf("reproduce")) {
        if (!contains(example, "--measured"))
            continue;
        ++examples;
        const Outcome outcome = run(example, "cd '" RINGSIDE_SOURCE "' && ");
        expect(outcome.code == 0 && contains(outcome.out, "states[id=weights]") && contains(outcome.out, "1.000"),
               example, outcome);
    }
    expect(examples == 1, "one example attaches a file", {});
}

/// Returns an evaluation of footprints whose texts are hostile to LaTeX; it holds if 80 GB are at most `most`.
std::string reproduceHostile(const std::string& most) {
    return "reproduce " + writtenFile("hostile.json", R"JSON({"format": "ringside-evaluation", "version": 1,
        "title": "\\end{document} % \n\\input{/etc/passwd}", "source": "a\n\\bye",
        "sweeps": {"states": {"of": "footprint",
            "base": {"division": {"weights": 8000000000, "sharding": "optimizer"}, "parallel": {"tp": 1}},
            "axes": [{"path": "division.dp", "values": [2, 4]}]}},
        "items": [{"id": "most", "what": "[1ex] 100 % of $x_1^2 {a} & #3 ~ \\foo -- µs é 漢 \"q\"", "metric": "footprint_bytes.total",
            "as": "max", "at_most": ")JSON" + most + R"JSON("},
          {"id": "each", "what": "* star", "metric": "footprint_bytes.total", "as": "each",
            "published": ["80 GB", "56 GB"], "label": "derived", "role": "exact"},
          {"id": "never", "what": "below", "metric": "footprint_bytes.total", "as": "crossing", "level": "1 GB",
            "role": "context"}]})JSON");
}

void rowsAreALatexTable() {
    const Outcome outcome = run(reproduceHostile("80 GB") + " --output latex");
    expect(outcome.code == 0 && contains(outcome.out, "\\begin{tabular}{lrrrrr}\n\\hline\n"), "a table", outcome);
    expect(contains(outcome.out,
                    "{}[1ex] 100 \\% of \\$x\\_1\\textasciicircum{}2 \\{a\\} \\& \\#3 \\textasciitilde{} "
                    "\\textbackslash{}foo -{}- \\textmu{}s é ? ''q'' & 80.0~GB &  &  & at most 80 GB & holds \\\\\n"),
           "texts are escaped, and a claim says that it holds", outcome);
    expect(contains(outcome.out, "{}* star, data-parallel degree 2 & 80.0~GB & 80~GB & derived &  & 0.0~\\% \\\\\n"),
           "each point says where it is", outcome);
    expect(contains(outcome.out, "below & -- &  &  &  & no crossing: never below 1 GB from 2 to 4"),
           "no crossing is said in words", outcome);
    std::istringstream lines(outcome.out.substr(0, outcome.out.find("\\begin")));
    for (std::string line; std::getline(lines, line);)
        expect(line.starts_with("% "), "before the table there are comments alone: " + line, outcome);
    const Outcome body = run(reproduceHostile("80 GB") + " --output latex --rows-only");
    expect(body.code == 0 && body.out.starts_with("{}[1ex]") && !contains(body.out, "hline"), "the lines alone", body);
    const Outcome broken = run(reproduceHostile("79.99 GB") + " --output latex");
    expect(broken.code == 1 && contains(broken.out, "at most 79.99 GB & does not hold") &&
               contains(broken.err, "hostile most: 80.000 GB; allowed: at most 79.99 GB"),
           "a broken claim is said in the table, on standard error and by the exit code", broken);
    expectRefused("list models --output latex", {"--output"});
}

void theTableCompilesInThreeClasses() {
    if (std::system("pdflatex --version > /dev/null 2>&1") != 0) {
        std::cout << "    skipped: pdflatex is not installed\n";
        return;
    }
    std::ofstream(at("rows.tex")) << run(reproduceHostile("80 GB") + " --output latex").out;
    for (const std::string name : {"article", "IEEEtran", "acmart"}) {
        if (std::system(("kpsewhich " + name + ".cls > /dev/null 2>&1").c_str()) != 0)
            continue;
        std::ofstream(at(name + ".tex")) << "\\documentclass{" + name +
                                                "}\n\\begin{document}\n\\input{rows}\n\\end{document}\n";
        const int code =
            std::system(("cd '" + g_folder.string() + "' && pdflatex -halt-on-error -interaction=batchmode " + name +
                         ".tex > /dev/null 2>&1")
                            .c_str());
        expect(code == 0, name, {code, {}, textOf(at(name + ".log"))});
    }
}

const NamedTests kReproduceTests{
    {"rows are a LaTeX table", rowsAreALatexTable},
    {"the table compiles in three classes", theTableCompilesInThreeClasses},
    {"rows without measured numbers are a good run", rowsWithoutMeasuredNumbersAreAGoodRun},
    {"attached rows are compared and judged", attachedRowsAreComparedAndJudged},
    {"a file that does not fit is refused", aFileThatDoesNotFitIsRefused},
    {"the example of the help runs", theExampleOfTheHelpRuns},
};

const bool kAdded = tests::addProgramTest("tst_reproduce_command",
                                          [](int argc, char** argv) { return runTests(argc, argv, kReproduceTests); });

}  // namespace tests::reproduce_command
