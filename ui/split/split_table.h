#pragma once

#include "ui/look/value_table.h"

#include <QWidget>

class QLabel;

namespace ui {

class SplitView;
class ViewState;
class RingMoment;

/// The values of the view Split of the GEMM for the focused GPU, with a row for each chunk. Selecting a row follows its
/// chunk in all views.
class SplitTable final : public QWidget {
    Q_OBJECT

public:
    /// All must outlive the table.
    SplitTable(ViewState& viewState, RingMoment& moment, const SplitView& view, QWidget* parent = nullptr);

    ValueTable& table() { return *m_table; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void follow();
    void showRows();

    ViewState& m_viewState;
    const SplitView& m_view;
    QLabel* m_title;
    ValueTable* m_table;
};

}  // namespace ui
