#pragma once

#include "data/questions/model_advice.h"
#include "ui/model/model_page.h"
#include "ui/shared/worker.h"

#include <QElapsedTimer>
#include <QThread>

#include <array>
#include <functional>
#include <memory>
#include <optional>

class QFrame;
class QProgressBar;
class QPushButton;

namespace ui {

class ValueTable;

/// How advice is computed. Fixed before the page is built.
struct AdviceConfig {
    using Compute = std::function<data::ModelAdvice(const data::AdviceQuestion&, const data::AdviceOptions&)>;

    int threads = QThread::idealThreadCount();
    Compute compute{};  ///< empty: data::modelAdviceOf
};

/// The page Advice: the broken rules for the sizes of a model, each with its simulated cost and a button that applies
/// its change, then the rules that hold. Computes in the background at interactive detail, and only while the page is
/// visible.
class AdvicePage final : public ComputedPage {
    Q_OBJECT

public:
    explicit AdvicePage(AdviceConfig config = {}, QWidget* parent = nullptr);

    bool isComputing() const { return m_worker.isRunning(); }
    void cancel();
    /// Returns the latest advice; null before the first answer.
    const std::shared_ptr<const data::ModelAdvice>& advice() const { return m_advice; }
    ValueTable& table() { return *m_table; }

    bool isAnswered() const override { return ComputedPage::isAnswered() && !isComputing(); }
    std::optional<FigureOffer> figure() const override;
    QWidget* picture() const override;
    bool stepOut() override;
    void save(QJsonObject&) const override {}
    void restore(const QJsonObject&) override {}

Q_SIGNALS:
    /// The user wants to apply the change; `title` is the text of the command: "Set Vocabulary to 50304".
    void changeRequested(const data::AdviceChange& change, const QString& title);

protected:
    engine::Problems answer(const ModelQuestion& question) override;
    void hideEvent(QHideEvent* event) override;

private:
    /// The widgets of a broken rule.
    struct Card {
        QFrame* frame = nullptr;
        QLabel *title = nullptr, *sentence = nullptr, *detail = nullptr;
        QPushButton* apply = nullptr;
    };

    QWidget* buildControls();
    QWidget* buildDesk();
    Card newCard(QWidget* parent, std::size_t rule);
    void compute(const data::AdviceQuestion& asked);
    void finish(const std::shared_ptr<const data::ModelAdvice>& advice);
    void fail(const QString& html);
    void showAdvice();
    void showCard(Card& card, const data::RuleAdvice& rule);
    void showComputing();
    void showProgress(double fraction);
    void requestChange(std::size_t rule);

    AdviceConfig m_config;
    std::optional<data::AdviceQuestion> m_asked;  ///< the question that m_advice answers, or that is being computed
    std::shared_ptr<const data::ModelAdvice> m_advice;
    std::shared_ptr<data::ModelMemory> m_memory;  // lets a change of one size simulate only what it affects
    QElapsedTimer m_since;
    QPushButton *m_start = nullptr, *m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel *m_left = nullptr, *m_none = nullptr, *m_notes = nullptr;
    std::array<Card, data::kShapeRules.size()> m_cards;
    QWidget* m_list = nullptr;
    ValueTable* m_table = nullptr;
    Worker m_worker;  // last: it is destroyed before the members that its jobs use
};

}  // namespace ui
