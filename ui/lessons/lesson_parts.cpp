#include "ui/lessons/lesson_parts.h"

#include "data/lessons/lesson.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>
#include <map>
#include <vector>

namespace ui {
namespace {

/// Returns the dock that lessons call by this name, or an empty text.
QString dockOfPart(const QString& part) {
    static const std::map<QString, QString> kDocks{{QStringLiteral("experiment"), QStringLiteral("experimentDock")},
                                                   {QStringLiteral("kept-runs"), QStringLiteral("runsDock")},
                                                   {QStringLiteral("inspector"), QStringLiteral("inspectorDock")},
                                                   {QStringLiteral("why"), QStringLiteral("whyDock")},
                                                   {QStringLiteral("address-map"), QStringLiteral("addressMapDock")}};
    const auto dock = kDocks.find(part);
    return dock == kDocks.end() ? QString() : dock->second;
}

QDockWidget* pointAtPanel(Workbench& workbench, QDockWidget& lessonDock, const QString& name) {
    QDockWidget* panel = workbench.panels().dock(name);
    if (panel == nullptr)
        return nullptr;
    const bool wasHidden = panel->isHidden();
    panel->show();
    workbench.window().resizeDocks({&lessonDock, panel}, {600, 300}, Qt::Vertical);
    panel->raise();
    workbench.spotlight().pointAt(name);
    return wasHidden ? panel : nullptr;
}

}  // namespace

QDockWidget* pointAtLessonPart(Workbench& workbench, QDockWidget& lessonDock, const std::string& part) {
    Spotlight& spotlight = workbench.spotlight();
    spotlight.clear();
    if (part.empty())
        return nullptr;
    const bool presents = workbench.presenter().isOn();
    const QString name = QString::fromStdString(part);
    // "machine" is the view, not the preset.
    const std::vector<std::string>& parts = data::lessonParts();
    if (part.starts_with(data::kLessonLane)) {
        spotlight.pointAt(name);
    } else if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
        if (!presents)
            spotlight.pointAt(QStringLiteral("field:") + name);
    } else if (const QString dock = dockOfPart(name); !dock.isEmpty()) {
        return presents ? nullptr : pointAtPanel(workbench, lessonDock, dock);
    } else if (workbench.showViewOrPicture(name)) {
        const bool isPicture = workbench.pictures().names().contains(name);
        spotlight.pointAt(isPicture ? workbench.pictures().objectName() : workbench.views().objectName());
    } else {
        spotlight.pointAt(name);
    }
    return nullptr;
}

}  // namespace ui
