#pragma once

#include "ui/runs/run_columns.h"
#include "ui/runs/run_list.h"

#include <QAbstractTableModel>

#include <map>
#include <string>
#include <vector>

namespace ui {

/// The runs of a RunList as a table. Text is made for the cells that are asked for, and for those only: a view asks for
/// what is in sight.
class RunsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit RunsModel(QObject* parent = nullptr);

    const RunList& list() const { return m_list; }
    /// `change` may do anything to the list; views are told that everything is new.
    template <class Change>
    void rearrange(Change change) {
        beginResetModel();
        change(m_list);
        endResetModel();
    }
    /// The same rows in the same order, with other words in some of them.
    void overlay(const std::vector<data::CatalogueRow>& changed, std::uint64_t number);

    void setColumns(const std::vector<std::string>& paths);
    const std::vector<RunColumn>& columns() const { return m_columns; }
    std::optional<int> columnOf(const std::string& path) const;
    /// Of the sweep whose line it is; null for the line of a run.
    const SweepLine* sweepAt(int position) const { return m_list.sweepAt(static_cast<std::size_t>(position)); }
    const data::CatalogueRow& row(int position) const { return m_list.row(static_cast<std::size_t>(position)); }

    /// Of any run of the list, as its cell says it.
    QString text(const data::CatalogueRow& row, std::size_t column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Asks for the change of a note or of tags; what becomes of it is somebody else's.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void noteEdited(qint64 id, const QString& note);
    void tagsEdited(qint64 id, const QString& tags);

private:
    /// "t-nlg/op/tp8 Blocks on a node (Block): 6 runs".
    QString titleOf(const SweepLine& sweep) const;
    QString sweepText(const SweepLine& sweep, const data::CatalogueRow& first, std::size_t column) const;
    QString tip(const data::CatalogueRow& row, std::size_t column) const;

    RunList m_list;
    std::vector<RunColumn> m_columns;
    mutable std::map<std::string, QString> m_titles;  ///< of sweeps, by what they are called and what varies: read once
};

}  // namespace ui
