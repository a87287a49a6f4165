#pragma once

// One program holds all tests of a folder, because linking and reading headers take most of the time to build a test.
// `tests_engine TestEventQueue [arguments of Qt Test]` runs one class; ctest has an entry for each.

#include <QCoreApplication>
#include <QTest>

namespace tests {

using TestRunner = int (*)(int count, char** values);

/// Registers a test class with the folder's program under its name.
struct TestRegistration {
    TestRegistration(const char* name, TestRunner run);
};

/// Runs a test object without an application.
template <class Test>
int runPlainTest(int count, char** values) {
    Test test;
    return QTest::qExec(&test, count, values);
}

/// Runs a test object with an event loop.
template <class Test>
int runCoreTest(int count, char** values) {
    const QCoreApplication application(count, values);
    Test test;
    return QTest::qExec(&test, count, values);
}

}  // namespace tests

#define RINGSIDE_REGISTER_TEST(Test, run) static const tests::TestRegistration k##Test##IsKnown{#Test, run};
#define RINGSIDE_TEST(Test) RINGSIDE_REGISTER_TEST(Test, tests::runPlainTest<Test>)
#define RINGSIDE_CORE_TEST(Test) RINGSIDE_REGISTER_TEST(Test, tests::runCoreTest<Test>)
