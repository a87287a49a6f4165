// Drives `ringside-cli results` and `merge` as a script would, on stores that this test fills with made-up results.
// Usage: tests_app tst_results_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not
// built.

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/results/result_document.h"
#include "data/store/run_seal.h"
#include "data/store/store.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/runner.h"
#include "tests/app/program_test.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tests::results_command {

using Json = nlohmann::ordered_json;

/// Checks that a command fails with this exit code, which shows who must act: the user, or whoever looks after the
/// machine.
void expectRefusal(const std::string& arguments, int code, const std::string& words) {
    const Outcome outcome = run(arguments);
    expect(outcome.code == code && outcome.out.empty() && contains(outcome.err, words), arguments + " says: " + words,
           outcome);
}

data::Sweep sampleSweep() {
    data::Sweep sweep;
    sweep.base = data::draftNamed("t-nlg/fc-2/tp8").draft;
    sweep.axes = {{{{"link.bandwidth", {std::int64_t{75'000'000'000}, std::int64_t{150'000'000'000}}}}},
                  {{{"dma.block_tiles", {std::int64_t{1}, std::int64_t{4}}}}}};
    sweep.policies = {"sequential", "t3"};
    sweep.metrics = {"time_ps.total", "speedup_over_sequential"};
    return sweep;
}

engine::RunResult resultOf(const data::SweepPoint& point) {
    engine::RunResult result;
    result.last.time.total = {static_cast<std::int64_t>(2'000'000'000 + point.index)};
    result.last.dram = engine::DramResult{{1}, {2}, {3}, {4}, {5}, {6}, {21}};
    result.speedupOverSequential = 1.0 + static_cast<double>(point.index) / 7;
    return result;
}

void keep(data::SweepStore& sweeps, const data::SweepPoint& point, const std::string& failure = "") {
    engine::RunResult result = resultOf(point);
    result.wallNs = std::rand();
    const data::PointDetails details = data::detailsOf(sampleSweep(), point.index);
    const data::EndedPoint ended{data::displayName(details.draft),
                                 data::writeDraft(details.draft),
                                 point.hash,
                                 &details.experiment,
                                 failure.empty() ? &result : nullptr,
                                 failure};
    sweeps.keepPoints({&ended, 1});
}

/// Makes a store with a sweep in which point 6 failed, point 7 is missing, and the other points ended in this order.
std::string sweepStore(const std::string& name, std::vector<std::size_t> order, data::Shard shard = {}) {
    data::Store store(at(name));
    data::SweepStore sweeps(store);
    const data::SweepPlan plan = data::planOf(sampleSweep(), shard);
    sweeps.keepSweep(plan);
    for (const std::size_t index : order)
        keep(sweeps, data::planOf(sampleSweep()).points[index], index == 6 ? "a deadlock" : "");
    return at(name);
}

void aSweepIsPrintedInTheOrderOfItsPointsHoweverItEnded() {
    const std::string id = data::sweepId(sampleSweep());
    const std::string a = sweepStore("a.db", {0, 1, 2, 3, 4, 5, 6}), b = sweepStore("b.db", {6, 3, 5, 1, 4, 0, 2});
    for (const std::string output : {"csv", "table"}) {
        const std::string rest = " --sweep " + id + " --output " + output;
        const Outcome first = run("results --db " + a + rest), second = run("results --db " + b + rest);
        expect(first.code == 0 && first.err.empty() && first.out == second.out, output + " is equal", first);
    }
    const Outcome csv = run("results --db " + a + " --sweep " + id + " --output csv");
    expect(csv.out.starts_with(
               "link.bandwidth,dma.block_tiles,policy,time_ps.total,speedup_over_sequential,state,"
               "reason,notices\n75000000000,1,sequential,2000000000,1,done,,\n75000000000,1,t3,2000000001,"),
           "CSV begins with the first point", csv);
    expect(contains(csv.out, "150000000000,4,sequential,,,failed,a deadlock,\n150000000000,4,t3,,,missing,,\n"),
           "CSV says what has no result and why", csv);
    const Outcome table = run("results --db " + a + " --sweep " + id);
    expect(contains(table.out, "75 GB/s") && contains(table.out, "2.000 ms") &&
               contains(table.out, "failed: a deadlock"),
           "the table is for people", table);
}

void jsonIsWhatRunPrints() {
    const std::string id = data::sweepId(sampleSweep());
    const std::string store = sweepStore("json.db", {5, 4, 3, 2, 1, 0});
    const auto points = data::planOf(sampleSweep()).points;
    for (const bool full : {false, true}) {
        const Outcome outcome =
            run("results --db " + store + " --sweep " + id + " --output json" + (full ? " --full" : ""));
        Json list = Json::parse(outcome.out, nullptr, false);
        expect(outcome.code == 0 && list.is_array() && list.size() == 6, "an array of six results", outcome);
        expect(contains(outcome.err, "2 of 8 points have no result"), "what is left out is said", outcome);
        for (std::size_t i = 0; i < list.size(); ++i) {
            list[i]["wall_ns"] = 0;
            expect(list[i].dump(2) + "\n" ==
                       data::writeResult(data::detailsOf(sampleSweep(), points[i].index).experiment,
                                         resultOf(points[i]), full),
                   "result " + std::to_string(i) + " is as `run` prints it", outcome);
        }
    }
    const Outcome none = run("results --db " + store + " --where parallel.tp=64 --output json");
    expect(none.code == 0 && none.out == "[]\n", "no results are an empty array", none);
}

void runsAreListedFilteredAndShownWithTheColumnsAskedFor() {
    const std::string store = sweepStore("list.db", {0, 1, 2, 3});
    const Outcome all = run("results --db " + store);
    expect(all.code == 0 && contains(all.out, "t-nlg/fc-2/tp8 sequential, block 1, bandwidth per direction 75 GB/s") &&
               contains(all.out, "2.000 ms"),
           "a table of runs", all);
    const Outcome some = run("results --db " + store +
                             " --where 'policy=t3 dma.block_tiles<4' --output csv --columns "
                             "link.bandwidth,time_ps.total");
    expect(some.out == "name,policy,link.bandwidth,time_ps.total,note,tags,engine_version\n"
                       "\"t-nlg/fc-2/tp8 t3, block 1, bandwidth per direction 75 GB/s\",t3,75000000000,2000000001,,," +
                           std::string(engine::engineVersion()) + "\n",
           "filtered, with columns", some);
    const std::string id = data::sweepId(sampleSweep());
    const Outcome points = run("results --db " + store + " --sweep " + id +
                               " --where 'time_ps.total>2000000001ps' --columns dram_bytes.total --output csv");
    expect(std::count(points.out.begin(), points.out.end(), '\n') == 3 &&
               contains(points.out, "75000000000,4,sequential,21,done,,\n"),
           "points filtered, with columns", points);
}

void sweepsNotesTagsAndTrash() {
    const std::string store = sweepStore("marks.db", {0, 1, 6});
    const Outcome sweeps = run("results --db " + store + " --sweeps --output csv");
    expect(
        contains(sweeps.out, "id,label,points,done,failed,missing,engine_version\n" + data::sweepId(sampleSweep())) &&
            contains(sweeps.out, ",8,2,1,5," + std::string(engine::engineVersion()) + "\n"),
        "sweeps are listed with counts", sweeps);
    expect(run("results --db " + store + " --note 1 'for the talk'").code == 0, "a note is set", {});
    expect(run("results --db " + store + " --tag 1 paper draft").code == 0, "tags are set", {});
    const Outcome noted = run("results --db " + store + " --where tag:paper --output csv");
    expect(contains(noted.out, ",for the talk,draft paper,"), "note and tags are printed", noted);
    expect(run("results --db " + store + " --remove 1").code == 0, "a run is removed", {});
    const auto count = [&] { return Json::parse(run("results --db " + store + " --output json").out).size(); };
    expect(count() == 1, "it is gone", {});
    expect(run("results --db " + store + " --restore 1").code == 0 && count() == 2, "it comes back", {});
    expectRefusal("results --db " + store + " --note 99 x", 2, "--note: 99: no run has this id");
    expectRefusal("results --db " + store + " --remove 1 99", 2, "--remove: 99: no run has this id");
    expect(count() == 2, "nothing is removed where one of them is wrong", {});
}

void mistakesAreNamed() {
    const std::string store = sweepStore("wrong.db", {0});
    expectRefusal("results", 2, "--db");
    expectRefusal("results --db " + at("none.db"), 2, at("none.db") + ": there is no such file");
    expect(!std::filesystem::exists(at("none.db")), "reading makes no file", {});
    expectRefusal("results --db " + store + " --sweep abc", 2, "it has: " + data::sweepId(sampleSweep()));
    expectRefusal("results --db " + store + " --where 'link.bandwith>1'", 2, "did you mean link.bandwidth");
    expectRefusal("results --db " + store + " --columns time_ps.totl", 2, "did you mean time_ps.total");
    expectRefusal("results --db " + store + " --sweep " + data::sweepId(sampleSweep()) + " --columns seed", 2,
                  "allowed: metrics");
    std::ofstream(at("text.db")) << "not a store";
    expectRefusal("results --db " + at("text.db"), 3, "not a Ringside store");
}

void aMissingStoreIsWrongInputAndADamagedOneIsTheMachinesFailureInEveryCommand() {
    const std::string sound = sweepStore("sound.db", {0}), damaged = at("damaged.db"), document = at("codes.json");
    std::filesystem::copy_file(sound, damaged);
    std::filesystem::resize_file(damaged, std::filesystem::file_size(damaged) / 2);
    std::ofstream(at("nothing.db"));
    std::ofstream(document) << data::writeSweep(sampleSweep());
    const std::string ask = "break-even t-nlg/fc-2/tp8 --set detail.level=interactive --parameter link.bandwidth "
                            "--from 50GB/s --to 100GB/s --metric time_ps.total --target 1ms";
    for (const std::string& store : {at("none.db"), at("nothing.db"), at("no/such/folder.db")}) {
        expectRefusal("results --db " + store, 2, store);
        expectRefusal("merge --db " + at("target.db") + " " + store, 2, store);
    }
    const std::vector<std::string> writing{"sweep " + document, "best " + document + " --metric time_ps.total", ask,
                                           "merge " + sound};
    std::vector<std::string> all{"results", "results --sweeps", "sweep --resume --dry-run " + document};
    for (const std::string& command : writing) {
        expectRefusal(command + " --db " + at("no/such/folder.db"), 3, "its folder does not exist");
        all.push_back(command);
    }
    for (const std::string& command : all) {
        expectRefusal(command + " --db " + damaged, 3, damaged + ": the store is damaged");
        expectRefusal(command + " --db " + damaged, 3, "restore a copy or choose another file");
    }
    expectRefusal("merge --db " + at("target.db") + " " + at("none.db") + " " + damaged, 3, "the store is damaged");
    expectRefusal("merge --db " + at("target.db") + " " + at("none.db") + " " + damaged, 3, "there is no such file");
    expect(!std::filesystem::exists(at("target.db")), "nothing was made", {});
}

void shardsAreMerged() {
    const std::string whole = sweepStore("whole.db", {0, 1, 2, 3, 4, 5, 6});
    const std::string a = sweepStore("shard0.db", {0, 2, 4, 6}, {0, 2}), b = sweepStore("shard1.db", {1, 3, 5}, {1, 2});
    const std::string merged = at("merged.db"), rest = " --sweep " + data::sweepId(sampleSweep()) + " --output csv";
    const Outcome first = run("merge --db " + merged + " " + a + " " + b + " --output csv");
    expect(first.code == 0 && first.out == "store,runs,known,failures,sweeps,points,of_other_engines,damaged\n" + a +
                                               ",3,0,1,1,4,0,0\n" + b + ",3,0,0,0,4,0,0\n",
           "merge says what each store brought", first);
    expect(run("results --db " + merged + rest).out == run("results --db " + whole + rest).out,
           "shards merged are the whole sweep", first);
    const Outcome again = run("merge --db " + merged + " " + a + " " + b + " --output csv");
    expect(contains(again.out, a + ",0,3,0,0,0,0,0\n") && contains(again.out, b + ",0,3,0,0,0,0,0\n"),
           "merged again they bring nothing", again);
    expectRefusal("merge --db " + merged + " " + a + " " + at("none.db") + " " + merged, 2, "no such file");
    expectRefusal("merge --db " + merged + " " + merged, 2, "is the store to merge into");
    expectRefusal("merge --db " + merged, 2, "STORE");
}

void resultsOfAnotherEngineAreNeverShownAsOurs() {
    const std::string own(engine::engineVersion()), id = data::sweepId(sampleSweep());
    const std::string store = sweepStore("engines.db", {0, 1, 2, 3});
    expect(!contains(run("results --db " + store).out, "engine"), "one engine needs no column", {});
    {
        SQLite::Database database(store, SQLite::OPEN_READWRITE);
        database.exec("UPDATE run SET engine_version = '0.0.9' WHERE id <= 3");
        data::sealRuns(database, data::ToSeal::all);
    }
    const Outcome list = run("results --db " + store);
    expect(contains(list.out, "engine") && contains(list.out, "0.0.9") && contains(list.out, own),
           "a list of runs of two engines says whose each is", list);
    const Outcome points = run("results --db " + store + " --sweep " + id + " --output csv");
    expect(contains(points.out, "75000000000,4,t3,2000000003,") && contains(points.out, ",sequential,,,missing,") &&
               points.err.empty(),
           "a sweep has the points of this engine only", points);
    std::ofstream(at("sweep.json")) << data::writeSweep(sampleSweep());
    const Outcome ahead = run("sweep " + at("sweep.json") + " --db " + store + " --dry-run");
    expect(
        contains(ahead.err, "8 points: 1 kept, 7 experiments to run") &&
            contains(ahead.err, "3 points were run by engine 0.0.9 before and run anew, because this is engine " + own),
        "what runs anew is said", ahead);
    const Outcome json = run("sweep " + at("sweep.json") + " --db " + store + " --dry-run --output json");
    expect(Json::parse(json.out).value("run_by_other_engines", 0) == 3, "and counted", json);
    {
        SQLite::Database database(store, SQLite::OPEN_READWRITE);
        database.exec("UPDATE run SET engine_version = '0.0.9'");
        data::sealRuns(database, data::ToSeal::all);
    }
    const Outcome old = run("results --db " + store + " --sweep " + id + " --output csv");
    expect(contains(old.out, "75000000000,1,sequential,2000000000,1,done,") &&
               contains(old.err, "the results are of engine 0.0.9, and this is engine " + own),
           "a sweep of another engine is shown as that", old);
    expectRefusal("sweep " + at("sweep.json") + " --db " + store, 2,
                  "4 of 8 points have ended under engine 0.0.9; --resume runs them anew under engine " + own);
}

const NamedTests kTests{
    {"a sweep is printed in the order of its points however it ended",
     aSweepIsPrintedInTheOrderOfItsPointsHoweverItEnded},
    {"JSON is the same as from `run`", jsonIsWhatRunPrints},
    {"runs are listed, filtered and shown with the columns asked for",
     runsAreListedFilteredAndShownWithTheColumnsAskedFor},
    {"sweeps, notes, tags and trash", sweepsNotesTagsAndTrash},
    {"results of another engine are never shown as ours", resultsOfAnotherEngineAreNeverShownAsOurs},
    {"mistakes are named", mistakesAreNamed},
    {"a missing store is wrong input and a damaged one is the machine's failure in every command",
     aMissingStoreIsWrongInputAndADamagedOneIsTheMachinesFailureInEveryCommand},
    {"shards are merged", shardsAreMerged}};

const bool kAdded = tests::addProgramTest("tst_results_command",
                                          [](int argc, char** argv) { return tests::runTests(argc, argv, kTests); });

}  // namespace tests::results_command
