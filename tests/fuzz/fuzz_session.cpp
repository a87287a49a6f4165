// Gives any bytes to the reader of the window's session file. It must return an error in a sentence, or sections that
// can be written and read again.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "tests/fuzz/checks.h"
#include "ui/workbench/session_file.h"

#include <cstdint>
#include <string_view>

namespace fuzz::session {

RINGSIDE_FUZZ_TARGET(fuzz_session)(const std::uint8_t* bytes, std::size_t size) {
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

}  // namespace fuzz::session
