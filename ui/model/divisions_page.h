#pragma once

#include "data/questions/divisions.h"
#include "ui/model/model_page.h"
#include "ui/shared/worker.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

class QLineEdit;
class QProgressBar;
class QPushButton;

namespace ui {

class ValueTable;

/// How divisions are searched. Fixed before the page is built.
struct DivisionsConfig {
    using Search = std::function<data::Divisions(const data::DivisionsQuestion&)>;

    Search search{};  ///< empty: data::divisionsOf
};

/// The page Divisions: the ways to divide the model over a number of GPUs for one training step, best first. Searches
/// in the background, and only while the page is visible. Return on a row requests it as the experiment's division.
class DivisionsPage final : public ComputedPage {
    Q_OBJECT

public:
    explicit DivisionsPage(DivisionsConfig config = {}, QWidget* parent = nullptr);

    /// Returns the number of GPUs to search for: that of the experiment, or the one that the user has typed.
    std::int64_t gpus() const { return m_gpus.value(); }
    std::int64_t sequences() const { return m_sequences.value(); }
    bool isSearching() const { return m_worker.isRunning(); }
    void cancel();
    /// Returns the result of the search; null before the first search has ended.
    const std::shared_ptr<const data::Divisions>& found() const { return m_found; }
    ValueTable& table() { return *m_table; }

    bool isAnswered() const override { return ComputedPage::isAnswered() && !isSearching(); }
    std::optional<FigureOffer> figure() const override { return std::nullopt; }
    QWidget* picture() const override;
    bool stepOut() override;
    void save(QJsonObject& kept) const override;
    void restore(const QJsonObject& kept) override;

Q_SIGNALS:
    /// The user wants this division; `title` describes it in words.
    void applyRequested(const data::Division& division, const QString& title);

protected:
    engine::Problems answer(const ModelQuestion& question) override;

private:
    /// A number of the question, and its field.
    struct Number {
        QLineEdit* field = nullptr;
        std::int64_t own = 1;               ///< the experiment's number, used while the user has typed none
        std::optional<std::int64_t> typed;  ///< the number that the user typed
        QString unreadable;                 ///< the typed text if it is not a number
        std::int64_t value() const { return typed.value_or(own); }
    };

    QWidget* buildControls();
    QWidget* buildDesk();
    void take(Number& number);
    void showNumber(Number& number);
    void search(data::DivisionsQuestion asked);
    void finish(const std::shared_ptr<const data::Divisions>& found);
    void fail(const QString& html);
    void showFound();
    void showSearching();
    void stopSearch();

    DivisionsConfig m_config;
    Number m_gpus, m_sequences;
    std::optional<data::DivisionsQuestion> m_searched;  ///< the question of m_found, or of the search in progress
    std::shared_ptr<const data::Divisions> m_found;
    QPushButton *m_start = nullptr, *m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    ValueTable* m_table = nullptr;
    QLabel* m_notes = nullptr;
    Worker m_worker;  // last: it is destroyed before the members that its jobs use
};

/// Returns "tp 8 × pp 8 × dp 8, sharding optimizer".
QString titleOf(const data::Division& division);

}  // namespace ui
