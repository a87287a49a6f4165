#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace ui {

/// Returns "holds", "does not hold" and so on.
QString verdictText(const data::ReproducedItem& row);
/// Returns the verdict with the allowed range: "does not hold; allowed: 2.40 to 2.60".
QString verdictReason(const data::ReproducedItem& row);
/// Returns "+1.5 %", "-4.2 points", or a dash if there is no difference.
QString differenceText(const data::ReproducedItem& row);
/// Returns the meaning of a role in one sentence.
QString roleMeaning(data::EvaluationRole role);

/// The item model of an evaluation's rows, in the order of the document.
class EvaluationRowsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { item, what, ours, published, difference, label, role, verdict, columns };
    /// Values for sorting (numbers as numbers), and the values of the enums for which a delegate draws marks; -1: no
    /// mark.
    enum DataRole : int { sortRole = Qt::UserRole, roleMarkRole, verdictMarkRole };

    using QAbstractTableModel::QAbstractTableModel;

    const std::vector<data::ReproducedItem>& rows() const { return m_rows; }
    /// Sets the rows. If their items are the same as before, the selection stays.
    void setRows(std::vector<data::ReproducedItem> rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int dataRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int dataRole) const override;

private:
    std::vector<data::ReproducedItem> m_rows;
};

}  // namespace ui
