#include "data/experiment/experiment_document.h"
#include "data/questions/sensitivity.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "tests/data/kept_runs.h"
#include "tests/data/model_page.h"
#include "tests/data/reproduced_items.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

// The measured numbers of MODEL.md that take many runs of the 16 cases: calibration, sensitivity, the bank model.

namespace {

using tests::ReproducedItems;

/// Returns settings from texts in the form of `packaging/calibrate`: "memory.update_cost=1.2".
template <typename... Texts>
data::Settings settingsOf(const Texts&... texts) {
    data::Settings settings;
    for (const QString& text : QStringList{QString(texts)...}) {
        const std::string path = text.section(u'=', 0, 0).toStdString();
        engine::Problems problems;
        const auto value =
            engine::parseValue(*engine::findParameter(path), text.section(u'=', 1).toStdString(), problems);
        if (!value)
            qFatal("%s", qPrintable(text));
        settings[path] = *value;
    }
    return settings;
}

/// Returns every setting of the grid in packaging/calibrate. Each changes one default.
QStringList calibrationGrid() {
    QFile script(QStringLiteral(RINGSIDE_SOURCE "/packaging/calibrate"));
    if (!script.open(QIODevice::ReadOnly))
        qFatal("packaging/calibrate cannot be read");
    static const QRegularExpression kAxis(QStringLiteral("^    ([a-z_.]+)=(\\S+)$"));
    QStringList settings;
    bool inside = false;
    for (const QString& line : QString::fromUtf8(script.readAll()).split(u'\n')) {
        inside = line == QStringLiteral("grid=(") || (inside && line != QStringLiteral(")"));
        const QRegularExpressionMatch axis = kAxis.match(line);
        if (!inside || !axis.hasMatch())
            continue;
        for (const QString& value : axis.captured(2).split(u','))
            settings += axis.captured(1) + u'=' + value;
    }
    return settings;
}

/// Returns the settings of the grid that have a row in MODEL.md, with the names that they have there.
const std::map<QString, QString>& rowsOfTheTable() {
    static const std::map<QString, QString> kNames{{"memory.update_cost=1.2", "update cost 1.2"},
                                                   {"memory.update_cost=1.6", "update cost 1.6"},
                                                   {"memory.update_cost=1.8", "update cost 1.8"},
                                                   {"memory.efficiency=0.65", "efficiency 0.65"},
                                                   {"gemm.prefetch=32", "prefetch 32"},
                                                   {"cu.residency=slots", "two slots per CU"},
                                                   {"cache.queue=off", "no slice queue"},
                                                   {"gemm.group=1", "row after row"},
                                                   {"cu.start_jitter=5us", "start jitter 5 us"},
                                                   {"memory.store_order=reads-first", "reads first"},
                                                   {"memory.store_order=write-drain", "write drain"}};
    return kNames;
}

/// Returns the figures of one row of the calibration. `valueOf` gives each one's value by its name: ours or the
/// published.
template <typename ValueOf>
std::vector<double> figuresOfARow(ValueOf valueOf) {
    return {valueOf("t3-geomean"),
            valueOf("t3-max"),
            valueOf("t3-mca-geomean"),
            valueOf("t3-mca-max"),
            valueOf("t3-mca-over-t3-geomean"),
            100 * valueOf("dram-reduction-geomean"),
            100 * valueOf("dram-reduction-max"),
            valueOf("gemm-read-reduction-geomean")};
}

std::vector<double> calibrationRow(const ReproducedItems& items) {
    std::vector<double> row = figuresOfARow([&](const char* id) { return items.ours(id); });
    row.push_back(items.meanLogDifference());
    return row;
}

/// Returns settings as text, as a name for the runs under them.
std::string textOf(const data::Settings& settings) {
    std::string text;
    for (const auto& [path, value] : settings)
        text += path + '=' + engine::formatValue(*engine::findParameter(path), value) + '\n';
    return text;
}

/// Returns the figures under these settings. They are computed once, because several sections use the same settings or
/// name a default.
const ReproducedItems& itemsOf(data::Settings settings) {
    // Settings that equal a default are dropped, but not if the settings name another machine, whose defaults differ.
    const engine::Experiment usual = data::expand({}).experiment;
    const auto isUsual = [&](const auto& setting) {
        return engine::findParameter(setting.first)->read(usual) == setting.second;
    };
    const auto machine = settings.find("machine");
    if (machine == settings.end() || isUsual(*machine))
        std::erase_if(settings, isUsual);
    static std::map<data::Settings, ReproducedItems> computed;
    static const tests::KeptRuns kKept("model_page_slow");
    if (const auto known = computed.find(settings); known != computed.end())
        return known->second;
    const std::string store = kKept.storeFor(textOf(settings));
    return computed.emplace(settings, ReproducedItems(settings, store)).first->second;
}

template <typename... Texts>
const ReproducedItems& itemsUnder(const Texts&... texts) {
    return itemsOf(settingsOf(texts...));
}

const ReproducedItems& defaults() { return itemsUnder(); }

/// Returns T3's geometric mean for each of the settings, and then T3-MCA's, at interactive detail.
std::vector<double> bothGeomeans(const std::vector<data::Settings>& changes) {
    std::vector<double> t3, mca;
    for (data::Settings settings : changes) {
        settings["detail.level"] = std::string("interactive");
        const ReproducedItems& items = itemsOf(settings);
        t3.push_back(items.ours("t3-geomean"));
        mca.push_back(items.ours("t3-mca-geomean"));
    }
    t3.insert(t3.end(), mca.begin(), mca.end());
    return t3;
}

engine::Experiment slowCaseUnder(const data::EvaluatedCase& one, const std::string& policy,
                                 const data::Settings& settings) {
    data::ExperimentDraft draft;
    draft.explicitValues = settings;
    draft.explicitValues["workload.model"] = one.model;
    draft.explicitValues["workload.sublayer"] = one.sublayer;
    draft.explicitValues["parallel.tp"] = one.tp;
    draft.explicitValues["policy.preset"] = policy;
    return data::expand(draft).experiment;
}

struct Extent {
    double least = 1e9, most = -1e9;
    void add(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

/// The results of the bank model over all cases: the ranges of its outcomes, and the geometric means of T3 and T3-MCA.
struct BankFigures {
    Extent sequentialEfficiency, fusedEfficiency, updateCost;
    double t3 = 1, mca = 1;
};

/// Returns the figures of the bank model. A run with the bank model takes dozens of times as long as one at a sustained
/// rate, so no run is made twice, and runs that no figure needs are left out, such as the reduce-scatter alone.
BankFigures bankFiguresUnder(const data::Settings& settings) {
    const std::vector<data::EvaluatedCase> cases = data::evaluatedCases();
    std::vector<engine::Experiment> experiments;
    for (const data::EvaluatedCase& one : cases) {
        for (const char* policy : {"sequential", "t3", "t3-mca"})
            experiments.push_back(slowCaseUnder(one, policy, settings));
    }
    const std::vector<engine::RunOutcome> outcomes =
        engine::runMany(experiments, {.each = {.baselines = false}, .threads = tests::threadsHere()});
    const auto last = [&](std::size_t index) -> const engine::GpuResult& {
        return outcomes[index].result.value().last;
    };
    const auto totalOf = [&](std::size_t index) { return static_cast<double>(last(index).time.total.ps); };
    BankFigures figures;
    const double root = 1.0 / static_cast<double>(cases.size());
    for (std::size_t first = 0; first < experiments.size(); first += 3) {
        figures.sequentialEfficiency.add(last(first).dramOutcome.value().efficiency);
        for (const std::size_t fused : {first + 1, first + 2}) {
            figures.fusedEfficiency.add(last(fused).dramOutcome.value().efficiency);
            figures.updateCost.add(last(fused).dramOutcome.value().updateCost);
        }
        figures.t3 *= std::pow(totalOf(first) / totalOf(first + 1), root);
        figures.mca *= std::pow(totalOf(first) / totalOf(first + 2), root);
    }
    return figures;
}

/// Returns the largest effect of a change of one of these parameters by a tenth, in per cent of the total.
double effectOf(const engine::Experiment& experiment, const std::vector<std::string>& paths) {
    const data::SensitivityOptions options{
        .paths = paths, .choices = false, .seeds = 1, .threads = tests::threadsHere()};
    double most = 0;
    for (const data::Sensitivity& one : data::sensitivityOf(experiment, options).parameters)
        most = std::max(most, 100 * std::abs(one.effect));
    return most;
}

}  // namespace

class TestModelPageSlow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void calibration() {
        const char* const numbers = " | # | # | # | # | # | # % | # % | # | # |";
        m_page.check(QStringLiteral("| defaults") + numbers, calibrationRow(defaults()));
        const QStringList grid = calibrationGrid();
        double best = -1;
        std::size_t rows = 0;
        for (const QString& setting : grid) {
            const ReproducedItems& items = itemsUnder(setting);
            best = std::max(best, defaults().meanLogDifference() - items.meanLogDifference());
            const auto row = rowsOfTheTable().find(setting);
            if (row == rowsOfTheTable().end())
                continue;
            ++rows;
            m_page.check(QStringLiteral("| ") + row->second + numbers, calibrationRow(items));
        }
        QCOMPARE(rows, rowsOfTheTable().size());
        m_page.check("the defaults come to #; of # rows none is better by more than #,",
                     {defaults().meanLogDifference(), static_cast<double>(grid.size()), best});
        m_page.check("| published | # | # | # | # | # | # % | # % | # | |", publishedRow());
        m_page.checkEveryRowBelow("## Calibration");
        verify();
    }

    void sensitivity() {
        const auto row = [&](const char* text, const std::vector<QString>& settings) {
            std::vector<data::Settings> changes;
            changes.reserve(settings.size());
            for (const QString& setting : settings)
                changes.push_back(setting.isEmpty() ? data::Settings{} : settingsOf(setting));
            m_page.check(text, bothGeomeans(changes));
        };
        row("| none | # | # |", {""});
        row("| reads overtake the GEMM's own stores | # | # |", {"memory.store_order=reads-first"});
        row("| update cost 1.0 / 2.0 | # / # | # / # |", {"memory.update_cost=1", "memory.update_cost=2"});
        row("| share 1:1 | # | # |", {"arbitration.share=1"});
        row("| prefetch 1 / 4 / 6 K-steps | # / # / # | # / # / # |",
            {"gemm.prefetch=32", "gemm.prefetch=128", "gemm.prefetch=192"});
        row("| two slots per CU | # | # |", {"cu.residency=slots"});
        row("| no slice queue | # | # |", {"cache.queue=off"});
        row("| row after row | # | # |", {"gemm.group=1"});
        row("| 128 tile rows | # | # |", {"gemm.tile_m=128"});
        row("| 16 tracker entries / 1 | # / # | # / # |", {"tracker.entries=16", "tracker.entries=1"});
        row("| start jitter 20 us | # | # |", {"cu.start_jitter=20us"});
        row("| link 75 GB/s | # | # |", {"link.bandwidth=75GB/s"});
        m_page.checkEveryRowBelow("## Sensitivity");
        verify();
    }

    void mechanismsInPlaceOfConstants() {
        const std::vector<const ReproducedItems*> columns{
            &itemsUnder("cache.queue=off", "cu.residency=slots", "gemm.group=1"),
            &itemsUnder("cu.residency=slots", "gemm.group=1"), &itemsUnder("gemm.group=1"), &defaults()};
        const auto row = [&](const char* figure, const QString& published, const auto& valueOf) {
            const char* const number = published.endsWith(u'%') ? " | # %" : " | #";
            std::vector<double> values;
            for (const ReproducedItems* items : columns)
                values.push_back(valueOf(*items));
            m_page.check(QStringLiteral("| %1 | %2%3%3%3%3 |").arg(figure, published, number), values);
        };
        const auto figure = [&](const char* name, const QString& published, const char* id) {
            const double scale = published.endsWith(u'%') ? 100 : 1;
            row(name, published, [&](const ReproducedItems& items) { return scale * items.ours(id); });
        };
        figure("ideal overlap, geomean", "1.35", "ideal-overlap-geomean");
        figure("ideal overlap, best", "1.50", "ideal-overlap-max");
        figure("T3, geomean", "1.20", "t3-geomean");
        figure("T3, best", "1.39", "t3-max");
        figure("T3-MCA, geomean", "1.30", "t3-mca-geomean");
        figure("T3-MCA, best", "1.47", "t3-mca-max");
        figure("T3-MCA over T3", "1.13", "t3-mca-over-t3-geomean");
        figure("RS faster with NMC, TP 8", "1.07", "rs-nmc-tp8");
        figure("RS faster with NMC, TP 16", "1.03", "rs-nmc-tp16");
        figure("gain of the ideal by NMC, best", "1.04", "ideal-nmc-gain-max");
        figure("DRAM traffic saved, geomean", "22 %", "dram-reduction-geomean");
        figure("DRAM traffic saved, best", "36 %", "dram-reduction-max");
        figure("RS reads, times fewer, TP 8", "2.5", "rs-read-reduction-tp8");
        figure("RS reads, times fewer, TP 16", "2.2", "rs-read-reduction-tp16");
        figure("writes saved", "10 %", "write-reduction-geomean");
        figure("GEMM reads, times fewer", "1.56", "gemm-read-reduction-geomean");
        std::vector<double> differences;
        for (const ReproducedItems* items : columns)
            differences.push_back(items->meanLogDifference());
        m_page.check("| mean log-difference | | # | # | # | # |", differences);
        m_page.checkEveryRowBelow("## Mechanisms in place of constants");
        const ReproducedItems &noQueue = itemsUnder("cache.queue=off", "gemm.group=1"),
                              &smallQueue = itemsUnder("cache.queue=64KiB"),
                              &largeQueue = itemsUnder("cache.queue=256KiB");
        m_page.check("(`cache.queue=off`) T3 reaches # and T3-MCA over T3 is #.",
                     {noQueue.ours("t3-geomean"), noQueue.ours("t3-mca-over-t3-geomean")});
        m_page.check("with 64 KiB T3 reaches #, with 256 KiB #.",
                     {smallQueue.ours("t3-geomean"), largeQueue.ours("t3-geomean")});
        std::vector<double> lost;
        for (const auto& [model, tp] :
             {std::pair<std::string, std::int64_t>{"mega-gpt-2", 16}, {"t-nlg", 16}, {"t-nlg", 8}}) {
            const data::EvaluatedCase one{model, "fc-2", tp};
            const auto microseconds = [](engine::Duration time) { return static_cast<double>(time.ps) / 1e6; };
            const double t3 = microseconds(defaults().timeOf(one, "t3").total);
            lost.push_back(t3 - microseconds(itemsUnder("cache.queue=off").timeOf(one, "t3").total));
            lost.push_back(t3 - microseconds(defaults().timeOf(one, "ideal-overlap").total));
        }
        m_page.check("the queue is # of # us on Mega-GPT-2 FC-2 and # of # us on T-NLG FC-2 at TP 16, but # of # us on "
                     "T-NLG FC-2 at TP 8:",
                     lost);
        const ReproducedItems &two = itemsUnder("gemm.group=2"), &eight = itemsUnder("gemm.group=8");
        m_page.check("groups of 2 and of 8 rows come to # and #.",
                     {two.meanLogDifference(), eight.meanLogDifference()});
        verify();
    }

    void seedsMoveSingleFiguresByAPerCentOrSo() {
        Extent t3, mca, ratio, best, difference;
        for (std::int64_t seed = 1; seed <= 6; ++seed) {
            const ReproducedItems& items = itemsUnder("seed=" + QString::number(seed));
            t3.add(items.ours("t3-geomean"));
            mca.add(items.ours("t3-mca-geomean"));
            ratio.add(items.ours("t3-mca-over-t3-geomean"));
            best.add(items.ours("t3-max"));
            difference.add(items.meanLogDifference());
        }
        m_page.check(
            "over seeds 1 to 6 T3's geomean is # to #, T3-MCA's # to #, T3-MCA over T3 # to # and the mean "
            "log-difference # to #.",
            {t3.least, t3.most, mca.least, mca.most, ratio.least, ratio.most, difference.least, difference.most});
        m_page.check("With other seeds the best case is # to #.", {best.least, best.most});
        verify();
    }

    void slicesSeldomDelayTheSequentialGemm() {
        std::vector<double> changes;
        for (const data::EvaluatedCase& one : data::evaluatedCases()) {
            const auto gemmOf = [&](const ReproducedItems& items) {
                return static_cast<double>(items.timeOf(one, "sequential").gemm.ps);
            };
            const double before = gemmOf(itemsUnder("cache.queue=off", "cu.residency=slots", "gemm.group=1"));
            changes.push_back(100 * std::abs(gemmOf(itemsUnder("cu.residency=slots", "gemm.group=1")) / before - 1));
        }
        std::sort(changes.rbegin(), changes.rend());
        m_page.check(
            "by less than 0.1 % in # of the 16 cases, and by # % at most, in T-NLG OP (TP 16), which is bound by memory.",
            {static_cast<double>(std::count_if(changes.begin(), changes.end(), [](double c) { return c < 0.1; })),
             changes.front()});
        verify();
    }

    void readingsThatCannotBeExcluded() {
        const ReproducedItems &links = itemsUnder("machine=t3-table-1-75"),
                              &rate = itemsUnder("machine=t3-table-1-2048");
        m_page.check("With the machine `t3-table-1-75` T3 and T3-MCA reach # and #, with `t3-table-1-2048` # and #.",
                     {links.ours("t3-geomean"), links.ours("t3-mca-geomean"), rate.ours("t3-geomean"),
                      rate.ours("t3-mca-geomean")});
        std::vector<double> reads;
        Extent speedup;
        for (const char* size : {"14MiB", "15MiB", "16MiB", "17MiB", "18MiB"}) {
            const ReproducedItems& items = itemsUnder(QStringLiteral("llc.size=") + size);
            reads.push_back(items.ours("gemm-read-reduction-geomean"));
            speedup.add(items.ours("t3-geomean"));
        }
        m_page.check("With 14, 15, 16, 17 and 18 MiB reads are #, #, #, # and # times fewer under T3", reads);
        m_page.check("while T3's speed-up stays between # and #.", {speedup.least, speedup.most});
        double most = 0;
        for (const data::EvaluatedCase& one : data::evaluatedCases()) {
            const auto totalOf = [&](const char* policy) {
                return static_cast<double>(defaults().timeOf(one, policy).total.ps);
            };
            most = std::max(most, totalOf("t3") / totalOf("t3-mca"));
        }
        m_page.check("The best case of T3-MCA over T3 is #.", {most});
        verify();
    }

    void writeBack() {
        for (const auto& [cache, machine] : {std::pair("8 MB", "t3-llc-8"), std::pair("16 MB", "t3-table-1"),
                                             std::pair("32 MB", "t3-llc-32"), std::pair("64 MB", "t3-llc-64")}) {
            for (const char* writeBack : {"eager", "at-end"}) {
                const ReproducedItems& items =
                    itemsUnder(QStringLiteral("cache.write_back=") + writeBack, QStringLiteral("machine=") + machine);
                m_page.check(QStringLiteral("| %1, %2 | # | # | # | # |").arg(cache, writeBack),
                             {items.ours("ideal-overlap-geomean"), items.ours("t3-geomean"),
                              items.ours("t3-mca-geomean"), items.ours("gemm-read-reduction-geomean")});
            }
        }
        m_page.checkEveryRowBelow("## Write-back");
        verify();
    }

    void theTrackersSize() {
        for (const char* entries : {"256", "64", "16", "4", "1"}) {
            const QString setting = QStringLiteral("tracker.entries=") + entries;
            const ReproducedItems &unlimited = itemsUnder(setting),
                                  &bounded = itemsUnder(setting, "tracker.held_bytes=64KiB");
            m_page.check(QStringLiteral("| %1 | # | # | # | # |").arg(entries),
                         {unlimited.ours("t3-geomean"), bounded.ours("t3-geomean"), unlimited.ours("t3-mca-geomean"),
                          bounded.ours("t3-mca-geomean")});
        }
        m_page.checkEveryRowBelow("## The size of the tracker");
        verify();
    }

    void tilesOfHalfTheSize() {
        const ReproducedItems& half = itemsUnder("gemm.tile_m=128");
        m_page.check(
            "256x128 tiles for every case save # % of the traffic in the mean and # % at best; 128x128 tiles save # % and # %, "
            "and reads fall # times.",
            {100 * defaults().ours("dram-reduction-geomean"), 100 * defaults().ours("dram-reduction-max"),
             100 * half.ours("dram-reduction-geomean"), 100 * half.ours("dram-reduction-max"),
             half.ours("gemm-read-reduction-geomean")});
        verify();
    }

    void theBankModel() {
        const BankFigures banks = bankFiguresUnder(settingsOf("memory.model=banks")),
                          bursts = bankFiguresUnder(settingsOf("memory.model=banks", "dram.group_run=32B"));
        m_page.check(
            "the efficiency of plain traffic comes out at # to # under `sequential` and # to # under T3 and "
            "T3-MCA, in place of 0.75, and an update costs # to # of a plain access; T3 reaches # and T3-MCA #.",
            {banks.sequentialEfficiency.least, banks.sequentialEfficiency.most, banks.fusedEfficiency.least,
             banks.fusedEfficiency.most, banks.updateCost.least, banks.updateCost.most, banks.t3, banks.mca});
        m_page.check("With runs of one burst (32 B) an update costs # to #, and T3 and T3-MCA reach # and #:",
                     {bursts.updateCost.least, bursts.updateCost.most, bursts.t3, bursts.mca});
        verify();
    }

    // Changes the parameters of the leading cause of each case: a tenth more clock or CUs if compute leads, a tenth
    // more link bandwidth if the link leads.
    void whatTheLeadingCauseAnswersTo() {
        Extent compute, computeShare, link, linkShare;
        for (const data::EvaluatedCase& one : data::evaluatedCases()) {
            const engine::Experiment experiment = slowCaseUnder(one, "t3-mca", {});
            const engine::CauseTimes causes =
                engine::run(experiment, {.attribution = true, .baselines = false}).attribution.value().causes;
            const auto share = [&](engine::Cause cause) {
                return 100.0 * static_cast<double>(causes[cause].ps) / static_cast<double>(causes.total().ps);
            };
            const bool byLink = share(engine::Cause::link) > share(engine::Cause::compute);
            (byLink ? linkShare : computeShare).add(share(byLink ? engine::Cause::link : engine::Cause::compute));
            (byLink ? link : compute)
                .add(byLink ? effectOf(experiment, {"link.bandwidth"})
                            : effectOf(experiment, {"cu.clock", "cu.count"}));
        }
        m_page.check(
            "a tenth more clock or CUs where compute leads (# to # % for shares of # to # %), a tenth more link "
            "bandwidth where link does (# to # % for # to # %).",
            {compute.least, compute.most, computeShare.least, computeShare.most, link.least, link.most, linkShare.least,
             linkShare.most});
        verify();
    }

private:
    void verify() {
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
    }

    static std::vector<double> publishedRow() {
        return figuresOfARow([](const char* id) { return defaults().published(id); });
    }

    tests::ModelPage m_page{QStringLiteral(RINGSIDE_SOURCE "/MODEL.md")};
};

RINGSIDE_CORE_TEST(TestModelPageSlow)
#include "tst_model_page_slow.moc"
