#include "data/document/document_reader.h"
#include "data/experiment/own_presets.h"
#include "data/model/model_architectures.h"
#include "data/model/model_import.h"
#include "data/presets/presets.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

#include <fstream>
#include <iterator>

using namespace data;

namespace {

using tests::described;

std::string configNamed(const std::string& name) {
    std::ifstream file(std::string(RINGSIDE_CONFIGS) + "/" + name + ".json", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

ModelImport importOf(const std::string& name, const ImportOptions& options = {}) {
    return importModel(configNamed(name), name, options);
}

/// Returns the problems of Llama 3 70B's file after one text in it is replaced by another.
engine::Problems problemsWith(const char* before, const char* after) {
    const QString text = QString::fromStdString(configNamed("llama-3-70b"));
    QString changed = text;
    changed.replace(QLatin1String(before), QString::fromUtf8(after));
    if (changed == text)
        return {{"test", before, "is not in the file"}};
    return importModel(changed.toStdString(), "a file").problems;
}

engine::Experiment experimentOf(const ModelImport& model, const char* sublayer, std::int64_t tp) {
    ExperimentDraft draft{model.values};
    draft.explicitValues["workload.model"] = std::string("imported");
    draft.explicitValues["workload.sublayer"] = std::string(sublayer);
    draft.explicitValues["parallel.tp"] = tp;
    const Expansion expansion = expand(draft);
    return expansion.runnable() ? expansion.experiment : engine::Experiment{};
}

}  // namespace

class TestModelImport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyModelHasAsManyParametersAsItsAuthorsSay_data() {
        QTest::addColumn<double>("published");  // as counted by the publishers of the weights
        QTest::newRow("llama-2-7b") << 6.738e9;
        QTest::newRow("llama-3.1-8b") << 8.030e9;
        QTest::newRow("llama-3-70b") << 70.55e9;
        QTest::newRow("mistral-7b") << 7.242e9;
        QTest::newRow("mistral-nemo-12b") << 12.25e9;
        QTest::newRow("mixtral-8x7b") << 46.70e9;
        QTest::newRow("gpt2-xl") << 1.5576e9;
        QTest::newRow("gpt-neox-20b") << 20.55e9;
        QTest::newRow("opt-66b") << 65.72e9;
        QTest::newRow("falcon-7b") << 6.922e9;
        QTest::newRow("falcon-40b") << 41.30e9;
        QTest::newRow("qwen-7b") << 7.721e9;
        QTest::newRow("qwen2-7b") << 7.616e9;
        QTest::newRow("qwen3-0.6b") << 0.596e9;
    }
    void everyModelHasAsManyParametersAsItsAuthorsSay() {
        QFETCH(double, published);
        const ModelImport model = importOf(QTest::currentDataTag());
        QVERIFY2(model.problems.empty(), described(model.problems).c_str());
        QVERIFY2(std::abs(model.parameters / published - 1) < 0.01, std::to_string(model.parameters).c_str());
    }

    void aBundledModelHasTheSizesOfItsConfiguration() {
        for (const char* name : {"gpt2-xl", "llama-3-70b", "mixtral-8x7b"}) {
            Settings imported = importOf(name).values;
            const Settings& bundled = findModel(name)->settings;
            for (const char* path : {"workload.sequence", "workload.batch"})  // values that a user may choose
                imported.insert_or_assign(path, bundled.at(path));
            engine::Experiment ofFile, ofPreset;
            for (const auto& [path, value] : imported)
                engine::findParameter(path)->write(ofFile, value);
            for (const auto& [path, value] : bundled)
                engine::findParameter(path)->write(ofPreset, value);
            // The file also contains values that follow from others.
            engine::WorkloadConfig& preset = ofPreset.workload;
            preset.heads = engine::queryHeads(preset);
            preset.feedForward = engine::feedForwardWidth(preset);
            QVERIFY2(ofFile == ofPreset, name);
        }
    }

    void everyArchitectureHasAFileThatIsRead() {
        std::string read;
        for (const char* name : {"llama-2-7b", "mistral-7b", "mixtral-8x7b", "gpt2-xl", "gpt-neox-20b", "opt-66b",
                                 "falcon-7b", "qwen-7b", "qwen2-7b", "qwen3-0.6b"})
            read += importOf(name).notes;
        for (const ModelArchitecture& architecture : modelArchitectures())
            QVERIFY2(read.find(architecture.name) != std::string::npos, std::string(architecture.name).c_str());
    }

    void aLlamaIsSlicedAsItsOwnMatricesAre() {
        // Before slicing over 8: op 64 heads of 128; fc-2 28,672; fc-1 twice that, with the gate; ip the queries' 8,192
        // and 8 heads of 128 for keys and for values.
        const ModelImport llama = importOf("llama-3-70b");
        for (const auto& [sublayer, side] :
             {std::pair{"op", 8192}, {"fc-2", 28672}, {"fc-1", 57344}, {"ip", 8192 + 2 * 1024}}) {
            const engine::Experiment experiment = experimentOf(llama, sublayer, 8);
            QCOMPARE(experiment.workload.model, std::string("imported"));
            QCOMPARE(engine::slicedSide(experiment.workload), std::int64_t{side});
            QCOMPARE(engine::shapeOf(experiment).n, std::int64_t{8192});
            QCOMPARE(engine::shapeOf(experiment).k, std::int64_t{side / 8});
        }
        QCOMPARE(experimentOf(llama, "op", 8).workload.vocabulary, std::int64_t{128256});
        QCOMPARE(experimentOf(llama, "op", 8).workload.layers, std::int64_t{80});
    }

    void aHeadOfItsOwnSizeMakesTheQueriesNarrowerThanTheModel() {
        // 32 heads of 128 are 4,096 of 5,120 columns; 8 key heads are 1,024.
        const engine::Experiment nemo = experimentOf(importOf("mistral-nemo-12b"), "ip", 8);
        QCOMPARE(engine::queryWidth(nemo.workload), std::int64_t{4096});
        QCOMPARE(engine::slicedSide(nemo.workload), std::int64_t{4096 + 2 * 1024});
    }

    void falconsShareKeysAmongAllHeadsOrAmongGroups() {
        // A flag of the later models decides whether num_kv_heads is read: it is 71 in the file of the smaller model,
        // without the
        // flag.
        QCOMPARE(experimentOf(importOf("falcon-7b"), "op", 2).workload.kvHeads, std::optional<std::int64_t>(1));
        QCOMPARE(experimentOf(importOf("falcon-40b"), "op", 2).workload.kvHeads, std::optional<std::int64_t>(8));
    }

    void theFirstQwenCountsTheGateInItsWidth() {
        QCOMPARE(experimentOf(importOf("qwen-7b"), "fc-2", 2).workload.feedForward, std::optional<std::int64_t>(11008));
    }

    void aMixtureHasItsExperts() {
        const engine::Experiment mixtral = experimentOf(importOf("mixtral-8x7b"), "fc-2", 8);
        QCOMPARE(mixtral.workload.experts, std::int64_t{8});
        QCOMPARE(mixtral.workload.expertsPerToken, std::int64_t{2});
    }

    void whatIsAssumedIsSaid() {
        const auto sequence = [](const ModelImport& model) {
            return std::get<std::int64_t>(model.values.at("workload.sequence"));
        };
        const auto says = [](const ModelImport& model, const char* words) {
            return model.notes.find(words) != std::string::npos;
        };
        const ModelImport made = importOf("llama-2-7b"), cut = importOf("llama-3.1-8b"), none = importOf("falcon-7b");
        QCOMPARE(sequence(made), std::int64_t{4096});
        QVERIFY(says(made, "Sequence 4096 assumed: max_position_embeddings; batch 1 assumed"));
        QCOMPARE(sequence(cut), kLongestAssumedSequence);
        QVERIFY(says(cut, "Sequence 8192 assumed, of the 131072 that max_position_embeddings allows"));
        QCOMPARE(sequence(none), std::int64_t{2048});
        QVERIFY(says(none, "Sequence 2048 assumed: the file has no max_position_embeddings"));
        const ModelImport asked = importOf("llama-3.1-8b", {16384, 4});
        QCOMPARE(sequence(asked), std::int64_t{16384});
        QVERIFY(says(asked, "Sequence 16384 as given; batch 4 as given"));
        QVERIFY(says(importOf("opt-350m"), "Embeddings are 512 wide"));
    }

    void aFileMayNameItsTypeInPlaceOfItsArchitecture() {
        QVERIFY(problemsWith("\"LlamaForCausalLM\"", "\"SomethingElse\", \"LlamaForCausalLM\"").empty());
        QVERIFY(problemsWith("\"architectures\"", "\"were\"").empty());
        // If both keys are present, the list has priority.
        QVERIFY(problemsWith("\"model_type\": \"llama\"", "\"model_type\": 7").empty());
    }

    void anUnknownArchitectureIsRefusedWithThoseThatAreKnownAndWhatIsMissing() {
        const engine::Problems refused =
            importModel(R"({"architectures": ["T5ForConditionalGeneration"], "d_model": 1024, "vocab_size": 32128})",
                        "t5")
                .problems;
        QCOMPARE(refused.size(), std::size_t{1});
        QCOMPARE(refused.front().path, std::string("architectures"));
        for (const char* words : {"GPTNeoXForCausalLM", "needs: hidden_size", "num_hidden_layers", "intermediate_size"})
            QVERIFY2(refused.front().text.find(words) != std::string::npos, words);
        QVERIFY(refused.front().text.find("vocab_size") == std::string::npos);
        const engine::Problems alike = problemsWith("LlamaForCausalLM", "PhoenixForCausalLM");
        QCOMPARE(alike.size(), std::size_t{1});
        QVERIFY(alike.front().text.find("keys of a Llama") != std::string::npos);
    }

    void everyMissingAndWrongValueIsListed() {
        const engine::Problems problems =
            importModel(R"({"architectures": ["LlamaForCausalLM"], "hidden_size": "4096", "num_attention_heads": -32,
                            "intermediate_size": 11008.5, "num_key_value_heads": 99999999999999999999,
                            "max_position_embeddings": [4096], "tie_word_embeddings": "no"})",
                        "bad")
                .problems;
        std::vector<std::string> paths;
        for (const engine::Problem& problem : problems)
            paths.push_back(problem.path);
        QCOMPARE(paths, (std::vector<std::string>{"hidden_size", "num_hidden_layers", "num_attention_heads",
                                                  "num_key_value_heads", "intermediate_size", "vocab_size",
                                                  "max_position_embeddings", "tie_word_embeddings"}));
        for (const engine::Problem& problem : problems)
            QVERIFY2(problem.text.find("allowed: ") != std::string::npos, engine::describe(problem).c_str());
        QCOMPARE(engine::describe(problems[2]),
                 std::string("num_attention_heads: -32: out of range; allowed: 1 to 4096"));
    }

    void whatCannotBeTogetherIsRefused_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QString>("reported");
        QTest::newRow("heads that do not divide the width")
            << QByteArray("\"num_attention_heads\": 64") << QByteArray("\"num_attention_heads\": 48")
            << "num_attention_heads: 48: does not divide hidden_size = 8192, and there is no head_dim; nearest allowed: "
               "32 and 64";
        QTest::newRow("key heads that do not divide the heads")
            << QByteArray("\"num_key_value_heads\": 8") << QByteArray("\"num_key_value_heads\": 7")
            << "num_key_value_heads: 7: does not divide num_attention_heads = 64; nearest allowed: 4 and 8";
        QTest::newRow("more key heads than heads")
            << QByteArray("\"num_key_value_heads\": 8") << QByteArray("\"num_key_value_heads\": 128")
            << "num_key_value_heads: 128: does not divide num_attention_heads = 64; nearest allowed: 64";
        QTest::newRow("zero") << QByteArray("\"hidden_size\": 8192") << QByteArray("\"hidden_size\": 0")
                              << "hidden_size: 0: out of range; allowed: 64 to 262144";
        QTest::newRow("twice") << QByteArray("\"hidden_size\": 8192")
                               << QByteArray("\"hidden_size\": 8192, \"hidden_size\": 4096")
                               << "hidden_size: given twice";
        QTest::newRow("null") << QByteArray("\"vocab_size\": 128256") << QByteArray("\"vocab_size\": null")
                              << "vocab_size: missing; every LlamaForCausalLM must have it";
        QTest::newRow("no list") << QByteArray("[\n    \"LlamaForCausalLM\"\n  ]") << QByteArray("\"LlamaForCausalLM\"")
                                 << "architectures: \"LlamaForCausalLM\": a list with a name is expected";
    }
    void whatCannotBeTogetherIsRefused() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(QString, reported);
        const engine::Problems problems = problemsWith(before.constData(), after.constData());
        QCOMPARE(problems.size(), std::size_t{1});
        const QString said = QString::fromStdString(engine::describe(problems.front()));
        QVERIFY2(said.startsWith(reported), qPrintable(said));
    }

    void aHeadSizeMakesUpForHeadsThatDoNotDivideTheWidth() {
        QVERIFY(problemsWith("\"num_attention_heads\": 64", "\"head_dim\": 128, \"num_attention_heads\": 56").empty());
    }

    void oddWidthsAndTooManyExpertsAreRefused() {
        QString qwen = QString::fromStdString(configNamed("qwen-7b"));
        qwen.replace(QLatin1String("22016"), QLatin1String("22017"));
        QVERIFY(
            described(importModel(qwen.toStdString(), "qwen").problems).starts_with("intermediate_size: 22017: odd"));
        QString mixtral = QString::fromStdString(configNamed("mixtral-8x7b"));
        mixtral.replace(QLatin1String("\"num_experts_per_tok\": 2"), QLatin1String("\"num_experts_per_tok\": 9"));
        QVERIFY(described(importModel(mixtral.toStdString(), "mixtral").problems)
                    .starts_with("num_experts_per_tok: 9: more"));
    }

    void whateverIsHandedOverEndsInAMessage() {
        for (const std::string& text :
             {std::string(), std::string("[]"), std::string("7"), std::string("{"), std::string("\xFF\xFE{}"),
              std::string("{\"architectures\": [\"\xC3\x28\"]}"), std::string(100'000, '['),
              std::string("{\"a\":") + std::string(100'000, '{'), std::string(17 * 1024 * 1024, ' '),
              std::string("{\"architectures\": [7, null]}"), std::string("{\"architectures\": []}"), std::string("{}"),
              std::string("{\"model_type\": \"\"}"), std::string("{\"hidden_size\": 1e999}")}) {
            const ModelImport model = importModel(text, "a file");
            QVERIFY(!model.problems.empty());
            QVERIFY(model.values.empty());
            for (const engine::Problem& problem : model.problems)
                QVERIFY2(!problem.text.empty() && !problem.path.empty(), engine::describe(problem).c_str());
        }
    }

    void whatTheFileCallsItselfBecomesANameThatAPresetMayHave() {
        QCOMPARE(importOf("llama-2-7b").name, std::string("llama-2-7b-hf"));
        QVERIFY(importOf("llama-3-70b").name.empty());
        QCOMPARE(importOf("llama-3-70b").type, std::string("llama"));
        for (const char* path : {"", "/", "...", "a/b c:d", "\\\\host\\X", "ünï"}) {
            QString text = QString::fromStdString(configNamed("llama-2-7b"));
            QString quoted = QString::fromUtf8(path);
            quoted.replace(u'\\', QLatin1String("\\\\"));
            text.replace(QLatin1String("meta-llama/Llama-2-7b-hf"), quoted);
            const ModelImport model = importModel(text.toStdString(), "a file");
            QVERIFY2(model.problems.empty(), described(model.problems).c_str());
            QVERIFY2(model.name.empty() || !checkOwnName(OwnKind::model, model.name), model.name.c_str());
        }
    }

    void anImportedModelIsAPresetThatIsKeptAndReadBack() {
        const QTemporaryDir folder;
        OwnPresets own(folder.path().toStdString());
        const ModelImport model = importOf("llama-3-70b");
        own.save({OwnKind::model, "my-llama", model.values, model.notes});
        const OwnPresets again(folder.path().toStdString());
        QVERIFY2(again.problems().empty(), described(again.problems()).c_str());
        QCOMPARE(again.find(OwnKind::model, "my-llama")->values, model.values);
        QCOMPARE(again.find(OwnKind::model, "my-llama")->notes, model.notes);
        QCOMPARE(listedPresets(OwnKind::model, again).front().notes, model.notes);
    }
};

RINGSIDE_TEST(TestModelImport)
#include "tst_model_import.moc"
