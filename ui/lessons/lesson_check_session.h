#pragma once

#include "data/lessons/lesson_check.h"
#include "ui/shared/worker.h"

#include <QObject>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ui {

class LessonState;

/// Whether simulation agrees with the step of a lesson that is shown, found on a thread of its own. The bundled lessons
/// are checked before they are shipped; one of somebody's own is checked here, a step at a time, each once.
class LessonCheckSession final : public QObject {
    Q_OBJECT

public:
    /// Empty: by the laboratory, without a store.
    using Run = data::LessonChecker::Run;

    /// `state` must outlive this.
    explicit LessonCheckSession(const LessonState& state, Run run = {}, QObject* parent = nullptr);

    /// The claims of this step with which simulation does not agree; empty while nobody knows.
    const std::vector<data::LessonVerdict>& failuresOf(std::size_t step) const;
    /// Checks the step that is shown, in place of what is under way.
    void check();

Q_SIGNALS:
    /// failuresOf(step) is known.
    void checked(std::size_t step);

private:
    void follow();

    const LessonState& m_state;
    Run m_run;
    std::shared_ptr<data::LessonChecker> m_checker;  // used on the worker's thread alone; null: nothing to check
    std::map<std::size_t, std::vector<data::LessonVerdict>> m_failures;
    Worker m_worker;  // last: it ends first
};

}  // namespace ui
