#pragma once

#include "ui/model/timed_page.h"

class QScrollArea;
class QSplitter;

namespace ui {

class FigureCanvas;
class OperatorCanvas;

/// The page Graph: the operators of a layer and their costs, and the time of a whole training step, prompt or token
/// under each policy with its speed-up, beside the speed-up of the sub-layers alone.
class GraphPage final : public TimedPage {
    Q_OBJECT

public:
    /// `times` must outlive the page's use.
    explicit GraphPage(ModelTimes& times, QWidget* parent = nullptr);

    OperatorCanvas& graph() { return *m_canvas; }
    std::optional<FigureOffer> figure() const override;
    QWidget* picture() const override;
    void save(QJsonObject& kept) const override;
    void restore(const QJsonObject& kept) override;
    /// Reads the policy from a session; an empty optional if models are not timed under it.
    static std::optional<engine::PolicyPreset> policyOf(const QJsonObject& kept);

Q_SIGNALS:
    /// The user wants to see an operator by itself under a policy.
    void openRequested(const engine::Experiment& experiment, engine::PolicyPreset policy, const QString& title);
    void notOpened(const QString& reason);

protected:
    QString showTimes() override;
    void setStale(bool stale) override;
    bool dropSelection() override;

private:
    QWidget* buildDesk();
    void showSelection();
    void showBox(std::uint32_t op);
    void showPolicies();
    void open(std::uint32_t op);

    QComboBox* m_colourings;
    QSplitter* m_rows;
    QScrollArea* m_scroll;
    OperatorCanvas* m_canvas;
    FigureCanvas* m_bars;
    QLabel* m_details;
    QPushButton* m_open;
};

}  // namespace ui
