// Runs one test of the built programs, by its name: tests_app tst_x PROGRAM FOLDER. No Qt.

#include "tests/app/program_test.h"

int main(int argc, char** argv) {
    for (const tests::ProgramTest& test : tests::programTests()) {
        if (argc > 1 && test.name == argv[1])
            return test.run(argc - 1, argv + 1);
    }
    std::cerr << "usage: " << argv[0] << " TEST PROGRAM FOLDER, where TEST is one of:\n";
    for (const tests::ProgramTest& test : tests::programTests())
        std::cerr << "  " << test.name << "\n";
    return 2;
}
