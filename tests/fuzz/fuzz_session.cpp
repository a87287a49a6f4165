// What may stand where the window keeps its session: any file. Whatever it is must end in a sentence or in sections that are
// kept and read again.
//
// One function in libFuzzer's form. With clang and RINGSIDE_FUZZ libFuzzer drives it, else replay.cpp.

#include "tests/fuzz/checks.h"
#include "ui/workbench/session_file.h"

#include <cstdint>
#include <string_view>

using namespace fuzz;

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer looks for
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const ScratchFolder kFolder;
    const std::string path = kFolder.file("session.json");
    writeFile(path, {reinterpret_cast<const char*>(bytes), size});
    const ui::SessionFile file(QString::fromStdString(path));
    const ui::SessionFile::Reading reading = file.read();
    require(reading.sections.isEmpty() || reading.problem.isEmpty(), "sections, or why there are none");
    if (!reading.problem.isEmpty())
        return 0;
    require(file.write(reading.sections), "sections can be kept");
    const ui::SessionFile::Reading again = file.read();
    require(again.problem.isEmpty() && again.sections == reading.sections, "kept sections are the same sections",
            readFile(path));
    return 0;
}
