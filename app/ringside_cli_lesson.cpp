#include "app/ringside_cli_command.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/lessons/lesson_check.h"

#include <algorithm>
#include <iostream>

namespace cli {
namespace {

struct LessonArguments : CommonArguments {
    std::vector<std::string> files;
};

/// A lesson with the verdicts on its claims.
struct CheckedLesson {
    std::string file;
    data::Lesson lesson;
    std::vector<data::LessonVerdict> verdicts;
    std::vector<data::LooseNumber> loose;

    std::size_t held() const {
        return static_cast<std::size_t>(std::count_if(
            verdicts.begin(), verdicts.end(), [](const data::LessonVerdict& verdict) { return verdict.holds; }));
    }
    bool holds() const { return held() == verdicts.size(); }
};

/// All lessons are read before the first one is checked: a mistake in the last must not cost the time of the others.
std::vector<CheckedLesson> read(const std::vector<std::string>& files) {
    std::vector<CheckedLesson> lessons;
    engine::Problems problems;
    for (const std::string& file : files) {
        data::LessonReading reading = data::readLessonFile(file);
        for (engine::Problem& problem : reading.problems) {
            // With several files, a path inside a document needs the file's name; a file that could not be read has its
            // name as path.
            if (files.size() > 1 && !problem.path.starts_with(file))
                problem.path = file + ": " + problem.path;
            problems.push_back(std::move(problem));
        }
        lessons.push_back({file == "-" ? "standard input" : file, std::move(reading.lesson), {}, {}});
    }
    data::refuseAny(std::move(problems));
    return lessons;
}

data::BrokenInvariants check(std::vector<CheckedLesson>& lessons, int threads) {
    data::BrokenInvariants broken;
    const InterruptWatch watch;
    ProgressLine line;
    const auto progress = line.callback();
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        data::LessonCheckOptions options;
        options.threads = threads;
        options.stop = watch.token();
        options.progress = [&, i](double done) {
            progress((static_cast<double>(i) + done) / static_cast<double>(lessons.size()));
        };
        data::LessonChecker checker(lessons[i].lesson);
        lessons[i].verdicts = checker.all(options);
        lessons[i].loose = data::looseNumbers(lessons[i].lesson);
        broken.add(checker.broken());
    }
    return broken;
}

Json verdictJson(const data::LessonVerdict& verdict) {
    Json json{{"step", verdict.step + 1},
              {"name", verdict.claim.name},
              {"path", verdict.path},
              {"claimed", verdict.claim.text},
              {"simulated", verdict.simulatedText},
              {"allowed", verdict.allowedText},
              {"claimed_value", verdict.claim.value},
              {"simulated_value", verdict.simulated ? Json(*verdict.simulated) : Json(nullptr)},
              {"tolerance", verdict.claim.tolerance},
              {"holds", verdict.holds}};
    if (!verdict.failure.empty())
        json["failure"] = verdict.failure;
    return json;
}

std::string noticeText(const data::LooseNumber& number) {
    return "step " + std::to_string(number.step + 1) + " says " + number.text + " without a claim that is checked";
}

void writeJson(const std::vector<CheckedLesson>& lessons) {
    const auto noticeJson = [](const data::LooseNumber& number) {
        return Json{{"path", number.path}, {"text", noticeText(number)}};
    };
    const auto lessonJson = [&](const CheckedLesson& checked) {
        return Json{{"file", checked.file},
                    {"title", checked.lesson.title},
                    {"holds", checked.holds()},
                    {"claims", jsonList(checked.verdicts, verdictJson)},
                    {"notices", jsonList(checked.loose, noticeJson)}};
    };
    printJson({{"lessons", jsonList(lessons, lessonJson)}}, std::cout);
}

std::string simulatedCell(const data::LessonVerdict& verdict) {
    return verdict.simulated ? verdict.simulatedText : "-";
}

void writeCsv(const std::vector<CheckedLesson>& lessons) {
    std::cout << "lesson,step,claim,claimed,simulated,allowed,holds\n";
    for (const CheckedLesson& checked : lessons) {
        for (const data::LessonVerdict& verdict : checked.verdicts)
            std::cout << csvLine({checked.file, std::to_string(verdict.step + 1), verdict.claim.name,
                                  verdict.claim.text, verdict.simulatedText, verdict.allowedText,
                                  verdict.holds ? "yes" : "no"});
    }
}

void writeTable(const CheckedLesson& checked) {
    std::cout << checked.file << ": " << checked.lesson.title << "\n";
    if (checked.verdicts.empty()) {
        std::cout << "no claims, so there was nothing to check\n";
        return;
    }
    Table table({{"step"},
                 {"claim", Align::left},
                 {"the lesson says"},
                 {"Ringside gives"},
                 {"allowed", Align::left},
                 {"holds", Align::left}});
    for (const data::LessonVerdict& verdict : checked.verdicts)
        table.addRow({std::to_string(verdict.step + 1), verdict.claim.name, verdict.claim.text, simulatedCell(verdict),
                      verdict.allowedText, verdict.holds ? "yes" : "no"});
    table.write(std::cout);
    std::cout << checked.held() << " of " << checked.verdicts.size() << " claims hold\n";
}

void write(const std::vector<CheckedLesson>& lessons, Output output) {
    if (output == Output::json)
        return writeJson(lessons);
    if (output == Output::csv)
        return writeCsv(lessons);
    for (const CheckedLesson& checked : lessons) {
        if (&checked != &lessons.front())
            std::cout << "\n";
        writeTable(checked);
    }
}

/// Prints on standard error, after all other output, which claims do not hold and which numbers no claim checks.
void sayWhatDoesNotHold(const std::vector<CheckedLesson>& lessons, bool notices) {
    std::cout << std::flush;
    for (const CheckedLesson& checked : lessons) {
        for (const data::LooseNumber& number : checked.loose) {
            if (notices)
                std::cerr << "note: " << checked.file << ": " << number.path << ": " << noticeText(number) << "\n";
        }
        for (const data::LessonVerdict& verdict : checked.verdicts) {
            if (!verdict.holds)
                std::cerr << checked.file << ": " << verdict.path << ": " << data::describe(verdict) << "\n";
        }
    }
}

int checkLessons(const LessonArguments& arguments) {
    std::vector<CheckedLesson> lessons = read(arguments.files);
    const data::BrokenInvariants broken = check(lessons, arguments.threads);
    write(lessons, arguments.output);
    sayWhatDoesNotHold(lessons, arguments.output != Output::json);
    const bool held =
        std::all_of(lessons.begin(), lessons.end(), [](const CheckedLesson& checked) { return checked.holds(); });
    return worse(held ? kDone : kDoesNotHold, sayBroken(broken));
}

}  // namespace

void declareLesson(Commands& commands) {
    const std::string example = "\nExample:\n  ringside-cli lesson check resources/lessons/07-why-plain-t3-loses.json";
    const auto [command, arguments] =
        commands.add("lesson", "Check the numbers of a lesson of your own", example, checkLessons);
    command.requireSubcommand();
    Command check = command.subcommand(
        "check", "Compare every claim of a lesson with a simulation, or with the division of a model");
    check.footer(
        example +
        "\n\nExit code 0 when all claims hold, 1 when one does not, 2 when a file is not a lesson. A note names each "
        "number in\na text that no claim checks; notes do not change the exit code.");
    check.option("FILE", arguments.files, "Lessons, - for standard input").required();
    addThreads(check, arguments);
    addForms(check, arguments.output);
}

}  // namespace cli
