#include "data/document/base64.h"
#include "data/document/html_text.h"
#include "data/document/packed_bytes.h"
#include "data/document/unpacked_text.h"
#include "data/page/page_document.h"
#include "data/page/page_html.h"
#include "data/page/page_words.h"
#include "tests/data/run_block_reader.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QCryptographicHash>
#include <QRegularExpression>

#include <nlohmann/json.hpp>

using namespace data;

namespace {

LaboratoryRun pageRun(const char* name, std::initializer_list<const char*> settings, int threads = 1) {
    DraftReading reading = draftNamed(name);
    applySetting("detail.level=interactive", reading.draft, reading.problems);
    for (const char* setting : settings)
        applySetting(setting, reading.draft, reading.problems);
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return Laboratory().run(reading.draft, {.recordTrace = true, .attribution = true, .threads = threads});
}

/// Returns the content of the element with an id.
QString elementOf(const QString& html, const QString& id) {
    const QRegularExpression element(QStringLiteral("<script [^>]*id=\"%1\">(.*?)</script>").arg(id),
                                     QRegularExpression::DotMatchesEverythingOption);
    return element.match(html).captured(1);
}

nlohmann::json documentOf(const QString& html) {
    return nlohmann::json::parse(elementOf(html, QStringLiteral("page")).toStdString());
}

std::string blockOf(const QString& html, const QString& id) {
    const std::string packed = QByteArray::fromBase64(elementOf(html, id).toLatin1()).toStdString();
    UnpackedText text(bytesOfText(packed));
    std::string block, piece(1 << 16, '\0');
    for (std::size_t length = 0; (length = text.read(piece.data(), piece.size())) > 0;)
        block.append(piece, 0, length);
    return text.damage().empty() ? block : std::string();
}

QString htmlOf(const PageRequest& request) { return QString::fromStdString(pageOf(request).html); }

}  // namespace

class TestPageHtml : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsOfStrangersAreText() {
        QCOMPARE(escapedHtml("<img src='x' onerror=\"f()\"> & more"),
                 std::string("&lt;img src=&#39;x&#39; onerror=&quot;f()&quot;&gt; &amp; more"));
        const std::string hostile = "\"</script><!--\u2028\u2029&\"";
        QCOMPARE(scriptJson(hostile), std::string(R"("\u003c/script\u003e\u003c!--\u2028\u2029\u0026")"));
        QVERIFY(nlohmann::json::parse(scriptJson(hostile)) == nlohmann::json::parse(hostile));
    }

    void aHostileTitleEndsNoElement() {
        PageRequest request{.runs = {pageRun("mega-gpt-2/op/tp4", {})}, .title = {}};
        const qsizetype scripts = htmlOf(request).count(QStringLiteral("<script"));
        request.title = "</title></script><img onerror=x>\u202e<!--";
        request.runs.front().name = "</h1></script><script>alert(1)</script>" + std::string(10'000, 'n');
        const QString html = htmlOf(request);
        QCOMPARE(html.count(QStringLiteral("<script")), scripts);
        QVERIFY(!html.contains(QStringLiteral("<img")));
        QCOMPARE(documentOf(html)["title"].get<std::string>(), request.title);
        QCOMPARE(documentOf(html)["runs"][0]["name"].get<std::string>(), request.runs.front().name);
    }

    void bytesBecomeBase64AndGzip() {
        std::string bytes;
        for (int i = 0; i < 300; ++i) {
            QCOMPARE(QByteArray::fromBase64(QByteArray::fromStdString(base64(bytes))),
                     QByteArray::fromStdString(bytes));
            bytes.push_back(static_cast<char>(i * 7));
        }
        const std::string packed = gzipped(bytes);
        QCOMPARE(packed.substr(4, 4), std::string(4, '\0'));  // no time
        UnpackedText text(bytesOfText(packed));
        std::string unpacked(400, '\0');
        unpacked.resize(text.read(unpacked.data(), unpacked.size()));
        QCOMPARE(unpacked, bytes);
    }

    void thePolicyAllowsExactlyTheScriptAndTheStyleOfThePage() {
        const QString html = htmlOf({.runs = {pageRun("mega-gpt-2/op/tp4", {})}, .title = {}});
        const auto hashOf = [](const char* text) {
            return QString::fromLatin1(
                QCryptographicHash::hash(QByteArray(text), QCryptographicHash::Sha256).toBase64());
        };
        const QString policy = QRegularExpression(QStringLiteral("Content-Security-Policy\" content=\"([^\"]*)\""))
                                   .match(html)
                                   .captured(1)
                                   .replace(QStringLiteral("&#39;"), QStringLiteral("'"));
        QCOMPARE(policy, QStringLiteral("default-src 'none'; script-src 'sha256-%1'; style-src 'sha256-%2'; img-src "
                                        "data:; base-uri 'none'; form-action 'none'")
                             .arg(hashOf(kPagePlayer), hashOf(kPageStyle)));
        QVERIFY(html.contains(QStringLiteral("<script>%1</script>").arg(QString::fromUtf8(kPagePlayer))));
        QVERIFY(html.contains(QStringLiteral("<style>%1</style>").arg(QString::fromUtf8(kPageStyle))));
    }

    void theSameExperimentGivesTheSameBytes() {
        const Page one = pageOf({.runs = {pageRun("mega-gpt-2/op/tp4", {}, 1)}, .title = {}});
        const Page two = pageOf({.runs = {pageRun("mega-gpt-2/op/tp4", {}, 2)}, .title = {}});
        QVERIFY(one.html == two.html);
        QVERIFY(one.spans > 1'000);
        const nlohmann::json result = documentOf(QString::fromStdString(one.html))["runs"][0]["result"];
        QVERIFY(!result.contains("wall_ns") && !result.contains("threads") && result.contains("events"));
    }

    void theDocumentHasTheRunsTheirNumbersAndTheirBlocks() {
        const PageRequest request{.runs = {pageRun("mega-gpt-2/op/tp4", {"policy=t3-mca"}),
                                           pageRun("mega-gpt-2/op/tp4", {"policy=ideal-overlap"})},
                                  .title = "Two runs"};
        const QString html = htmlOf(request);
        const nlohmann::json page = documentOf(html);
        QCOMPARE(page["format"].get<std::string>(), std::string("ringside-page"));
        QCOMPARE(page["kind"].get<std::string>(), std::string("compare"));
        QCOMPARE(page["words"]["lanes"].size(), engine::kLaneKinds);
        QCOMPARE(page["words"]["spans"].size(), engine::kSpanKinds);
        QCOMPARE(page["words"]["causes"].size(), engine::kCauses);
        for (const nlohmann::json& word : page["words"]["acts"])
            QVERIFY(!word.get<std::string>().empty());
        const nlohmann::json &run = page["runs"][0], &bound = page["runs"][1];
        QCOMPARE(run["block"].get<std::string>(), std::string("run-0"));
        QVERIFY(bound["block"].is_null());
        QCOMPARE(bound["formula"].get<std::string>(), std::string("max(GEMM, reduce-scatter) + all-gather"));
        QCOMPARE(run["headlines"][0]["ps"].get<std::int64_t>(), request.runs[0].result.last.time.total.ps);
        QCOMPARE(run["headlines"][6]["ratio"].get<double>(), request.runs[0].result.speedupOverSequential.value());
        QCOMPARE(run["result"]["experiment_hash"].get<std::string>(), request.runs[0].hash);
        QVERIFY(!run["lastWaves"].empty());
        const tests::ReadRunBlock block = tests::RunBlockReader(blockOf(html, QStringLiteral("run-0"))).read();
        QCOMPARE(block.header["end"].get<std::int64_t>(), request.runs[0].result.trace->end.ps);
        QVERIFY(!block.path.empty());
    }

    void aPageWithoutScriptHasTitleHeadlinesAndExperiment() {
        const QString html = htmlOf({.runs = {pageRun("t-nlg/fc-2/tp8", {"policy=t3-mca"})}, .title = {}});
        const QString body = html.section(QStringLiteral("<body>"), 1).section(QStringLiteral("<script"), 0, 0);
        QVERIFY(body.contains(QStringLiteral("<h1>t-nlg/fc-2/tp8 t3-mca")));
        QVERIFY(body.contains(QStringLiteral("T-NLG, Second feed-forward, 8 GPUs, T3-MCA, machine T3, table 1")));
        for (const char* title : {"Total", "GEMM", "Reduce-scatter", "All-gather", "Hidden", "Exposed", "Speed-up"})
            QVERIFY(body.contains(QStringLiteral("<dt>%1</dt>").arg(QString::fromLatin1(title))));
        QVERIFY(body.contains(QStringLiteral("ringside:1:")));
        QVERIFY(body.contains(QStringLiteral("<noscript>")));
    }

    void aRunThatAPageCannotTellExactlyIsRefused() {
        LaboratoryRun run = pageRun("mega-gpt-2/op/tp4", {});
        auto trace = std::make_shared<engine::Trace>(*run.result.trace);
        trace->end = {std::int64_t{1} << 53};
        run.result.trace = trace;
        try {
            pageOf({.runs = {run}, .title = {}});
            QFAIL("it was written");
        } catch (const engine::InvalidExperiment& refused) {
            QVERIFY(QString::fromUtf8(refused.what()).contains(QStringLiteral("2^53 ps")));
        }
    }
};

RINGSIDE_TEST(TestPageHtml)
#include "tst_page_html.moc"
