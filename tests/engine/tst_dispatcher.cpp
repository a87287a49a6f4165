// Tests which kernel gets the room of a CU: the dispatch rules, one workgroup after the other.

#include "engine/compute/dispatcher.h"

#include "tests/test_program.h"

#include <string>

using namespace engine;

namespace {

Experiment ruled(DispatchRule rule, std::int64_t cus = 1) {
    Experiment experiment;
    experiment.cu.count = cus;
    experiment.dispatch.rule = rule;
    return experiment;
}

/// Three kernels: the own GEMM, and the companion's GEMM and collective. A workgroup of a GEMM takes half a CU.
struct Trio {
    explicit Trio(const Experiment& experiment, std::uint32_t workgroups = 4) : dispatcher(experiment) {
        own = dispatcher.add({false, false, workgroups, kWholeCu / 2});
        copy = dispatcher.add({false, true, workgroups, kWholeCu / 2});
        collective = dispatcher.add({true, true, 2, kWholeCu});
    }

    /// Returns the kernels that get room on `cu` one after the other until none fits, as letters: o, c, C.
    std::string taken(std::uint32_t cu = 0) {
        std::string letters;
        for (KernelId kernel = dispatcher.take(cu); kernel != kNoKernel; kernel = dispatcher.take(cu))
            letters += letterOf(kernel);
        return letters;
    }
    char letterOf(KernelId kernel) const { return kernel == own ? 'o' : kernel == copy ? 'c' : 'C'; }

    Dispatcher dispatcher;
    KernelId own, copy, collective;
};

}  // namespace

class TestDispatcher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKernelThatIsNotLaunchedGetsNoRoom() {
        Trio trio(ruled(DispatchRule::inOrder));
        QCOMPARE(trio.taken(), std::string());
        trio.dispatcher.launch(trio.own);
        QCOMPARE(trio.taken(), std::string("oo"));
    }

    void inOrderTheKernelLaunchedFirstGetsAllItsWorkgroupsFirst() {
        Trio trio(ruled(DispatchRule::inOrder));
        trio.dispatcher.launch(trio.copy);
        trio.dispatcher.launch(trio.own);
        QCOMPARE(trio.taken(), std::string("cc"));
        trio.dispatcher.release(trio.copy, 0);
        QCOMPARE(trio.taken(), std::string("c"));
        trio.dispatcher.release(trio.copy, 0);
        trio.dispatcher.release(trio.copy, 0);
        QCOMPARE(trio.taken(), std::string("co"));
    }

    void aCuStaysUnfilledUntilTheNextWorkgroupFits() {
        Trio trio(ruled(DispatchRule::inOrder), 2);
        trio.dispatcher.launch(trio.own);
        trio.dispatcher.launch(trio.collective);
        trio.dispatcher.launch(trio.copy);
        QCOMPARE(trio.taken(), std::string("oo"));
        trio.dispatcher.release(trio.own, 0);
        QCOMPARE(trio.taken(), std::string());  // a copy would fit into half a CU, but the collective is next
        trio.dispatcher.release(trio.own, 0);
        QCOMPARE(trio.taken(), std::string("C"));
    }

    void companionFirstOvertakesOwnWorkThatWasLaunchedBefore() {
        Trio trio(ruled(DispatchRule::companionFirst));
        trio.dispatcher.launch(trio.own);
        trio.dispatcher.launch(trio.collective);
        trio.dispatcher.launch(trio.copy);
        QCOMPARE(trio.taken(), std::string("C"));
        trio.dispatcher.release(trio.collective, 0);
        QCOMPARE(trio.taken(), std::string("C"));
        trio.dispatcher.release(trio.collective, 0);
        QCOMPARE(trio.taken(), std::string("cc"));
    }

    void roundRobinGivesEachKernelOneWorkgroupInTurn() {
        Trio trio(ruled(DispatchRule::roundRobin, 2));
        trio.dispatcher.launch(trio.own);
        trio.dispatcher.launch(trio.copy);
        QCOMPARE(trio.taken(0), std::string("oc"));
        QCOMPARE(trio.taken(1), std::string("oc"));
        trio.dispatcher.release(trio.copy, 1);
        QCOMPARE(trio.taken(1), std::string("o"));
        // A kernel whose workgroups have all been assigned gets no turn.
        trio.dispatcher.release(trio.own, 1);
        trio.dispatcher.release(trio.own, 1);
        QCOMPARE(trio.taken(1), std::string("co"));
        trio.dispatcher.release(trio.copy, 1);
        QCOMPARE(trio.taken(1), std::string("c"));
        trio.dispatcher.release(trio.own, 1);
        QCOMPARE(trio.taken(1), std::string());
    }

    void reservedCusTakeCollectivesOnlyAndTheOthersNone() {
        Experiment experiment = ruled(DispatchRule::reserved, 3);
        experiment.dispatch.reserved = 1;
        Trio trio(experiment);
        QCOMPARE(trio.dispatcher.cusForGemms(), 2u);
        trio.dispatcher.launch(trio.own);
        trio.dispatcher.launch(trio.collective);
        QCOMPARE(trio.taken(2), std::string("C"));
        QCOMPARE(trio.taken(1), std::string("oo"));
        trio.dispatcher.release(trio.collective, 2);
        QCOMPARE(trio.taken(2), std::string("C"));
        trio.dispatcher.release(trio.collective, 2);
        QCOMPARE(trio.taken(2), std::string());
    }

    void aKernelThatHasEndedWantsNoMoreRoom() {
        Trio trio(ruled(DispatchRule::inOrder));
        trio.dispatcher.launch(trio.collective);
        trio.dispatcher.launch(trio.copy);
        QCOMPARE(trio.taken(), std::string("C"));  // one more waits
        trio.dispatcher.withdraw(trio.collective);
        trio.dispatcher.release(trio.collective, 0);
        QCOMPARE(trio.taken(), std::string("cc"));
    }

    void roomIsExactUpToSixteenWorkgroupsAndNeverTooLarge() {
        for (std::uint32_t slots = 1; slots <= 64; ++slots) {
            Dispatcher dispatcher(ruled(DispatchRule::inOrder));
            const KernelId kernel = dispatcher.add({false, false, 100, kWholeCu / slots});
            dispatcher.launch(kernel);
            std::uint32_t taken = 0;
            while (dispatcher.take(0) != kNoKernel)
                ++taken;
            QCOMPARE(taken, slots);
            QVERIFY(slots > 16 || kWholeCu % slots == 0);
        }
    }
};

RINGSIDE_TEST(TestDispatcher)
#include "tst_dispatcher.moc"
