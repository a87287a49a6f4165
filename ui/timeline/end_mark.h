#pragma once

#include "ui/timeline/timeline_overlay.h"

#include <QColor>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ui {

/// A line through all rows where a run ends, and on it a plate with the first of `words` that there is room for.
struct EndMark {
    enum class Plate : std::uint8_t { top, foot };
    std::int64_t ps = 0;
    QStringList words;
    QColor color;
    Plate plate{};  ///< in the first row, which is mostly free where a run ends, or in the last
};
void paintEndMark(QPainter& painter, const TimelinePicture& picture, const EndMark& mark);

/// A moment with a line through all rows and a word at its top.
struct NamedMoment {
    std::int64_t ps = 0;
    QString text;
    Role role = Role::neutral;
};

/// The end of the run that a timeline shows, for where several have the same axis, and moments of it that others have as
/// well. Words that would stand upon each other are left out, lines never.
class EndOverlay final : public TimelineOverlay {
public:
    void setRun(std::int64_t endPs, const QString& name, const std::string& policy);
    /// Sorted by time.
    void setMoments(std::vector<NamedMoment> moments) { m_moments = std::move(moments); }
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    void paintMoments(QPainter& painter, const TimelinePicture& picture) const;

    std::vector<NamedMoment> m_moments;
    std::int64_t m_end = 0;
    QString m_name;
    std::string m_policy;
};

}  // namespace ui
