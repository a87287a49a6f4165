#pragma once

#include "ui/measured/measured_picture.h"
#include "ui/shared/time_picture.h"
#include "ui/shared/view_state.h"

#include <memory>

namespace ui {

/// A measured trace as a row above simulated runs: time 0 is the start of the chosen GEMM or collective.
class MeasuredComparison final : public TimePicture {
public:
    MeasuredComparison();
    ~MeasuredComparison() override;

    /// Shows a set from `anchor` on, in ps of the set.
    void show(const SharedMeasured& set, const data::MeasuredChoice& choice, std::int64_t anchor);
    ViewState& state() { return m_state; }
    std::int64_t end() const { return m_end; }

    QWidget& widget() override { return *m_picture; }
    TimelineGeometry geometry() const override { return m_picture->geometry(); }
    double ownGutter() const override { return m_picture->ownGutter(); }
    void setLeastGutter(double least) override { m_picture->setLeastGutter(least); }

private:
    void follow();

    ViewState m_state;
    SharedMeasured m_set;
    data::MeasuredChoice m_choice;
    std::int64_t m_anchor = 0, m_end = 1;
    bool m_passing = false;
    std::unique_ptr<MeasuredPicture> m_picture;
};

}  // namespace ui
