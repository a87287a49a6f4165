#include "data/figure/figure_gallery.h"
#include "tests/gallery_figures.h"
#include "tests/test_program.h"

#include "data/evaluations/reference.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_table.h"
#include "data/model/model_run.h"
#include "data/model/model_step.h"
#include "data/presets/presets.h"
#include "data/trace/traffic_profile.h"
#include "engine/api/runner.h"
#include "engine/api/trace.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

using namespace data;

namespace {

GalleryOptions quick() { return tests::GalleryFigures::options(); }

/// Returns a figure. Each is made once for all tests.
const FigureSpec& figure(const std::string& name) {
    static tests::GalleryFigures figures(tests::GalleryFigures::Use::makes);
    return figures.figure(name);
}

engine::Experiment galleryExperiment(const Settings& settings) {
    ExperimentDraft draft{settings};
    draft.explicitValues.insert_or_assign("detail.level", std::string("interactive"));
    return expand(draft).experiment;
}

engine::Experiment sublayer(const char* model, const char* which, std::int64_t tp, const char* policy) {
    return galleryExperiment(
        {{"workload.model", model}, {"workload.sublayer", which}, {"parallel.tp", tp}, {"policy.preset", policy}});
}

const BarMark& bars(const FigureSpec& spec, std::size_t panel) {
    return std::get<BarMark>(spec.panels[panel].marks.front());
}
const LineMark& lines(const FigureSpec& spec, std::size_t panel) {
    return std::get<LineMark>(spec.panels[panel].marks.front());
}

bool close(double a, double b, double relative = 1e-9) { return std::abs(a - b) <= relative * std::abs(b); }

double heightOf(const FigureBar& bar, std::size_t category) {
    double sum = 0;
    for (const FigureSeries& series : bar.stack)
        sum += series.values[category].value_or(0);
    return sum;
}

/// The largest difference allowed between a number in the text and a number of the figure.
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

class TestFigureGallery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEntryMakesAFigureWithoutProblems_data() {
        QTest::addColumn<QString>("name");
        for (const GalleryEntry& entry : galleryEntries())
            QTest::newRow(std::string(entry.name).c_str()) << QString::fromUtf8(entry.name.data(), entry.name.size());
    }
    void everyEntryMakesAFigureWithoutProblems() {
        QFETCH(QString, name);
        const FigureSpec& spec = figure(name.toStdString());
        for (const engine::Problem& problem : problemsOf(spec))
            qWarning("%s", engine::describe(problem).c_str());
        QVERIFY(problemsOf(spec).empty());
        QCOMPARE(spec.name, name.toStdString());
        QCOMPARE(spec.title, std::string(findGalleryEntry(spec.name)->title));
        QVERIFY(readFigure(writeFigure(spec), "a figure").figure == spec);
        QVERIFY(!tablesOf(spec).empty());
    }
    void everyEntrySaysWhereItComesFrom_data() { everyEntryMakesAFigureWithoutProblems_data(); }
    void everyEntrySaysWhereItComesFrom() {
        QFETCH(QString, name);
        const FigureSpec& spec = figure(name.toStdString());
        // Footprints are computed without a simulation.
        const bool isComputed = name == QLatin1String("zero-states") || name == QLatin1String("comp-vs-comm-formula") ||
                                name.startsWith(QLatin1String("integrated-"));
        // Mappings need banks and several requests in a row of them.
        const bool ofMappings = name == QLatin1String("bank-groups") || name == QLatin1String("channel-heat");
        QVERIFY(says(spec.caption, isComputed ? "Computed by" : ofMappings ? "standard detail" : "interactive detail"));
        QVERIFY(says(spec.caption, spec.provenance.program));
        QVERIFY(says(spec.caption, spec.provenance.engine));
        QVERIFY(spec.alternative.size() > 100);
        QCOMPARE(spec.provenance.command, "ringside figure " + name.toStdString() + " --set detail.level=interactive");
        QVERIFY(spec.provenance.made.empty());
        QVERIFY(!spec.provenance.experiments.empty());
        std::set<std::string> names;
        for (const FigureProvenance::Experiment& experiment : spec.provenance.experiments) {
            QCOMPARE(experiment.hash.size(), std::size_t{64});
            QVERIFY2(names.insert(experiment.name).second, experiment.name.c_str());
            const DraftReading again = readDraft(experiment.document, experiment.name);
            QVERIFY2(again.problems.empty(), experiment.name.c_str());
            QCOMPARE(experimentHash(expand(again.draft).experiment), experiment.hash);
        }
        std::size_t marks = 0;
        for (const FigurePanel& panel : spec.panels)
            marks += panel.references.size();
        QVERIFY(spec.provenance.published.size() >= marks);
        QCOMPARE(spec.provenance.publishedSource.empty(), spec.provenance.published.empty());
    }

    // The last size in both panels is traffic that takes longer than the sub-layer.
    void besideTrafficTheSubLayerKeepsItsGainAndTheWholeDoesNot() {
        const std::vector<FigurePanel>& panels = figure("t3-beside-traffic").panels;
        const auto& own = std::get<LineMark>(panels[0].marks.front()).series;
        const auto& whole = std::get<LineMark>(panels[1].marks.front()).series;
        const double without = own.front().values.front().value();
        QVERIFY(without > 1.2);
        for (std::size_t traffic = 1; traffic < own.size(); ++traffic) {
            for (const std::optional<double>& gain : own[traffic].values)
                QVERIFY(*gain > without - 0.1 && *gain < without + 0.1);
            QVERIFY(*whole[traffic].values.back() < without - 0.1);
            QVERIFY(*whole[traffic].values.back() > 1);
            QVERIFY(*whole[traffic].values.front() > *whole[traffic].values.back());
        }
    }

    void theRateOfAGemmFallsWhereAWaveBeginsAndNowhereElse() {
        const FigureSpec& spec = figure("gemm-sawtooth");
        const LineMark &rate = lines(spec, 0), &time = lines(spec, 1);
        const FigureValues &allowed = rate.series[0].values, &simulated = rate.series[1].values;
        QCOMPARE(rate.x.size(), std::size_t{64});
        QVERIFY(!rate.markers);
        std::size_t teeth = 0;
        for (std::size_t i = 1; i < rate.x.size(); ++i) {
            // With sixteen rows of tiles and 80 slots, five columns of tiles (640 columns) are a wave.
            const bool begins = static_cast<std::int64_t>(rate.x[i - 1]) % 640 == 0;
            teeth += begins ? 1 : 0;
            QCOMPARE(*simulated[i] < *simulated[i - 1], begins);
            QCOMPARE(*allowed[i] < *allowed[i - 1], begins);
            // The time rises in a step where a new wave begins, and hardly changes within a wave.
            const double step = *time.series[0].values[i] / *time.series[0].values[i - 1];
            QVERIFY(begins ? step > 1.05 : step < 1.02);
        }
        for (std::size_t i = 0; i < rate.x.size(); ++i)
            QVERIFY(*simulated[i] < *allowed[i] && *simulated[i] > 0.8 * *allowed[i]);
        QCOMPARE(spec.panels[1].annotations.size(), teeth);
        QCOMPARE(spec.panels[1].annotations.front().text, std::string("1"));
        QCOMPARE(spec.panels[1].annotations.front().x, 640.0);
        QVERIFY(says(spec.caption, "640, 1280, 1920 and so on"));
        QVERIFY(says(spec.caption, "256 x 128 on 80 workgroup slots"));
        const engine::Experiment one = galleryExperiment({{"workload.sublayer", std::string("gemm")},
                                                          {"matrix.n", std::int64_t{1280}},
                                                          {"policy.preset", std::string("sequential")}});
        const engine::RunResult run = engine::run(one);
        QCOMPARE(*simulated[9], static_cast<double>(run.gemm->rate.flopsPerSecond) / 1e12);
    }

    void piecesGainUntilTheirWavesCostMore() {
        const FigureSpec& spec = figure("overlap-pieces");
        const LineMark &total = lines(spec, 0), &gemm = lines(spec, 1);
        QCOMPARE(total.x, (std::vector<double>{1, 2, 4, 8, 16, 32}));
        const FigureValues& chunked = total.series.back().values;
        const double sequential = *total.series[0].values[0], signalling = *total.series[1].values[0],
                     t3Mca = *total.series[2].values[0];
        QVERIFY(t3Mca < signalling && signalling < sequential);
        for (const std::size_t better : {3U, 4U})  // 8 and 16 pieces
            QVERIFY(*chunked[better]<sequential&& * chunked[better]> t3Mca);
        QVERIFY(*chunked[1] > sequential && *chunked[5] > sequential);
        // One piece has no wave to fill. Of several, two queues fill those that one leaves empty.
        QCOMPARE(*gemm.series[0].values[0], *gemm.series[1].values[0]);
        for (std::size_t i = 1; i < total.x.size(); ++i)
            QVERIFY(*gemm.series[1].values[i] < *gemm.series[0].values[i]);
        const auto run = engine::run(galleryExperiment({{"workload.model", "t-nlg"},
                                                        {"workload.sublayer", "fc-2"},
                                                        {"parallel.tp", std::int64_t{8}},
                                                        {"policy.preset", "chunked"},
                                                        {"launch.kernel", std::int64_t{2'000'000}}}));
        QCOMPARE(run.gemm->pieces, std::int64_t{8});
        QVERIFY(close(*chunked[3], static_cast<double>(run.last.time.total.ps) / 1e6));
        QVERIFY(close(*gemm.series[1].values[3], static_cast<double>(run.last.time.gemm.ps) / 1e6));
    }

    void aLaunchOfPiecesTakesWhatIsSetAndOtherwiseWhatTheMachineSays() {
        GalleryOptions options = quick();
        options.settings["launch.kernel"] = std::int64_t{0};
        QVERIFY(says(Gallery(options).make("overlap-pieces").caption, "A launch takes 0.0 µs"));
        QVERIFY(says(figure("overlap-pieces").caption, "A launch takes 2.0 µs"));
        options.settings["policy.pieces"] = std::int64_t{4};
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, Gallery(options).make("overlap-pieces"));
    }

    void everyAxisSaysItsUnitOrWhatItIsRelativeTo() {
        for (const GalleryEntry& entry : galleryEntries())
            for (const FigurePanel& panel : figure(std::string(entry.name)).panels) {
                const bool lanes = std::holds_alternative<TimelineMark>(panel.marks.front());  // have names instead
                QVERIFY(lanes || !panel.y.title.empty());
                const bool rows = std::holds_alternative<HeatMark>(panel.marks.front());  // have names instead
                QVERIFY(lanes || rows || !panel.y.unit.empty() || !panel.y.relativeTo.empty());
                // Counts need no unit.
                QVERIFY(!panel.categories.labels.empty() || !panel.x.unit.empty() ||
                        panel.x.title.starts_with("Number of "));
            }
    }

    void runtimeSharesAreThoseOfTheSequentialRunAndSumTo100() {
        const FigureSpec& spec = figure("sublayer-runtime");
        QCOMPARE(spec.panels.size(), std::size_t{2});
        for (std::size_t panel = 0; panel < 2; ++panel) {
            QCOMPARE(spec.panels[panel].categories.labels.size(), std::size_t{8});
            for (std::size_t i = 0; i < 8; ++i)
                QVERIFY(close(heightOf(bars(spec, panel).bars.front(), i), 100));
        }
        // T-NLG: TP 8 first, OP before FC-2.
        const engine::TimeResult time = engine::run(sublayer("t-nlg", "fc-2", 8, "sequential")).last.time;
        QCOMPARE(spec.panels[1].categories.labels[1], std::string("FC-2"));
        QVERIFY(close(*bars(spec, 1).bars.front().stack[0].values[1],
                      100.0 * static_cast<double>(time.gemm.ps) / static_cast<double>(time.total.ps)));
    }

    void speedupsAreThoseOfTheRuns() {
        const FigureSpec& spec = figure("sublayer-speedup");
        const engine::RunResult result = engine::run(sublayer("mega-gpt-2", "ip", 16, "t3-mca"));
        const FigureBar& bar = bars(spec, 0).bars[1];
        QCOMPARE(bar.stack.front().meaning, std::string("policy/t3-mca"));
        QCOMPARE(spec.panels[0].categories.labels[7], std::string("IP"));
        QVERIFY(close(*bar.stack.front().values[7], *result.speedupOverSequential));
    }

    void aPanelOfAModelShowsNothingOfTheOtherModel() {
        for (const char* name : {"sublayer-speedup", "dram-access"}) {
            const FigureSpec& spec = figure(name);
            QCOMPARE(spec.panels.size(), std::size_t{3});
            for (std::size_t panel = 0; panel < 2; ++panel) {
                QCOMPARE(spec.panels[panel].categories.labels.size(), std::size_t{8});
                QVERIFY(spec.panels[panel].references.empty());
            }
            QCOMPARE(spec.panels[2].title, std::string("All 16 sub-layers"));
            QVERIFY(spec.panels[2].y == spec.panels[0].y);
        }
    }

    void thePanelOfAllHasGeomeanAndMaximumOfTheSixteen() {
        const FigureSpec& spec = figure("sublayer-speedup");
        QCOMPARE(spec.panels[2].categories.labels, (std::vector<std::string>{"Max.", "Geomean"}));
        for (std::size_t bar = 0; bar < bars(spec, 0).bars.size(); ++bar) {
            double logs = 0, most = 0;
            for (std::size_t panel = 0; panel < 2; ++panel)
                for (std::size_t i = 0; i < 8; ++i) {
                    const double value = *bars(spec, panel).bars[bar].stack.front().values[i];
                    logs += std::log(value);
                    most = std::max(most, value);
                }
            QVERIFY(close(*bars(spec, 2).bars[bar].stack.front().values[0], most));
            QVERIFY(close(*bars(spec, 2).bars[bar].stack.front().values[1], std::exp(logs / 16)));
        }
    }

    void theCaptionSaysWhyARunBeatsAnIdealWhereOneDoes() {
        const FigureSpec& spec = figure("sublayer-speedup");
        const auto value = [&](std::size_t bar, std::size_t i) {
            return *bars(spec, i / 8).bars[bar].stack.front().values[i % 8];
        };
        const auto beyond = [&](std::size_t ideal) {
            std::size_t cases = 0;
            for (std::size_t i = 0; i < 16; ++i)
                cases += std::max(value(0, i), value(1, i)) > value(ideal, i) ? 1 : 0;
            return cases;
        };
        // Some cases are faster than the ideal overlap, and some of these also faster than the ideal overlap with
        // near-memory compute. tst_figure_captions compares the named cases with the table.
        QVERIFY(beyond(2) > beyond(3) && beyond(3) > 0);
        QVERIFY(says(spec.caption, "because ideal overlap has no NMC."));
        QVERIFY(says(spec.caption, "T3-MCA exceed both ideals in "));
    }

    void theCaptionSaysNothingOfBeatenIdealsWhereNoneIsBeaten() {
        GalleryOptions options = quick();
        options.settings["link.bandwidth"] = std::int64_t{600'000'000'000};
        const FigureSpec spec = Gallery(options).make("sublayer-speedup");
        for (std::size_t panel = 0; panel < 2; ++panel)
            for (std::size_t i = 0; i < 8; ++i)
                for (const std::size_t bar : {0, 1})
                    QVERIFY(*bars(spec, panel).bars[bar].stack.front().values[i] <=
                            *bars(spec, panel).bars[2].stack.front().values[i]);
        QVERIFY(!says(spec.caption, "exceeds"));
    }

    void marksArePublishedItemsOverTheRightBars() {
        const FigureSpec& spec = figure("sublayer-speedup");
        std::map<std::string, double> published;
        for (const PublishedItem& item : publishedItems())
            published[item.id] = item.value;
        const std::vector<FigureReference>& marks = spec.panels[2].references;
        QCOMPARE(marks.size(), std::size_t{6});
        for (std::size_t i = 0; i < marks.size(); ++i)
            QCOMPARE(*marks[i].category, i / 3);
        QCOMPARE(marks[1].value, published["t3-mca-max"]);
        QCOMPARE(marks[4].value, published["t3-mca-geomean"]);
        QCOMPARE(bars(spec, 2).bars[*marks[4].bar].stack.front().meaning, std::string("policy/t3-mca"));
        QCOMPARE(marks[4].text, std::string("Published: 1.30"));
        QCOMPARE(marks[4].label, std::string("published"));
        QCOMPARE(marks[3].label, std::string("second-hand"));
        QVERIFY(says(spec.caption, "(published: 1.30, "));
        QVERIFY(says(spec.caption, "(published: 1.20, second-hand, "));
        QVERIFY(says(spec.caption, "Marks are published values (Pati et al., ASPLOS 2024)."));
        // The published values are not reached, and the caption says so.
        QVERIFY(says(spec.caption, "+") && says(spec.caption, " %)"));
    }

    void accessesSumToTheRatioOfTheTotals() {
        const FigureSpec& spec = figure("dram-access");
        const auto total = [](const char* policy) {
            return static_cast<double>(engine::run(sublayer("t-nlg", "fc-2", 8, policy)).last.dram->total.count);
        };
        const double left = total("t3-mca") / total("sequential");
        QVERIFY(close(heightOf(bars(spec, 1).bars[1], 1), left));
        double logs = 0, least = 1;
        for (std::size_t panel = 0; panel < 2; ++panel)
            for (std::size_t i = 0; i < 8; ++i) {
                QVERIFY(close(heightOf(bars(spec, panel).bars[0], i), 1));
                logs += std::log(heightOf(bars(spec, panel).bars[1], i));
                least = std::min(least, heightOf(bars(spec, panel).bars[1], i));
            }
        QVERIFY(close(heightOf(bars(spec, 2).bars[1], 0), least));
        QVERIFY(close(heightOf(bars(spec, 2).bars[1], 1), std::exp(logs / 16)));
        QVERIFY(close(spec.panels[2].references[0].value, 1 - 0.36));
        QVERIFY(close(spec.panels[2].references[1].value, 1 - 0.22));
    }

    void trafficIntegratesToTheBytesOfTheRunByKind() {
        const FigureSpec& spec = figure("dram-traffic");
        QCOMPARE(spec.panels.size(), std::size_t{2});
        QVERIFY(spec.panels[0].x == spec.panels[1].x);
        QVERIFY(spec.panels[0].y == spec.panels[1].y);
        const char* policies[]{"sequential", "t3-mca"};
        for (std::size_t panel = 0; panel < 2; ++panel) {
            const engine::DramResult dram = *engine::run(sublayer("t-nlg", "fc-2", 8, policies[panel])).last.dram;
            const engine::Bytes expected[]{dram.gemmRead, dram.gemmWrite, dram.rsRead,
                                           dram.rsWrite,  dram.agRead,    dram.agWrite};
            const auto& mark = std::get<AreaMark>(spec.panels[panel].marks.front());
            QCOMPARE(mark.series.size(), std::size(expected));
            for (std::size_t kind = 0; kind < mark.series.size(); ++kind) {
                double bytes = 0;
                for (std::size_t i = 0; i + 1 < mark.x.size(); ++i)
                    bytes += *mark.series[kind].values[i] * (mark.x[i + 1] - mark.x[i]) * 1e3;  // GB/s x us
                QVERIFY2(close(bytes, static_cast<double>(expected[kind].count), 1e-6), mark.series[kind].name.c_str());
            }
        }
    }

    void trafficUnderAnyPolicyIsSplitByKindExactly() {
        for (const char* policy : {"sequential", "t3", "t3-mca"}) {
            engine::RunOptions options;
            options.recordTrace = true;
            options.baselines = false;
            const engine::RunResult run = engine::run(sublayer("mega-gpt-2", "op", 16, policy), options);
            TrafficProfile::Slice sum;
            for (const TrafficProfile::Slice& slice : trafficOf(*run.trace, {7'000'001}).slices) {
                sum.gemmRead += slice.gemmRead;
                sum.gemmWrite += slice.gemmWrite;
                sum.rsRead += slice.rsRead;
                sum.rsWrite += slice.rsWrite;
                sum.agRead += slice.agRead;
                sum.agWrite += slice.agWrite;
            }
            const engine::DramResult& dram = *run.last.dram;
            QCOMPARE(sum.gemmRead.count, dram.gemmRead.count);
            QCOMPARE(sum.gemmWrite.count, dram.gemmWrite.count);
            QCOMPARE(sum.rsRead.count, dram.rsRead.count);
            QCOMPARE(sum.rsWrite.count, dram.rsWrite.count);
            QCOMPARE(sum.agRead.count, dram.agRead.count);
            QCOMPARE(sum.agWrite.count, dram.agWrite.count);
        }
    }

    void wholeModelsHaveTheirSpeedupsAndShares() {
        ModelRunOptions options;
        options.phase = engine::ModelPhase::prompt;
        options.policies = {engine::PolicyPreset::t3Mca};
        const ModelRun run =
            modelRun(galleryExperiment({{"workload.model", "t-nlg"}, {"parallel.tp", std::int64_t{16}}}), options);
        const FigureSpec& gains = figure("end-to-end");
        QCOMPARE(gains.panels[1].categories.labels[3], std::string("16"));
        QVERIFY(
            close(*bars(gains, 1).bars[1].stack.front().values[3], 100 * (run.policies[0].speedupOverSequential - 1)));
        const FigureSpec& shares = figure("communication-share");
        double communication = 0;
        for (const FigureSeries& series : bars(shares, 1).bars.front().stack) {
            if (series.meaning == "reduce-scatter" || series.meaning == "all-gather")
                communication += *series.values[3];
        }
        QVERIFY(close(communication, 100 * run.sequential.communicationShare));
        for (std::size_t i = 0; i < shares.panels[0].categories.labels.size(); ++i)
            QVERIFY(close(heightOf(bars(shares, 0).bars.front(), i), 100));
    }

    void interleavingAndWeightPassesShortenThePipelineAndAllForwardDoesNot() {
        const FigureSpec& spec = figure("pipeline-schedules");
        QCOMPARE(spec.panels.size(), std::size_t{4});
        std::vector<double> ends;
        for (const FigurePanel& panel : spec.panels) {
            const auto& mark = std::get<TimelineMark>(panel.marks.front());
            QCOMPARE(mark.lanes.size(), std::size_t{4});
            double end = 0;
            for (const TimelineMark::Span& span : mark.spans)
                end = std::max(end, span.to);
            ends.push_back(end);
            QVERIFY(panel.x == spec.panels.front().x);
        }
        QVERIFY(close(ends[0], ends[1], 0.01));
        QVERIFY(ends[2] < 0.95 * ends[1]);
        QVERIFY(ends[3] < 0.95 * ends[1]);
    }

    void theStagesOfTheSchedulesAreTheReadersToSetAndTheSchedulesAreNot() {
        GalleryOptions options = quick();
        options.settings["division.pp"] = std::int64_t{2};
        const FigureSpec spec = Gallery(options).make("pipeline-schedules");
        QCOMPARE(std::get<TimelineMark>(spec.panels.front().marks.front()).lanes.size(), std::size_t{2});
        options.settings["division.pp"] = std::int64_t{128};  // more than layers
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, Gallery(options).make("pipeline-schedules"));
        for (const auto& [path, value] :
             Settings{{"division.schedule", "zb-h1"}, {"division.interleave", std::int64_t{2}}}) {
            GalleryOptions set = quick();
            set.settings[path] = value;
            QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, Gallery(set).make("pipeline-schedules"));
        }
    }

    void partsOfAStepSumToItsTimeAndFasterLinksShortenIt() {
        const FigureSpec& spec = figure("step-time");
        const std::vector<std::string>& bandwidths = spec.panels[0].categories.labels;
        const auto usual = static_cast<std::size_t>(std::ranges::find(bandwidths, "150") - bandwidths.begin());
        QVERIFY(usual < bandwidths.size());
        ModelRunOptions options;
        options.policies = {engine::PolicyPreset::t3Mca};
        const ModelRun run = modelRun(galleryExperiment({{"workload.model", "gpt-3"},
                                                         {"parallel.tp", std::int64_t{8}},
                                                         {"division.pp", std::int64_t{4}},
                                                         {"division.dp", std::int64_t{8}},
                                                         {"division.microbatches", std::int64_t{8}}}),
                                      options);
        const auto seconds = [&](const PolicyModelTime& policy) {
            return static_cast<double>(stepOf(run, policy).total.ps) / 1e12;
        };
        QVERIFY(close(heightOf(bars(spec, 0).bars[0], usual), seconds(run.sequential)));
        QVERIFY(close(heightOf(bars(spec, 0).bars[1], usual), seconds(run.policies.front())));
        for (const FigureBar& bar : bars(spec, 0).bars)
            for (std::size_t i = 1; i < bandwidths.size(); ++i)
                QVERIFY(heightOf(bar, i) < heightOf(bar, i - 1));
    }

    void theBandwidthsOfStepsFollowTheLinkThatIsSet() {
        GalleryOptions options = quick();
        options.settings["link.bandwidth"] = std::int64_t{80'000'000'000};
        QCOMPARE(Gallery(options).make("step-time").panels[0].categories.labels,
                 (std::vector<std::string>{"10", "20", "40", "80", "160"}));
    }

    void exposedMessagesAreThoseOfTheCriticalChain() {
        const FigureSpec& spec = figure("step-exposed");
        const FigureCategories& categories = spec.panels[0].categories;
        QCOMPARE(categories.labels, (std::vector<std::string>{"1", "8", "64", "1", "8", "64"}));
        QCOMPARE(categories.groups[1].label, std::string("p = 8"));
        ModelRunOptions options;
        options.policies = {engine::PolicyPreset::t3Mca};
        const ModelRun run = modelRun(galleryExperiment({{"workload.model", "gpt-3"},
                                                         {"parallel.tp", std::int64_t{8}},
                                                         {"division.pp", std::int64_t{8}},
                                                         {"division.dp", std::int64_t{64}},
                                                         {"division.microbatches", std::int64_t{64}}}),
                                      options);
        for (std::size_t bar = 0; bar < 2; ++bar) {
            const StepParts chain = stepOf(run, bar == 0 ? run.sequential : run.policies.front()).time;
            const std::array parts{chain.tensor, chain.data, chain.pipeline};
            for (std::size_t part = 0; part < parts.size(); ++part)
                QVERIFY(close(*bars(spec, 0).bars[bar].stack[part].values.back(),
                              static_cast<double>(parts[part].ps) / 1e12));
            // The second panel has the small parts again, in milliseconds.
            for (std::size_t i = 0; i < categories.labels.size(); ++i)
                QVERIFY(close(
                    heightOf(bars(spec, 1).bars[bar], i) + 1,
                    1000 * (heightOf(bars(spec, 0).bars[bar], i) - *bars(spec, 0).bars[bar].stack[0].values[i]) + 1));
        }
        // T3-MCA hides tensor messages. Replicas add data messages, stages add sends.
        const auto valueOf = [&](std::size_t bar, std::size_t part, std::size_t category) {
            return *bars(spec, 0).bars[bar].stack[part].values[category];
        };
        for (std::size_t i = 0; i < categories.labels.size(); ++i)
            QVERIFY(valueOf(1, 0, i) < 0.6 * valueOf(0, 0, i));
        QCOMPARE(valueOf(0, 1, 0), 0.0);
        QVERIFY(valueOf(0, 1, 1) > 0);
        QVERIFY(valueOf(0, 1, 2) > valueOf(0, 1, 1));
        QCOMPARE(valueOf(0, 2, 2), 0.0);
        QVERIFY(valueOf(0, 2, 3) > 0);
    }

    void stagesAndReplicasOfExposedMessagesRiseToThoseThatAreSet() {
        GalleryOptions options = quick();
        options.settings["division.dp"] = std::int64_t{8};
        options.settings["division.pp"] = std::int64_t{2};
        const FigureSpec divided = Gallery(options).make("step-exposed");
        QCOMPARE(divided.panels[0].categories.labels, (std::vector<std::string>{"1", "8", "1", "8"}));
        QVERIFY(says(divided.caption, "8 micro-batches for each stage"));
        options.settings["division.microbatches"] = std::int64_t{4};
        QVERIFY(says(Gallery(options).make("step-exposed").caption, "with 4 micro-batches under"));
        // A step that is not divided has tensor messages only: no panel without them.
        options.settings["division.dp"] = std::int64_t{1};
        options.settings["division.pp"] = std::int64_t{1};
        const FigureSpec whole = Gallery(options).make("step-exposed");
        QCOMPARE(whole.panels.size(), std::size_t{1});
        QVERIFY(problemsOf(whole).empty());
        options.settings["division.pp"] = std::int64_t{128};  // more than layers
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, Gallery(options).make("step-exposed"));
    }

    void splittingTheCusSlowsBothPartsAndGainsLessThanNothingCosts() {
        const FigureSpec& spec = figure("cu-split");
        for (const FigureSeries& series : lines(spec, 0).series)
            for (const auto& value : series.values)
                QVERIFY2(*value > 0.98, series.name.c_str());
        const FigureSeries& ideal = lines(spec, 1).series[0];
        const FigureSeries& split = lines(spec, 1).series[1];
        QCOMPARE(split.samples, 16);
        for (std::size_t i = 0; i < split.values.size(); ++i) {
            QVERIFY(*split.values[i] < *ideal.values[i]);
            QVERIFY(*split.low[i] <= *split.values[i] && *split.values[i] <= *split.high[i]);
        }
    }

    void aReduceScatterAloneIsTimedBesideItsBound() {
        const FigureSpec& spec = figure("reduce-scatter-time");
        const LineMark& mark = lines(spec, 0);
        const auto at = static_cast<std::size_t>(std::find(mark.x.begin(), mark.x.end(), 100.0) - mark.x.begin());
        QVERIFY(at < mark.x.size());
        const engine::Experiment experiment = galleryExperiment({{"workload.sublayer", "reduce-scatter"},
                                                                 {"workload.bytes", std::int64_t{100 * 1024 * 1024}},
                                                                 {"parallel.tp", std::int64_t{8}},
                                                                 {"policy.preset", "t3"}});
        const double time = static_cast<double>(engine::run(experiment).last.time.total.ps) / 1e6;
        QVERIFY(close(*mark.series[1].values[at], time));
        // 7 chunks of 100/8 MiB at 150 GB/s.
        QVERIFY(close(*mark.series[2].values[at], 7 * 12.5 * 1024 * 1024 / 150e9 * 1e6, 1e-5));
        for (std::size_t i = 0; i < mark.x.size(); ++i) {
            QVERIFY(*mark.series[0].values[i] >= *mark.series[2].values[i]);
            QVERIFY(*mark.series[1].values[i] >= *mark.series[2].values[i]);
        }
        QCOMPARE(spec.panels[0].x.ticks.front(), 1.0);
    }

    void theDescriptionHasTheNumbersOfTheFigure() {
        const FigureSpec& spec = figure("sublayer-speedup");
        const double geomean = *bars(spec, 2).bars[1].stack.front().values[1];
        QVERIFY(says(spec.alternative, "geomean " + QByteArray::number(geomean, 'f', 2).toStdString()));
        QVERIFY(says(figure("dram-traffic").alternative, "µs"));
    }

    void settingsHoldInEveryRunAndAreSaid() {
        GalleryOptions options = quick();
        options.settings["link.bandwidth"] = std::int64_t{75'000'000'000};
        const FigureSpec slow = Gallery(options).make("reduce-scatter-time");
        const FigureSpec& usual = figure("reduce-scatter-time");
        QVERIFY(close(*lines(slow, 0).series[2].values[3], 2 * *lines(usual, 0).series[2].values[3], 1e-5));
        QVERIFY(*lines(slow, 0).series[0].values[3] > 1.5 * *lines(usual, 0).series[0].values[3]);
        QVERIFY(says(slow.caption, "link.bandwidth = 75 GB/s"));
        QVERIFY(says(slow.provenance.command, "--set link.bandwidth=75GB/s"));
        QVERIFY(slow.provenance.experiments[0].hash != usual.provenance.experiments[0].hash);
        QVERIFY(says(slow.provenance.experiments[0].document, "75 GB/s"));
    }

    void aBufferWithoutALimitIsSaidInTheCaption() {
        GalleryOptions options = quick();
        options.settings["tracker.entries"] = std::int64_t{8};
        const FigureSpec small = Gallery(options).make("dram-traffic");
        QVERIFY2(says(small.caption, "Notice (tracker.held_bytes): 1 of 2 runs, first t-nlg/fc-2/tp8 t3-mca: up to "),
                 small.caption.c_str());
        QVERIFY(says(small.caption, " of arriving updates waited on a GPU for a set of the tracker, in a buffer "
                                    "without a limit."));
        QVERIFY(!says(figure("dram-traffic").caption, "held_bytes"));
    }

    void aModelsSizesSayNothingAboutACollectiveAlone() {
        GalleryOptions options = quick();
        options.settings["workload.hidden"] = std::int64_t{1024};
        const FigureSpec same = Gallery(options).make("reduce-scatter-time");
        QVERIFY(same == figure("reduce-scatter-time"));
    }

    void whatFiguresCompareIsNotTheReadersToSet() {
        GalleryOptions options = quick();
        options.settings["policy.preset"] = std::string("t3");
        options.settings["parallel.tp"] = std::int64_t{4};
        try {
            Gallery(options).make("sublayer-speedup");
            QFAIL("was made all the same");
        } catch (const engine::InvalidExperiment& error) {
            QCOMPARE(error.problems().size(), std::size_t{2});
            QVERIFY(says(error.problems()[0].text, "leave it out"));
        }
    }

    void impossibleSettingsAreRefused() {
        GalleryOptions options = quick();
        options.settings["link.bandwidth"] = std::int64_t{0};
        for (const char* name : {"sublayer-runtime", "end-to-end", "cu-split"})
            QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, Gallery(options).make(name));
    }

    void aStopEndsIt() {
        for (const char* name : {"sublayer-speedup", "communication-share", "cu-split"}) {
            std::stop_source stop;
            GalleryOptions options = quick();
            options.stop = stop.get_token();
            options.progress = [&](double done) {
                if (done > 0.1)
                    stop.request_stop();
            };
            Gallery gallery(options);
            QVERIFY_THROWS_EXCEPTION(engine::RunStopped, gallery.make(name));
            QVERIFY_THROWS_EXCEPTION(engine::RunStopped, gallery.make(name));
        }
    }

    void whatSeveralFiguresNeedIsSimulatedOnce() {
        std::size_t calls = 0;
        double last = 0;
        bool rises = true;
        GalleryOptions options = quick();
        options.progress = [&](double done) {
            ++calls;
            rises = rises && done >= last;
            last = done;
        };
        Gallery gallery(options);
        gallery.make("sublayer-runtime");
        QVERIFY(rises);
        QVERIFY(close(last, 1));
        const std::size_t simulating = std::exchange(calls, 0);
        gallery.make("sublayer-speedup");
        gallery.make("dram-access");
        QVERIFY(simulating > 80);
        QVERIFY(calls <= 2);
    }

    void unknownNamesThrow() {
        QVERIFY(findGalleryEntry("sublayer-speedups") == nullptr);
        Gallery gallery(quick());
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, gallery.make("sublayer-speedups"));
    }
};

RINGSIDE_TEST(TestFigureGallery)
#include "tst_figure_gallery.moc"
