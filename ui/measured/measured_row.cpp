#include "ui/measured/measured_row.h"

#include <QScopedValueRollback>

#include <algorithm>

namespace ui {

MeasuredComparison::MeasuredComparison() : m_picture(std::make_unique<MeasuredPicture>(true)) {
    m_picture->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);  // lower where the runs need the room
    QObject::connect(&m_state, &ViewState::rangeChanged, m_picture.get(), [this] { follow(); });
    QObject::connect(m_picture.get(), &MeasuredPicture::rangeChanged, m_picture.get(), [this] {
        if (m_passing)
            return;
        const QScopedValueRollback passing(m_passing, true);
        m_state.setRange({m_picture->range().start - m_anchor, m_picture->range().end - m_anchor});
    });
    QObject::connect(m_picture.get(), &MeasuredPicture::gutterChanged, m_picture.get(), [this] {
        if (gutterChanged)
            gutterChanged();
    });
}

MeasuredComparison::~MeasuredComparison() = default;

void MeasuredComparison::follow() {
    if (m_passing)
        return;
    const QScopedValueRollback passing(m_passing, true);
    m_picture->setRange({m_state.range().start + m_anchor, m_state.range().end + m_anchor});
}

void MeasuredComparison::show(const SharedMeasured& set, const data::MeasuredChoice& choice, std::int64_t anchor) {
    if (m_set == set && m_choice == choice && m_anchor == anchor)
        return;
    m_set = set;
    m_choice = choice;
    m_anchor = anchor;
    m_end = set ? std::max<std::int64_t>(1, set->end - anchor) : 1;
    m_picture->showSet(set);
    m_picture->showChoice(choice);
    m_picture->setOrigin(anchor);
    follow();
}

}  // namespace ui
