// Checks the names that users and scripts of the window know: commands with their keys, menu entries, panels, views,
// keys of the session.
#include "tests/surface_list.h"
#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "ui/workbench/commands.h"

#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMenuBar>
#include <QTemporaryDir>

namespace {

/// Adds the entries of a menu one by one, and their order including separators.
void addMenu(tests::SurfaceList& list, const QMenu& menu, const QString& path) {
    QStringList order;
    for (const QAction* action : menu.actions())
        order << (action->isSeparator() ? QStringLiteral("-") : ui::plain(action->text()));
    list.add(QStringLiteral("order of %1: %2").arg(path, order.join(QStringLiteral("; "))).toStdString());
    for (const QAction* action : menu.actions()) {
        const QString entry = path + QStringLiteral(" > ") + ui::plain(action->text());
        if (action->menu() != nullptr)
            addMenu(list, *action->menu(), entry);
        else if (!action->isSeparator())
            list.add(entry.toStdString());
    }
}

// Adds the paths of all keys. For a list, adds the keys of its entries.
void addKeys(tests::SurfaceList& list, const QJsonValue& value, const QString& path) {
    if (value.isArray()) {
        for (const QJsonValueRef entry : value.toArray())
            addKeys(list, entry, path + QStringLiteral("[]"));
        return;
    }
    list.add("session " + path.toStdString());
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it)
        addKeys(list, it.value(), path + u'/' + it.key());
}

}  // namespace

class TestWindowSurface : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatPeopleAndScriptsKnowIsStillThere() {
        tests::SurfaceList list(RINGSIDE_SURFACE "/window_surface.txt");
        const QTemporaryDir folder;
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.sessionFile = folder.filePath(QStringLiteral("session.json"));
        const auto window = tests::openWindow(std::move(config));
        for (const ui::Command& command : window->workbench().commands().all()) {
            const QString line = QStringLiteral("command %1, %2, %3, keys %4");
            list.add(
                line.arg(command.id, ui::plain(ui::titleOf(command.group)), command.plainText(), command.keysText())
                    .toStdString());
        }
        list.add(QStringLiteral("order of views: %1")
                     .arg(window->workbench().viewNames().join(QStringLiteral(", ")))
                     .toStdString());
        for (const QAction* menu : window->menuBar()->actions())
            addMenu(list, *menu->menu(), QStringLiteral("menu ") + ui::plain(menu->text()));
        for (const auto* dock : window->findChildren<QDockWidget*>())
            list.add("panel " + dock->objectName().toStdString() + ", " + dock->windowTitle().toStdString());
        for (const QString& view : window->workbench().viewNames())
            list.add("view " + view.toStdString());
        window->close();
        QFile session(folder.filePath(QStringLiteral("session.json")));
        QVERIFY(session.open(QIODevice::ReadOnly));
        addKeys(list, QJsonDocument::fromJson(session.readAll()).object(), {});
        QStringList gone;
        for (const std::string& line : list.missing())
            gone << QString::fromStdString(line);
        QVERIFY2(gone.isEmpty(), qPrintable(QStringLiteral("no longer there: ") + gone.join(QStringLiteral("; "))));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowSurface)
#include "tst_window_surface.moc"
