#pragma once

#include "ui/inside/inside_words.h"
#include "ui/look/value_table.h"

#include <QWidget>

namespace ui {

class ViewState;

/// The numbers of all parts of the focused GPU at the cursor, and of the selected unit. Selecting a row selects its
/// part in all views.
class PartTable final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the table.
    PartTable(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    ValueTable& table() { return *m_table; }

private:
    void showMoment();
    void chooseSelected();

    ViewState& m_viewState;
    RingMoment& m_moment;
    ValueTable* m_table;
    std::vector<PartFact> m_facts;
    bool m_follows = false;  ///< true while showing a selection that was made elsewhere
};

}  // namespace ui
