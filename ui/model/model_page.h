#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/problem.h"
#include "ui/shared/figure_offer.h"

#include <QJsonObject>
#include <QString>
#include <QWidget>

#include <optional>

class QLabel;
class QStackedLayout;
class QVBoxLayout;

namespace ui {

/// The question that every page of the Model view answers.
struct ModelQuestion {
    engine::Experiment experiment;
    engine::ModelPhase phase = engine::ModelPhase::training;
    QString problem;  ///< why the experiment is invalid; otherwise empty
    bool operator==(const ModelQuestion&) const = default;
};

/// One page of the Model view. It computes its answer only while it is visible, and shows the last answer until the
/// next one is ready.
class ModelPage : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    virtual void ask(const ModelQuestion& question) = 0;
    /// Returns whether the page shows the question's answer, or a text that explains why there is none.
    virtual bool isAnswered() const = 0;
    /// Returns the page as a figure; an empty optional if it shows text only.
    virtual std::optional<FigureOffer> figure() const = 0;
    /// Returns the part that gets the focus when the page is shown. The page has no focus proxy, because Tab would then
    /// skip the parts before it.
    virtual QWidget* picture() const = 0;
    /// Cancels work in progress, else clears the selection; returns false if there is neither.
    virtual bool stepOut() = 0;
    /// Adds the page's state to the session.
    virtual void save(QJsonObject& kept) const = 0;
    virtual void restore(const QJsonObject& kept) = 0;

Q_SIGNALS:
    /// The page has been answered.
    void answered();
};

/// A page whose answer is computed at once. While the experiment has problems, a text replaces the answer.
class ComputedPage : public ModelPage {
    Q_OBJECT

public:
    explicit ComputedPage(QWidget* parent = nullptr) : ModelPage(parent) {}

    void ask(const ModelQuestion& question) override;
    bool isAnswered() const override { return m_current; }
    /// Returns whether the page shows an answer rather than a text.
    bool hasAnswer() const { return m_question && m_hasAnswer; }

protected:
    /// Builds the page: a headline, below it `controls` (may be null), then `desk`, which the text can replace.
    void build(const QString& name, QWidget* controls, QWidget* desk);
    /// Computes the answer and shows it; returns the problems if it cannot be computed.
    virtual engine::Problems answer(const ModelQuestion& question) = 0;
    /// Computes the answer again: now if the page is visible, else when it becomes visible.
    void answerAgain();
    void setHeadline(const QString& text);
    /// Shows a text in place of the answer.
    void say(const QString& title, const QString& html);
    /// Returns the question of the last `ask`.
    const std::optional<ModelQuestion>& question() const { return m_question; }
    void showEvent(QShowEvent* event) override;

private:
    std::optional<ModelQuestion> m_question;
    bool m_current = false;    ///< the page shows the answer, or the text, for m_question
    bool m_hasAnswer = false;  ///< the page shows an answer, not a text
    QLabel* m_headline = nullptr;
    QLabel* m_words = nullptr;
    QStackedLayout* m_desk = nullptr;
};

/// Returns the problems as a list in rich text.
QString problemsHtml(const engine::Problems& problems);
/// Returns a label for the text in place of a page's picture.
QLabel* newWords(QWidget* parent, const QString& name);

}  // namespace ui
