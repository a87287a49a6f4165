#pragma once

#include "data/figure/figure_spec.h"
#include "ui/model/operator_facts.h"
#include "ui/model/timed_page.h"

namespace ui {

class FigureCanvas;

/// The page Operators: every operator compared with the machine's roofline, the time by class, and all values as a
/// table. It shows the run of the page Graph.
class OperatorsPage final : public TimedPage {
    Q_OBJECT

public:
    /// `times` must outlive the page's use.
    explicit OperatorsPage(ModelTimes& times, QWidget* parent = nullptr);

    FigureCanvas& chart() { return *m_chart; }
    FigureCanvas& bars() { return *m_bars; }
    ValueTable& table() { return *m_table; }
    /// Returns the facts that are shown; null before the first run.
    const std::shared_ptr<const OperatorFacts>& facts() const { return m_facts; }

    std::optional<FigureOffer> figure() const override;
    QWidget* picture() const override;
    void save(QJsonObject&) const override {}  // the page Graph saves the policy
    void restore(const QJsonObject&) override {}

protected:
    QString showTimes() override;
    void setStale(bool stale) override;
    bool dropSelection() override;

private:
    QWidget* buildDesk();
    void choose(std::optional<std::size_t> row);
    void showSelection();
    void showRoofline();
    std::vector<data::FigureAnnotation> labelsOf(const data::FigurePanel& panel, std::vector<std::size_t> rows) const;
    void showClasses();
    void frameChosenPart(QPainter& painter) const;

    std::shared_ptr<const OperatorFacts> m_facts;
    FigureCanvas* m_chart = nullptr;
    FigureCanvas* m_bars = nullptr;
    QLabel* m_details = nullptr;
    ValueTable* m_table = nullptr;
};

}  // namespace ui
