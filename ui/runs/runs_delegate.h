#pragma once

#include <QStyledItemDelegate>

#include <cstdint>
#include <vector>

namespace ui {

class RunsModel;

/// Cells of the table of runs: text with some air beside it, tags as chips.
class RunsDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// `model` must outlive the delegate.
    explicit RunsDelegate(const RunsModel& model, QObject* parent = nullptr);

    /// Runs that bear the letters A, B, … before their names.
    void setCompared(std::vector<std::int64_t> ids) { m_compared = std::move(ids); }
    /// Of the mark before a sweep's name, and of the indent of its runs.
    static int markWidth(const QFontMetrics& metrics);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    bool eventFilter(QObject* editor, QEvent* event) override;

private:
    void paintTags(QPainter* painter, const QStyleOptionViewItem& option, const QStringList& tags) const;

    static void paintMark(QPainter* painter, const QStyleOptionViewItem& option, bool open);
    /// How much of the cell it takes.
    int paintLetter(QPainter* painter, const QStyleOptionViewItem& option, std::int64_t id) const;

    const RunsModel& m_model;
    std::vector<std::int64_t> m_compared;
};

}  // namespace ui
