#pragma once

#include "tests/random_experiments/random_numbers.h"
#include "tests/ui/panel_drag.h"
#include "ui/ringside_window.h"

#include <QList>
#include <QString>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace tests {

/// Acts of a person who tries everything, on one window. Each act is drawn from the seed and its number alone, so that
/// the same seed gives the same acts, whatever the window did meanwhile.
class WindowActs {
public:
    /// `noted` is called with the name of each act before it is done: "key Return", "take up whyDock".
    WindowActs(ui::RingsideWindow& window, std::uint64_t seed, std::function<void(const std::string&)> noted);

    /// Does one act. Dialogs with an event loop of their own may call this again before it returns.
    void act(std::uint64_t number);
    /// Closes all popups and dialogs.
    void closeDialogs();
    /// Returns how often each kind of act was done.
    const std::map<std::string, int>& counts() const { return m_counts; }
    /// Drops a panel that is held, closes dialogs, leaves presenter mode and the lesson, and waits until no panel
    /// moves. Returns what is wrong with the window then; empty: all is well.
    QString faultAtRest();

private:
    using Act = void (WindowActs::*)(RandomNumbers&);

    void showView(RandomNumbers& numbers);
    void showPicture(RandomNumbers& numbers);
    void pressKey(RandomNumbers& numbers);
    void runCommand(RandomNumbers& numbers);
    void click(RandomNumbers& numbers);
    void dragAnywhere(RandomNumbers& numbers);
    void takeUpPanel(RandomNumbers& numbers);
    void takeBorder(RandomNumbers& numbers);
    void moveOrDrop(RandomNumbers& numbers);
    void turnWheel(RandomNumbers& numbers);
    void resizeWindow(RandomNumbers& numbers);
    void togglePanel(RandomNumbers& numbers);
    void openExperiment(RandomNumbers& numbers);
    void pause(RandomNumbers& numbers);
    void closeDialog(RandomNumbers& numbers);

    void note(const char* kind, const QString& what = {});
    void sendKey(const QKeySequence& keys);
    QRect room() const;  ///< of places for the pointer
    QPoint placeIn(RandomNumbers& numbers, const QRect& room) const;
    void drop();
    bool isMoving() const;

    ui::RingsideWindow& m_window;
    std::uint64_t m_seed;
    PanelDrag m_drag;
    QList<QDockWidget*> m_panels;
    bool m_holds = false;
    std::function<void(const std::string&)> m_noted;
    std::map<std::string, int> m_counts;
};

}  // namespace tests
