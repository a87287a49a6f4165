#pragma once

#include "data/sweep/sweep_document.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <memory>
#include <vector>

namespace ui {

class SweepState;

/// The points of a sweep as a table: a column for each parameter that varies, the policy, the metrics, and what became
/// of the point, with the reason where it failed. Row numbers are positions in SweepTable::rows.
class SweepPointsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    /// What a sorter compares: numbers as numbers, words as words.
    static constexpr int kSortRole = Qt::UserRole;

    /// `state` must outlive the model.
    explicit SweepPointsModel(SweepState& state, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// What a column shows: a parameter of an axis, the policy, a metric, or the state.
    struct Column {
        enum class Kind { parameter, policy, metric, state } kind{};
        std::size_t axis = 0, column = 0, metric = 0;
    };

    static bool isNumber(const Column& column) {
        return column.kind == Column::Kind::parameter || column.kind == Column::Kind::metric;
    }
    void takeTable();
    void showHovered();
    QString textOf(const data::SweepRow& row, const Column& column) const;
    QVariant sortKeyOf(const data::SweepRow& row, const Column& column) const;
    const engine::ParameterValue& valueOf(const data::SweepRow& row, const Column& column) const;

    SweepState& m_state;
    std::shared_ptr<const data::SweepTable> m_table;
    std::vector<Column> m_columns;
    std::optional<std::size_t> m_hovered;
};

}  // namespace ui
