// Does random acts on the window, as a person who tries everything does.
//
//   random_acts [--seed N] [--count N] [--list]
//
// Acts are: show a view or a picture, press a key, run a command, click, take up a panel or its border and drop it
// again, turn the wheel, change the size of the window, show or hide a panel, open another experiment, wait, close a
// dialog. They go on while a panel is held and while a dialog waits. Every 50 acts the program lets go of everything
// and looks whether the window is well.
//
// A crash, an act that takes longer than a minute, a warning of Qt and a window that is not well are alarms. Each alarm
// is printed with the seed, the number of the act and a command that repeats the acts up to it. --list prints every act
// before it is done. Exit code 1 after any alarm, 2 for wrong arguments.

#include "data/experiment/experiment_document.h"
#include "tests/random_acts/window_acts.h"
#include "tests/random_experiments/crash_note.h"
#include "ui/look/application_style.h"
#include "ui/look/palette.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include <unistd.h>

namespace {

constexpr std::uint64_t kRest = 50;       // acts between two looks at the window at rest
constexpr unsigned kMostActSeconds = 60;  // the program ends with an alarm if an act takes longer
constexpr int kMostDialogs = 6;           // dialogs on top of each other
constexpr int kLaterMs = 5;

std::atomic<std::uint64_t> g_seed, g_act;
std::array<char, 100> g_latest{};  // name of the act; read by a signal handler
int g_alarms = 0;

/// Prints the place of the alarm. It does not allocate, because it also runs in a signal handler.
void printPlace() {
    std::array<char, 400> line{};
    const int length = std::snprintf(
        line.data(), line.size(),
        "ALARM at act %llu of seed %llu, after: %s\n  repeat: random_acts --seed %llu --count %llu --list\n",
        static_cast<unsigned long long>(g_act), static_cast<unsigned long long>(g_seed), g_latest.data(),
        static_cast<unsigned long long>(g_seed), static_cast<unsigned long long>(g_act + 1));
    [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length));
}

void raiseAlarm(const QString& what) {
    ++g_alarms;
    std::cerr << what.toStdString() << std::endl;
    printPlace();
}

/// Turns warnings of Qt into alarms, each text once. The platform without a display warns of what it cannot do.
void onMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
    static std::set<QString> known;
    if (type == QtDebugMsg || type == QtInfoMsg || text.startsWith(QStringLiteral("This plugin does not support")))
        return;
    if (known.insert(text).second)
        raiseAlarm(QStringLiteral("Qt: ") + text);
}

/// Notes an act before it is done.
void noteAct(const std::string& act, bool lists) {
    const std::size_t length = std::min(act.size(), g_latest.size() - 1);
    std::copy_n(act.begin(), length, g_latest.begin());
    g_latest.at(length) = '\0';
    if (lists)
        std::cout << g_act << " " << act << std::endl;
}

/// Does the acts one after the other in the event loop, also in the event loop of a dialog.
class Series {
public:
    Series(ui::RingsideWindow& window, std::uint64_t seed, std::uint64_t count, bool lists)
        : m_acts(window, seed, [lists](const std::string& act) { noteAct(act, lists); }), m_count(count) {}

    void goOn(int ms = 0) {
        QTimer::singleShot(ms, [this] { next(); });
    }
    void printCounts() const {
        for (const auto& [kind, count] : m_acts.counts())
            std::cout << "  " << count << " " << kind << "\n";
    }

private:
    void next() {
        const bool inDialog = QApplication::activeModalWidget() != nullptr;
        if (m_rests || (m_depth > 0 && !inDialog))
            return goOn(kLaterMs);  // another act is still being done
        if (m_next == m_count && m_depth == 0)
            return QApplication::exit();
        goOn();  // before the act, because a dialog may wait for further acts
        if (m_next == m_count || m_depth == kMostDialogs)
            return m_acts.closeDialogs();
        g_act = m_next++;
        ++m_depth;
        alarm(kMostActSeconds);
        m_acts.act(g_act);
        alarm(0);
        --m_depth;
        if (m_depth == 0 && (m_next % kRest == 0 || m_next == m_count))
            rest();
    }
    void rest() {
        m_rests = true;
        alarm(kMostActSeconds);
        if (const QString fault = m_acts.faultAtRest(); !fault.isEmpty())
            raiseAlarm(fault);
        alarm(0);
        m_rests = false;
    }

    tests::WindowActs m_acts;
    std::uint64_t m_count, m_next = 0;
    int m_depth = 0;  ///< acts that wait for a dialog
    bool m_rests = false;
};

}  // namespace

int main(int count, char** values) {
    const QTemporaryDir home;  // files that acts write by chance go here
    qputenv("HOME", home.path().toLocal8Bit());
    QDir::setCurrent(home.path());
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication application(count, values);
    QCommandLineParser arguments;
    const QCommandLineOption seedOption(QStringLiteral("seed"), QStringLiteral("Seed of the acts."),
                                        QStringLiteral("N"), QStringLiteral("1"));
    const QCommandLineOption countOption(QStringLiteral("count"), QStringLiteral("Number of acts."),
                                         QStringLiteral("N"), QStringLiteral("2000"));
    const QCommandLineOption listOption(QStringLiteral("list"), QStringLiteral("Prints every act before it is done."));
    arguments.addOptions({seedOption, countOption, listOption});
    arguments.addHelpOption();
    arguments.process(application);
    bool isSeed = false, isCount = false;
    const std::uint64_t seed = arguments.value(seedOption).toULongLong(&isSeed);
    const std::uint64_t acts = arguments.value(countOption).toULongLong(&isCount);
    if (!isSeed || !isCount || !arguments.positionalArguments().isEmpty()) {
        std::cerr << "random_acts [--seed N] [--count N] [--list]; N is a whole number from 0\n";
        return 2;
    }
    if (!ui::loadApplicationFont(application))
        return 1;
    QApplication::setPalette(ui::widgetPalette(ui::Theme::light));
    g_seed = seed;
    qInstallMessageHandler(onMessage);
    tests::whenItCrashes(printPlace);

    ui::RingsideWindowConfig config;
    config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    config.draft.explicitValues["detail.level"] = std::string("interactive");
    auto window = std::make_unique<ui::RingsideWindow>(std::move(config));
    window->resize(1400, 850);
    window->show();
    Series series(*window, seed, acts, arguments.isSet(listOption));
    series.goOn();
    QApplication::exec();
    noteAct("close the window", arguments.isSet(listOption));
    window.reset();
    std::cout << acts << " acts of seed " << seed << ", " << g_alarms << " alarms\n";
    series.printCounts();
    return g_alarms == 0 ? 0 : 1;
}
