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

/// What every page of the Model view is about.
struct ModelQuestion {
    engine::Experiment experiment;
    engine::ModelPhase phase = engine::ModelPhase::training;
    QString problem;  ///< why the experiment cannot be understood; else empty
    bool operator==(const ModelQuestion&) const = default;
};

/// One page of the Model view. It answers only while it is visible, and shows its last answer until the next one.
class ModelPage : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    virtual void ask(const ModelQuestion& question) = 0;
    /// Returns whether the page shows the question's answer, or says why there is none.
    virtual bool isAnswered() const = 0;
    /// Returns what the page would be on paper; an empty optional if it shows words only.
    virtual std::optional<FigureOffer> figure() const = 0;
    /// Returns the part that gets the keyboard when the page is shown. No focus proxy: Tab would skip what is before it.
    virtual QWidget* picture() const = 0;
    /// Cancels what is under way, else drops the selection; returns false if there is neither.
    virtual bool stepOut() = 0;
    /// Adds to the session what the next start restores.
    virtual void save(QJsonObject& kept) const = 0;
    virtual void restore(const QJsonObject& kept) = 0;

Q_SIGNALS:
    /// From now on the page is answered.
    void answered();
};

/// A page whose answer is computed at once. While the experiment has problems, words stand in place of the answer.
class ComputedPage : public ModelPage {
    Q_OBJECT

public:
    explicit ComputedPage(QWidget* parent = nullptr) : ModelPage(parent) {}

    void ask(const ModelQuestion& question) override;
    bool isAnswered() const override { return m_current; }
    /// Returns whether the page shows an answer, no words.
    bool hasAnswer() const { return m_question && m_hasAnswer; }

protected:
    /// Builds the page: a headline, `controls` under it (may be null), then `desk`, which the words replace.
    void build(const QString& name, QWidget* controls, QWidget* desk);
    /// Computes the answer and shows it; returns everything that keeps it from being computed.
    virtual engine::Problems answer(const ModelQuestion& question) = 0;
    /// Computes the answer again if somebody looks, else before somebody does.
    void answerAgain();
    void setHeadline(const QString& text);
    /// Shows words in place of the answer.
    void say(const QString& title, const QString& html);
    /// Returns the question of the last `ask`.
    const std::optional<ModelQuestion>& question() const { return m_question; }
    void showEvent(QShowEvent* event) override;

private:
    std::optional<ModelQuestion> m_question;
    bool m_current = false;    ///< what is shown is of m_question
    bool m_hasAnswer = false;  ///< and is an answer, no words
    QLabel* m_headline = nullptr;
    QLabel* m_words = nullptr;
    QStackedLayout* m_desk = nullptr;
};

/// Returns the problems as a list in rich text.
QString problemsHtml(const engine::Problems& problems);
/// Returns a label for the words that stand in place of a page's picture.
QLabel* newWords(QWidget* parent, const QString& name);

}  // namespace ui
