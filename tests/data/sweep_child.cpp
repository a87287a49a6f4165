// Runs a sweep of small points into the given store and prints its progress: "to run N" at the start, "kept HASH" for
// each point once its transaction has ended, "done" at the end. tst_sweep_faults kills this program, or makes its disk
// full or read-only.
//
//   sweep_child STORE BANDWIDTHS THREADS [nobody | at-most BYTES]

#include "data/sweep/sweep_runner.h"
#include "tests/data/small_sweep.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <string_view>

namespace {

/// Removes rights for the tests of faults: "nobody" gives up the rights of root, which may write everywhere, and
/// "at-most" limits the size of files.
bool loseRights(int argc, char** argv) {
    const std::string_view what = argc > 4 ? argv[4] : "";
    constexpr uid_t kNobody = 65534;
    if (what == "nobody" && geteuid() == 0)
        return setuid(kNobody) == 0;
    if (what == "at-most") {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit most{std::stoul(argv[5]), std::stoul(argv[5])};
        return setrlimit(RLIMIT_FSIZE, &most) == 0;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4 || !loseRights(argc, argv))
        return 2;
    const data::SweepPlan plan = data::planOf(tests::smallSweep(std::stol(argv[2])));
    std::vector<std::string> ended;
    std::size_t reported = 0;
    data::SweepOptions options;
    options.threads = std::stoi(argv[3]);
    options.arrived = [&](const std::vector<data::SweepArrival>& arrivals) {
        for (const data::SweepArrival& arrival : arrivals)
            ended.push_back(plan.points[arrival.point].hash);
    };
    options.progress = [&](const data::SweepProgress& progress) {
        if (reported == 0 && progress.done == 0)
            std::cout << "to run " << progress.toRun << '\n';
        for (; reported < progress.done; ++reported)
            std::cout << "kept " << ended[reported] << '\n';
        std::cout.flush();
    };
    try {
        data::runSweep(plan, argv[1], options);
    } catch (const std::exception& error) {
        std::cout << "failed " << error.what() << std::endl;
        return 3;
    }
    std::cout << "done" << std::endl;
    return 0;
}
