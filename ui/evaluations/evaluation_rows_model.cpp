#include "ui/evaluations/evaluation_rows_model.h"

#include "ui/look/format.h"
#include "ui/look/plain_tip.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QString evaluationDash() { return QStringLiteral("–"); }

QString orEvaluationDash(const std::string& words) { return words.empty() ? evaluationDash() : text(words); }

bool isNumberColumn(int column) {
    return column == EvaluationRowsModel::ours || column == EvaluationRowsModel::published ||
           column == EvaluationRowsModel::difference;
}

QString evaluationCell(const data::ReproducedItem& row, int column) {
    switch (column) {
    case EvaluationRowsModel::item: return text(row.published.id);
    case EvaluationRowsModel::what: return text(row.published.what);
    case EvaluationRowsModel::ours: return orEvaluationDash(row.valueText);
    case EvaluationRowsModel::published: return orEvaluationDash(row.publishedText);
    case EvaluationRowsModel::difference: return differenceText(row);
    case EvaluationRowsModel::label: return orEvaluationDash(row.published.label);
    case EvaluationRowsModel::role: return text(data::name(row.role));
    case EvaluationRowsModel::verdict: return verdictText(row);
    default: return {};
    }
}

QVariant evaluationSortKey(const data::ReproducedItem& row, int column) {
    const auto number = [](double value) { return std::isnan(value) ? QVariant() : QVariant(value); };
    switch (column) {
    case EvaluationRowsModel::ours: return number(row.value);
    case EvaluationRowsModel::published: return number(row.published.value);
    case EvaluationRowsModel::difference: return number(row.difference);
    case EvaluationRowsModel::role: return static_cast<int>(row.role);
    case EvaluationRowsModel::verdict: return static_cast<int>(row.verdict);
    default: return evaluationCell(row, column);
    }
}

QString evaluationTip(const data::ReproducedItem& row, int column) {
    switch (column) {
    case EvaluationRowsModel::role: return roleMeaning(row.role);
    case EvaluationRowsModel::verdict: return verdictReason(row);
    case EvaluationRowsModel::item:
    case EvaluationRowsModel::what: return text(row.published.id) + QLatin1Char('\n') + text(row.published.what);
    default: return {};
    }
}

}  // namespace

QString verdictText(const data::ReproducedItem& row) {
    using data::RowVerdict;
    switch (row.verdict) {
    case RowVerdict::holds: return EvaluationRowsModel::tr("holds");
    case RowVerdict::fails: return row.allowedText.empty() ? text(row.note) : EvaluationRowsModel::tr("does not hold");
    case RowVerdict::constantsChanged: return EvaluationRowsModel::tr("constants changed");
    case RowVerdict::notRun: return EvaluationRowsModel::tr("not run yet");
    case RowVerdict::unpublished: return EvaluationRowsModel::tr("no published value yet");
    case RowVerdict::noNumber: return text(row.note);
    case RowVerdict::notJudged: return EvaluationRowsModel::tr("not judged");
    }
    return {};
}

QString verdictReason(const data::ReproducedItem& row) {
    const QString verdict = verdictText(row);
    return row.allowedText.empty() ? verdict
                                   : EvaluationRowsModel::tr("%1; allowed: %2").arg(verdict, text(row.allowedText));
}

QString differenceText(const data::ReproducedItem& row) {
    if (std::isnan(row.difference))
        return evaluationDash();
    const QString number = QString::number(std::abs(row.difference) * 100, 'f', 1);
    const QString sign = row.difference < 0 ? QStringLiteral("−") : QStringLiteral("+");
    return row.isFraction ? EvaluationRowsModel::tr("%1%2 points").arg(sign, number)
                          : sign + number + QStringLiteral(" %");
}

QString roleMeaning(data::EvaluationRole role) {
    switch (role) {
    case data::EvaluationRole::exact:
        return EvaluationRowsModel::tr(
            "exact: must equal the published number to one unit of its last printed digit, or within its tolerance");
    case data::EvaluationRole::calibrated:
        return EvaluationRowsModel::tr("calibrated: constants were fitted to this number, so it is not evidence");
    case data::EvaluationRole::visible:
        return EvaluationRowsModel::tr("visible: known while constants were chosen, but none was fitted to it alone");
    case data::EvaluationRole::blind:
        return EvaluationRowsModel::tr("blind: compared only after the constants had been fixed");
    case data::EvaluationRole::context: return EvaluationRowsModel::tr("context: shown without a difference");
    }
    return {};
}

void EvaluationRowsModel::setRows(std::vector<data::ReproducedItem> rows) {
    const bool same = std::ranges::equal(
        rows, m_rows, {}, [](const auto& row) { return row.published.id; },
        [](const auto& row) { return row.published.id; });
    if (same && !rows.empty()) {
        m_rows = std::move(rows);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int EvaluationRowsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EvaluationRowsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant EvaluationRowsModel::data(const QModelIndex& index, int dataRole) const {
    if (!index.isValid())
        return {};
    const data::ReproducedItem& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (dataRole) {
    case Qt::DisplayRole: return evaluationCell(row, column);
    case Qt::ToolTipRole: return plainTip(evaluationTip(row, column));
    case Qt::TextAlignmentRole:
        return QVariant((isNumberColumn(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case sortRole: return evaluationSortKey(row, column);
    case roleMarkRole: return column == role ? static_cast<int>(row.role) : -1;
    case verdictMarkRole: return column == verdict ? static_cast<int>(row.verdict) : -1;
    default: return {};
    }
}

QVariant EvaluationRowsModel::headerData(int section, Qt::Orientation orientation, int dataRole) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    if (dataRole == Qt::TextAlignmentRole)
        return QVariant((isNumberColumn(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const QString titles[columns]{tr("Item"),       tr("Quantity"), tr("Ours"), tr("Published"),
                                  tr("Difference"), tr("Label"),    tr("Role"), tr("Verdict")};
    const QString tips[columns]{
        tr("The name of the row in figures and on the command line"),
        tr("The quantity that is compared"),
        tr("The simulated number"),
        tr("The number that the source prints"),
        tr("Ours divided by published, minus 1; for percentages, ours minus published"),
        tr("Where the published number was read: in the source itself, in notes about it, or computed"),
        tr("How the published number is used"),
        tr("Whether our number is within the allowed range")};
    const QString air(2, QChar(QChar::Nbsp));  // the margin that cells have beside their text
    return dataRole == Qt::DisplayRole
               ? QVariant(isNumberColumn(section) ? titles[section] + air : air + titles[section])
           : dataRole == Qt::ToolTipRole ? QVariant(tips[section])
                                         : QVariant();
}

}  // namespace ui
