#pragma once

#include "ui/model/memory_facts.h"
#include "ui/model/model_page.h"

#include <vector>

class QComboBox;
class QScrollArea;

namespace ui {

class FigureCanvas;
struct FigureHit;
class ValueTable;

/// The page Memory: the bytes that one GPU of each stage, or one GPU under each sharding, holds, and whether they fit.
class MemoryPage final : public ComputedPage {
    Q_OBJECT

public:
    explicit MemoryPage(QWidget* parent = nullptr);

    MemoryBy by() const { return m_by; }
    void setBy(MemoryBy by);
    /// Makes the axis long enough for these experiments, too, so that their bars can be compared one after the other.
    /// Without experiments the axis suits the shown one alone.
    void shareAxis(std::vector<engine::Experiment> experiments);
    FigureCanvas& bars() { return *m_bars; }
    const MemoryFacts& facts() const { return m_facts; }
    ValueTable& table() { return *m_table; }

    std::optional<FigureOffer> figure() const override;
    QWidget* picture() const override;
    bool stepOut() override;
    void save(QJsonObject& kept) const override;
    void restore(const QJsonObject& kept) override;

protected:
    engine::Problems answer(const ModelQuestion& question) override;

private:
    QWidget* buildControls();
    QWidget* buildDesk();
    void fillTable(const MemoryFacts& facts);
    void showBars(const engine::Experiment& experiment);
    void showBar();
    QString tipOf(const FigureHit& hit) const;

    MemoryBy m_by = MemoryBy::stage;
    MemoryFacts m_facts;
    std::vector<engine::Experiment> m_comparable;  ///< share the axis
    QComboBox* m_choice = nullptr;
    QScrollArea* m_scroll = nullptr;
    FigureCanvas* m_bars = nullptr;
    ValueTable* m_table = nullptr;
    QLabel* m_notes = nullptr;
};

}  // namespace ui
