#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <vector>

namespace ui {

/// What an evaluation says of a row.
enum class Verdict : std::uint8_t {
    holds,
    fails,             ///< does not hold, or a point of it failed
    constantsChanged,  ///< a blind row, which is compared under its own constants only
    notRun,
    unpublished,  ///< no published value yet
    noNumber,     ///< ours cannot be computed; the note says why
    notJudged     ///< calibrated rows without a tolerance, and context
};

Verdict verdictOf(const data::ReproducedItem& row);
/// "holds", "does not hold".
QString verdictText(const data::ReproducedItem& row);
/// The same with what would hold: "does not hold: 2.40 to 2.60 would".
QString verdictReason(const data::ReproducedItem& row);
/// "+1.5 %", "-4.2 points"; a dash where there is none.
QString differenceText(const data::ReproducedItem& row);
/// What a role means, in one sentence.
QString roleMeaning(data::EvaluationRole role);

/// The rows of an evaluation as a table. Rows stand in the order of the document.
class EvaluationRowsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { item, what, ours, published, difference, label, role, verdict, columns };
    /// What a sorter compares (numbers as numbers), and the enums that a delegate draws marks for; -1: none.
    enum DataRole : int { sortRole = Qt::UserRole, roleMarkRole, verdictMarkRole };

    using QAbstractTableModel::QAbstractTableModel;

    const std::vector<data::ReproducedItem>& rows() const { return m_rows; }
    /// Rows of the same items keep what is selected.
    void setRows(std::vector<data::ReproducedItem> rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int dataRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int dataRole) const override;

private:
    std::vector<data::ReproducedItem> m_rows;
};

}  // namespace ui
