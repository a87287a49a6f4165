// Checks that every include follows the arrows in ARCHITECTURE.md. Plain C++, so that it also runs without Qt.

#include "tests/house_rules.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;

/// A small source tree that keeps every rule, in a temporary folder that is removed after the test.
class SmallHouse {
public:
    SmallHouse() : m_root(fs::temp_directory_path() / ("ringside-arrows-" + std::to_string(::getpid()))) {
        fs::remove_all(m_root);
        write("engine/CMakeLists.txt", "add_library(ringside_engine STATIC)\n"
                                       "target_link_libraries(ringside_engine PRIVATE TBB::tbb)\n");
        write("engine/api/runner.h", "#include <vector>\n");
        write("engine/kernel/clock.h", "#include \"engine/api/runner.h\"\n#include <tbb/parallel_for.h>\n");
        write("engine/memory/dram.h", "#include \"engine/kernel/clock.h\"\n");
        write("engine/network/link.h", "#include \"engine/memory/dram.h\"\n");
        write("engine/run/gpu.cpp", "#include \"engine/network/link.h\"\n#include \"engine/memory/dram.h\"\n");
        write("data/CMakeLists.txt", "add_library(ringside_data STATIC)\n"
                                     "target_link_libraries(ringside_data PUBLIC ringside_engine)\n");
        write("data/document/reader.h", "#include <string>\n");
        write("data/sweep/plan.h", "#include \"data/store/store.h\"\n");
        write("data/store/store.h", "#include \"data/document/reader.h\"\n"
                                    "#include \"engine/api/runner.h\"\n#include <nlohmann/json.hpp>\n");
        write("ui/CMakeLists.txt", "add_library(ringside_ui STATIC)\n"
                                   "target_link_libraries(ringside_ui PUBLIC ringside_data Qt6::Widgets)\n");
        write("ui/ringside_window.h", "#include \"ui/timeline/view.h\"\n#include \"ui/editors/form.h\"\n");
        write("ui/look/palette.h", "#include <QColor>\n");
        write("ui/workbench/bench.h", "#include \"ui/shared/state.h\"\n#include \"ui/look/palette.h\"\n");
        write("ui/shared/state.h", "#include <QObject>\nclass Form;\nstruct State {\n};\n");
        write("ui/timeline/view.h",
              "#include \"ui/workbench/bench.h\"\n#include \"ui/shared/state.h\"\n#include \"engine/api/runner.h\"\n");
        write("ui/timeline/timeline_feature.h", "#include \"ui/workbench/bench.h\"\n");
        write("ui/timeline/timeline_feature.cpp", "#include \"ui/timeline/timeline_feature.h\"\n");
        write("ui/ringside_window.cpp", "#include \"ui/timeline/timeline_feature.h\"\n");
        write("ui/editors/form.h", "#include \"data/store/store.h\"\nclass Form final : public QWidget {\n};\n");
        write("app/CMakeLists.txt", "add_executable(ringside window_main.cpp)\n"
                                    "target_link_libraries(ringside PRIVATE ringside_ui)\n"
                                    "file(GLOB CLI CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli_*.cpp)\n"
                                    "add_executable(ringside-cli ${CLI})\n"
                                    "target_link_libraries(ringside-cli PRIVATE ringside_data)\n");
        write("app/window_main.cpp", "#include \"ui/ringside_window.h\"\n#include <QApplication>\n");
        write("app/cli_main.cpp", "#include \"app/progress.h\"\n#include \"data/store/store.h\"\n");
        write("app/progress.h", "#include <iostream>\n");
        write("web/CMakeLists.txt", "add_executable(web_engine engine/web_engine.cpp)\n"
                                    "target_link_libraries(web_engine PRIVATE ringside_data ringside_engine)\n");
        write("web/engine/web_engine.cpp", "#include \"data/document/reader.h\"\n#include \"engine/api/runner.h\"\n");
        write("web/node_modules/package/x.cpp", "#include \"app/progress.h\"\n#include <QString>\n");
    }
    ~SmallHouse() {
        std::error_code ignored;
        fs::remove_all(m_root, ignored);
    }
    SmallHouse(const SmallHouse&) = delete;
    SmallHouse& operator=(const SmallHouse&) = delete;

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((m_root / name).parent_path());
        std::ofstream(m_root / name) << text;
    }
    const fs::path& root() const { return m_root; }

private:
    fs::path m_root;
};

struct Planted {
    const char* sentence;
    const char* file;
    const char* text;
    const char* rule;  ///< part of the expected message
};

const std::vector<Planted> kPlanted{
    {"no two types of a house share a name", "ui/timeline/x.h", "enum class State : int { on };\n", "defines State as"},
    {"the engine cannot see data", "engine/run/x.cpp", "#include \"data/store/store.h\"\n",
     "may include only the engine"},
    {"the engine cannot see Qt", "engine/api/x.h", "#include <QString>\n", "no Qt in engine"},
    {"the engine cannot see Qt by module", "engine/run/x.h", "#include <QtCore/QString>\n", "no Qt in engine"},
    {"the engine cannot print", "engine/run/x.cpp", "#include <iostream>\n", "no file or console"},
    {"the engine cannot open files", "engine/run/x.cpp", "#  include <fstream>\n", "no file or console"},
    {"the engine cannot read JSON", "engine/run/x.cpp", "#include <nlohmann/json.hpp>\n", "no documents"},
    {"the engine cannot see SQLite", "engine/run/x.cpp", "#include <SQLiteCpp/Database.h>\n", "no documents"},
    {"the kernel cannot see a component", "engine/kernel/x.h", "#include \"engine/record/r.h\"\n",
     "must not include a component"},
    {"memory cannot look up to overlap", "engine/memory/x.h", "#include \"engine/overlap/t.h\"\n", "never up"},
    {"overlap cannot look up to compute", "engine/overlap/x.h", "#include \"engine/compute/c.h\"\n", "never up"},
    {"a collective cannot look up to run", "engine/collective/x.h", "#include \"engine/run/g.h\"\n", "never up"},
    {"api cannot look up to the kernel", "engine/api/x.h", "#include \"engine/kernel/clock.h\"\n", "never up"},
    {"memory cannot use TBB", "engine/memory/x.h", "#include <tbb/task_arena.h>\n", "may use TBB"},
    {"the window cannot use TBB", "ui/shared/x.h", "#include <oneapi/tbb.h>\n", "may use TBB"},
    {"a room of the engine needs a floor", "engine/attic/x.h", "\n", "has no floor"},
    {"no folder is two levels deep", "ui/timeline/lanes/x.h", "\n", "too deep"},
    {"data cannot see the engine behind its api", "data/store/x.cpp", "#include \"engine/kernel/clock.h\"\n",
     "only engine/api"},
    {"data cannot see the window", "data/store/x.cpp", "#include \"ui/shared/state.h\"\n",
     "data may include only data"},
    {"data cannot see Qt", "data/store/x.cpp", "#include <QFile>\n", "no Qt in data"},
    {"the window cannot see the engine behind its api", "ui/ringside_window.cpp", "#include \"engine/memory/dram.h\"\n",
     "only engine/api"},
    {"features cannot see each other", "ui/timeline/x.h", "#include \"ui/editors/form.h\"\n",
     "must not include another feature"},
    {"a feature cannot see the composition root", "ui/timeline/x.h", "#include \"ui/ringside_window.h\"\n",
     "no room of the window may include"},
    {"a part of a feature cannot see the feature", "ui/timeline/x.h", "#include \"ui/timeline/timeline_feature.h\"\n",
     "only the composition root"},
    {"a file of the window needs a room", "ui/x.h", "\n", "lies in no room"},
    {"ui/workbench cannot see a feature", "ui/workbench/x.h", "#include \"ui/timeline/view.h\"\n",
     "must not include a feature"},
    {"ui/shared cannot see the workbench", "ui/shared/x.h", "#include \"ui/workbench/bench.h\"\n",
     "must not include ui/workbench"},
    {"ui/look cannot see the state", "ui/look/x.h", "#include \"ui/shared/state.h\"\n", "must not include ui/shared"},
    {"ui/drawing cannot see the state", "ui/drawing/x.h", "#include \"ui/shared/state.h\"\n",
     "must not include ui/shared"},
    {"a room of data needs a floor", "data/attic/x.h", "\n", "has no floor"},
    {"a document cannot look up to the store", "data/document/x.h", "#include \"data/store/store.h\"\n", "never up"},
    {"the store cannot look up to sweeps", "data/store/x.cpp", "#include \"data/sweep/plan.h\"\n", "never up"},
    {"a neighbour by a relative path is still a neighbour", "ui/timeline/x.h", "#include \"../editors/form.h\"\n",
     "must not include another feature"},
    {"ui/shared cannot see a feature", "ui/shared/x.h", "#include \"ui/timeline/view.h\"\n",
     "must not include a feature"},
    {"the window cannot see the program", "ui/ringside_window.cpp", "#include \"app/progress.h\"\n",
     "ui must not include app"},
    {"the web engine cannot see the window", "web/engine/x.cpp", "#include \"ui/shared/state.h\"\n",
     "web may include only data"},
    {"the web engine cannot see the engine behind its api", "web/engine/x.cpp", "#include \"engine/kernel/clock.h\"\n",
     "only engine/api"},
    {"the web engine cannot see Qt", "web/engine/x.cpp", "#include <QString>\n", "no Qt in web"},
    {"data cannot see the web engine", "data/store/x.cpp", "#include \"web/engine/web_engine.h\"\n",
     "data may include only data"},
    {"the program cannot see the web engine", "app/cli_main.cpp", "#include \"web/engine/web_engine.h\"\n",
     "no house may include web"},
    {"released code cannot see the tests", "data/store/x.cpp", "#include \"tests/house_rules.h\"\n",
     "must not include tests"},
    {"headers cannot include each other", "engine/api/runner.h", "#include \"engine/api/runner.h\"\n",
     "circle of includes"},
    {"a longer circle is a circle", "engine/memory/dram.h", "#include \"engine/network/link.h\"\n",
     "circle of includes"},
    {"the command line cannot see Qt", "app/cli_main.cpp", "#include <QCoreApplication>\n",
     "the command line has no Qt"},
    {"the command line cannot see Qt through a header", "app/progress.h", "#include <QString>\n",
     "the command line has no Qt"},
    {"the command line cannot see the window", "app/cli_main.cpp", "#include \"ui/ringside_window.h\"\n",
     "the command line has no Qt"},
    {"the engine cannot link data", "engine/CMakeLists.txt",
     "add_library(ringside_engine STATIC)\ntarget_link_libraries(ringside_engine PUBLIC ringside_data)\n",
     "engine does not see data"},
    {"data cannot link Qt", "data/CMakeLists.txt",
     "add_library(ringside_data STATIC)\ntarget_link_libraries(ringside_data\n  PRIVATE\n  Qt6::Core)\n",
     "no Qt in data"},
    {"data cannot link the window", "data/CMakeLists.txt",
     "add_library(ringside_data STATIC)\ntarget_link_libraries(ringside_data PUBLIC ringside_ui)\n",
     "data does not see ui"},
    {"the command line cannot link Qt", "app/CMakeLists.txt",
     "add_executable(ringside-cli cli_main.cpp)\ntarget_link_libraries(ringside-cli PRIVATE Qt6::Core)\n",
     "the command line has no Qt"},
    {"a link line in a file of its own is read as well", "data/more.cmake",
     "target_link_libraries(ringside_data PUBLIC Qt6::Core)\n", "no Qt in data"},
    {"the command line cannot link the window through a library", "app/CMakeLists.txt",
     "add_library(shared_parts STATIC)\ntarget_link_libraries(shared_parts PUBLIC ringside_ui)\n"
     "add_executable(ringside-cli cli_main.cpp)\ntarget_link_libraries(ringside-cli PRIVATE shared_parts)\n",
     "the command line has no Qt"},
    {"the window cannot link TBB", "ui/CMakeLists.txt",
     "add_library(ringside_ui STATIC)\ntarget_link_libraries(ringside_ui PUBLIC TBB::tbb)\n", "may use TBB"},
};

/// Counts and prints failures, as a test library would, which is not available without Qt.
class Report {
public:
    void check(bool held, const std::string& sentence, const std::string& evidence = {}) {
        std::cout << (held ? "ok    " : "FAIL  ") << sentence << '\n';
        if (!held)
            std::cout << evidence;
        m_failed += held ? 0 : 1;
    }
    int exitCode() const { return m_failed == 0 ? 0 : 1; }

private:
    int m_failed = 0;
};

std::string listed(const std::vector<tests::Trespass>& trespasses) {
    std::string text;
    for (const auto& trespass : trespasses)
        text += "      " + tests::describe(trespass) + '\n';
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    Report report;
    if (argc != 2) {
        std::cerr << "usage: tst_arrows SOURCE_FOLDER\n";
        return 2;
    }

    const fs::path source = argv[1];
    report.check(fs::exists(source / "engine/api/runner.h"), "the checked tree is that of Ringside");
    const auto ours = tests::trespassesIn(source);
    report.check(ours.empty(), "every include and link follows the arrows in ARCHITECTURE.md", listed(ours));

    {
        const SmallHouse house;
        const auto none = tests::trespassesIn(house.root());
        report.check(none.empty(), "no rule is reported for a tree that keeps all rules", listed(none));
    }
    for (const Planted& planted : kPlanted) {
        const SmallHouse house;
        house.write(planted.file, planted.text);
        const auto found = tests::trespassesIn(house.root());
        const bool reported = std::any_of(found.begin(), found.end(), [&](const auto& trespass) {
            return trespass.text.find(planted.rule) != std::string::npos;
        });
        report.check(reported, planted.sentence, "      expected: " + std::string(planted.rule) + '\n' + listed(found));
    }
    return report.exitCode();
}
