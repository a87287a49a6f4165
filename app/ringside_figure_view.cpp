// Figures of views, from a window that nobody sees.
#include "app/ringside_figure_sources.h"
#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/figure/figure_choice.h"
#include "data/figure/figure_parts.h"
#include "data/figure/view_source.h"
#include "engine/api/letters.h"
#include "engine/api/problem.h"
#include "engine/api/runner.h"
#include "ui/compare/compare_feature.h"
#include "ui/compare/compare_view.h"
#include "ui/figure/figure_feature.h"
#include "ui/look/application_style.h"
#include "ui/look/format.h"
#include "ui/model/model_feature.h"
#include "ui/model/model_view.h"
#include "ui/ringside_window.h"
#include "ui/scene/scene_feature.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <optional>
#include <variant>

namespace app {
namespace {

constexpr int kLookMs = 20;  // between two looks at whether the view has its answer
constexpr int kSettleMs = 60;

std::string small(std::string text) {
    std::ranges::transform(text, text.begin(), engine::lowerLetter);
    return text;
}

bool isLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Returns whether a name begins with the word, or one of its words does: "DMA engine" for "dma".
bool isMeant(const std::string& name, const std::string& word) {
    const std::string all = small(name), wanted = small(word);
    for (std::size_t at = all.find(wanted); !wanted.empty() && at != std::string::npos; at = all.find(wanted, at + 1)) {
        if (at == 0 || !isLetterOrDigit(all[at - 1]))
            return true;
    }
    return false;
}

/// Leaves only the GPUs and lanes that the choices name. A lane of a timeline is a row of spans, or a panel below them.
class LaneChoice {
public:
    explicit LaneChoice(data::FigureSpec& figure) : m_figure(figure) {}

    void apply(const std::string& option, const std::string& value) {
        m_option = option;
        m_value = value;
        if (option == "gpus")
            keepGpus();
        else
            keepLanes();
        m_figure.height.reset();
    }

private:
    [[noreturn]] void refuse(const std::string& word, const std::vector<std::string>& there) const {
        throw engine::InvalidExperiment({{"--" + m_option, word,
                                          there.empty() ? "only a timeline has " + m_option
                                                        : "the timeline has no such " + m_option + "; it has " +
                                                              data::joinedNames(there, " and ")}});
    }

    void keepGpus() {
        std::vector<std::string> kept;
        for (const std::string& word : data::wordsOfList(m_value))
            kept.push_back("GPU " + word);
        keep(data::FigurePartKind::group, [&](const std::string& name) { return data::isAmong(kept, name); });
        const std::vector<std::string> there = names(data::FigurePartKind::group);
        for (const std::string& name : kept) {
            if (!data::isAmong(there, name))
                refuse(name, m_before);
        }
    }

    void keepLanes() {
        const std::vector<std::string> words = data::wordsOfList(m_value);
        const auto meant = [&](const std::string& name) {
            return std::ranges::any_of(words, [&](const std::string& word) { return isMeant(name, word); });
        };
        std::vector<std::string> all = names(data::FigurePartKind::lane);
        for (const data::FigurePanel& panel : m_figure.panels) {
            if (isArea(panel))
                data::addOnce(all, panel.y.title.substr(0, panel.y.title.find(" of GPU ")));
        }
        for (const std::string& word : words) {
            if (std::ranges::none_of(all, [&](const std::string& name) { return isMeant(name, word); }))
                refuse(word, all);
        }
        const bool anyLane = std::ranges::any_of(names(data::FigurePartKind::lane), meant);
        if (anyLane)
            keep(data::FigurePartKind::lane, meant);
        std::erase_if(m_figure.panels,
                      [&](const data::FigurePanel& panel) { return isArea(panel) ? !meant(panel.y.title) : !anyLane; });
    }

    std::vector<std::string> names(data::FigurePartKind kind) const {
        return data::namesOf(data::partsOf(m_figure, kind), &data::FigurePart::name);
    }

    template <class Meant>
    void keep(data::FigurePartKind kind, Meant meant) {
        m_before = names(kind);
        if (std::ranges::none_of(m_before, meant))
            refuse(m_value, m_before);
        for (const std::string& name : m_before) {
            if (meant(name))
                continue;
            for (data::FigurePanel& panel : m_figure.panels)
                data::removePart(panel, kind, name);
        }
        if (kind == data::FigurePartKind::group)
            std::erase_if(m_figure.panels, [&](const data::FigurePanel& panel) {
                const std::size_t of = panel.y.title.find(" of GPU ");
                return isArea(panel) && of != std::string::npos && !meant(panel.y.title.substr(of + 4));
            });
    }

    /// Returns whether a panel shows how full something is, below the lanes.
    static bool isArea(const data::FigurePanel& panel) {
        return !panel.marks.empty() && std::holds_alternative<data::AreaMark>(panel.marks.front());
    }

    data::FigureSpec& m_figure;
    std::string m_option, m_value;
    std::vector<std::string> m_before;
};

/// The window whose view becomes a figure.
class HiddenWindow {
public:
    HiddenWindow(const data::Scene& scene, const std::stop_token& stop)
        : m_scene(scene), m_stop(stop), m_window(configOf(scene)) {
        QObject::connect(&m_window.logs(), &ui::RunLogBuilder::settled, &m_loop, [this] { m_settled = true; });
        QObject::connect(&m_window.runs().session(), &ui::RunSession::runFailed, &m_loop,
                         [this](const ui::RunFailure& failure) { m_failure = failure.text; });
        QObject::connect(&m_window.model().view().session(), &ui::ModelSession::runRefused, &m_loop,
                         [this](const engine::Problems& problems) { m_failure = ui::text(problems); });
        QObject::connect(&m_window.compare().view(), &ui::CompareView::compareShown, &m_loop,
                         [this] { m_compared = true; });
    }

    ui::FigureOffer figure() {
        const bool model = m_scene.view == "model", compare = m_scene.view == "compare";
        if (!m_window.showAlone(QString::fromStdString(m_scene.view)))
            throw engine::InvalidExperiment({{"WHAT", m_scene.view, "the window has no such view"}});
        m_window.show();
        if (model) {
            m_failure.clear();
            if (!m_scene.page.empty() && !m_window.model().view().showPage(QString::fromStdString(m_scene.page)))
                throw engine::InvalidExperiment(
                    {{"WHAT", m_scene.view + "/" + m_scene.page, "the view has no such page"}});
            waitFor([this] { return m_window.isViewAnswered(); });
        } else {
            waitFor([this] { return m_settled; });
            data::Scene rest = m_scene;
            rest.draft.reset();
            m_window.scenes().showScene(rest);
            if (compare)
                waitFor([this] { return m_compared; });
        }
        settle();
        std::optional<ui::FigureOffer> offer = m_window.figures().figureOfView();
        if (!offer)
            throw engine::InvalidExperiment(
                {{"WHAT", m_scene.view, "this view shows nothing that could be a figure of this experiment"}});
        return std::move(*offer);
    }

private:
    static ui::RingsideWindowConfig configOf(const data::Scene& scene) {
        ui::RingsideWindowConfig config;
        config.draft = *scene.draft;
        config.theme = ui::Theme::light;
        config.size = QSize(1600, 900);
        return config;
    }

    void settle() {
        QTimer::singleShot(kSettleMs, &m_loop, &QEventLoop::quit);
        m_loop.exec();
    }

    template <class Done>
    void waitFor(Done done) {
        QTimer look;
        look.setInterval(kLookMs);
        QObject::connect(&look, &QTimer::timeout, &m_loop, [&] {
            if (done() || !m_failure.isEmpty() || m_stop.stop_requested())
                m_loop.quit();
        });
        look.start();
        m_loop.exec();
        if (m_stop.stop_requested())
            throw engine::RunStopped();
        if (!m_failure.isEmpty() && !done())
            throw engine::InvalidExperiment({{"EXPERIMENT", "", m_failure.toStdString()}});
    }

    const data::Scene& m_scene;
    const std::stop_token& m_stop;
    QEventLoop m_loop;
    ui::RingsideWindow m_window;
    bool m_settled = false, m_compared = false;
    QString m_failure;
};

}  // namespace

const std::vector<std::string>& figureViews() {
    static const std::vector<std::string> kViews{"timeline",     "machine",        "chunks",      "tracker",
                                                 "inside",       "split",          "memory",      "compare",
                                                 "model",        "model/graph",    "model/step",  "model/operators",
                                                 "model/memory", "model/messages", "model/advice"};
    return kViews;
}

ui::FigureOffer figureOfView(const data::FigureSource& source, const std::stop_token& stop) {
    engine::Problems problems;
    const data::Scene scene = data::sceneOf(source, problems);
    if (!data::isAmong(figureViews(), source.name))
        problems.push_back(
            {"WHAT", source.name,
             "no view of this name gives a figure; allowed: " + data::joinedNames(figureViews(), " and ")});
    if (problems.empty())
        problems = data::expand(*scene.draft).problems;
    data::refuseAny(std::move(problems));
    ui::FigureOffer offer = HiddenWindow(scene, stop).figure();
    LaneChoice lanes(offer.figure);
    for (const std::string& choice : source.choices) {
        const data::FigureChoice read = data::choiceOf(choice);
        if (read.option == "gpus" || read.option == "lanes")
            lanes.apply(read.option, read.value);
    }
    return offer;
}

}  // namespace app
