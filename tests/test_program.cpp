#include "tests/test_program.h"

#include <iostream>
#include <map>
#include <string>

namespace {

// Created when the first test registers, because the order in which files are initialised is not defined.
std::map<std::string, tests::TestRunner>& knownTests() {
    static std::map<std::string, tests::TestRunner> known;
    return known;
}

}  // namespace

namespace tests {

TestRegistration::TestRegistration(const char* name, TestRunner run) { knownTests().emplace(name, run); }

}  // namespace tests

int main(int count, char** values) {
    const auto found = count > 1 ? knownTests().find(values[1]) : knownTests().end();
    if (found == knownTests().end()) {
        std::cerr << "usage: " << values[0] << " CLASS [arguments of Qt Test], where CLASS is one of\n";
        for (const auto& [name, run] : knownTests())
            std::cerr << "  " << name << "\n";
        return 2;
    }
    values[1] = values[0];
    return found->second(count - 1, values + 1);
}
