// Makes figures and pictures with the window's program, without a display, under locales that write numbers, letters
// and digits in other ways than C. Usage: tests_app tst_window_locales RINGSIDE FOLDER.

#include "tests/app/locale_test.h"

#include <chrono>
#include <map>

namespace tests::window_locales {

namespace fs = std::filesystem;

void write(const std::string& name, const std::string& text) { std::ofstream(at(name), std::ios::binary) << text; }

std::map<std::string, std::string> filesIn(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            files[entry.path().filename().string()] = textOf(entry.path());
    }
    return files;
}

void aFigureIsTheSameInEveryFormat() {
    // FC-1 and IP have letters with a Turkish capital of their own; the ticks have decimals.
    const std::string figure =
        "figure sublayer-speedup --no-date --set detail.level=interactive --format bundle --out '";
    const Outcome plain = run(figure + at("plain") + "'", "LC_ALL=C.UTF-8");
    const auto files = plain.code == 0 ? filesIn(at("plain")) : std::map<std::string, std::string>();
    expect(plain.code == 0 && files.size() > 6, "a bundle is written", plain);
    for (const std::string locale : kLocales) {
        const Outcome other = run(figure + at(locale) + "'", under(locale));
        expect(other.code == 0 && other.err == plain.err, "written and said alike under " + locale, other);
        if (other.code != 0)
            continue;
        const auto found = filesIn(at(locale));
        for (const auto& [name, text] : files)
            expect(found.contains(name) && found.at(name) == text, name + " is the same under " + locale, other);
    }
}

void aFigureIsReadAgain() {
    const std::string again = "figure '" + at("plain") + "/sublayer-speedup.pdf' --no-date --out '";
    const Outcome plain = run(again + at("again.pdf") + "'", "LC_ALL=C.UTF-8");
    expect(plain.code == 0, "a figure from its own PDF", plain);
    for (const std::string locale : kLocales) {
        const Outcome other = run(again + at("again-" + locale + ".pdf") + "'", under(locale));
        expect(other.code == 0 && textOf(at("again-" + locale + ".pdf")) == textOf(at("again.pdf")),
               "the same under " + locale, other);
    }
}

/// Checks that the program with these arguments writes a picture under every locale.
void expectPictures(const std::string& arguments) {
    for (const std::string locale : kLocales) {
        fs::remove(at("picture.png"));
        const Outcome outcome = run("--screenshot '" + at("picture.png") + "' " + arguments, under(locale));
        expect(outcome.code == 0 && textOf(at("picture.png")).starts_with("\x89PNG"), arguments + " under " + locale,
               outcome);
    }
}

void documentsWithRealNumbersAreShown() {
    write("experiment.json", R"({"format": "ringside-experiment", "version": 1, "memory": {"efficiency": 0.625},
        "workload": {"sublayer": "op"}, "detail": {"level": "interactive"}})");
    write("lesson.json", R"({"format": "ringside-lesson", "version": 1, "title": "Efficiency",
        "experiment": {"memory": {"efficiency": 0.625}, "workload": {"sublayer": "op"}, "detail": {"level": "interactive"}},
        "steps": [{"text": "Look.", "scene": {"moment": "40.5 %"}}]})");
    write("sweep.json", R"({"format": "ringside-sweep", "version": 1,
        "base": {"workload": {"sublayer": "op"}, "detail": {"level": "interactive"}},
        "axes": [{"path": "memory.efficiency", "values": [0.5, 0.625]}], "policies": ["t3-mca"],
        "metrics": ["time_ps.total"]})");
    expectPictures("'" + at("experiment.json") + "'");
    expectPictures("'" + at("lesson.json") + "'");
    expectPictures("--view sweep '" + at("sweep.json") + "'");
    expectPictures("'" + at("plain") + "/sublayer-speedup.pdf'");
}

void aPictureThatCannotComeIsNotWaitedFor() {
    write("damaged.sqlite", "no store at all");
    const auto before = std::chrono::steady_clock::now();
    const Outcome outcome = run("--screenshot '" + at("none.png") + "' --view sweep --store '" + at("damaged.sqlite") +
                                "' '" + at("sweep.json") + "'");
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - before;
    expect(outcome.code == 3 && contains(outcome.err, "damaged.sqlite"), "says what is wrong, exit code 3", outcome);
    expect(waited.count() < 60, "well before the two minutes that a picture may take", outcome);
    expect(!fs::exists(at("none.png")) && textOf(at("damaged.sqlite")) == "no store at all", "leaves all as it was",
           outcome);
}

const NamedTests kTests{
    {"a figure is the same in every format", aFigureIsTheSameInEveryFormat},
    {"a figure is read again", aFigureIsReadAgain},
    {"documents with real numbers are shown", documentsWithRealNumbersAreShown},
    {"a picture that cannot come is not waited for", aPictureThatCannotComeIsNotWaitedFor},
};

const bool kAdded = tests::addProgramTest(
    "tst_window_locales", [](int argc, char** argv) { return tests::runUnderLocales(argc, argv, kTests); });

}  // namespace tests::window_locales
