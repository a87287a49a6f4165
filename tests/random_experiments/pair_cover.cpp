#include "tests/random_experiments/pair_cover.h"

#include "tests/random_experiments/random_experiment.h"
#include "tests/random_experiments/random_numbers.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tests {

namespace {

using engine::Experiment;
using engine::Parameter;

constexpr std::size_t kMostTogether = 5;   // with more, one value often hides the effect of another
constexpr int kMostTries = 60;             // for one pair
constexpr std::size_t kMostPartners = 16;  // parameters that are tried as further ones of an experiment
constexpr double kMostEvents =
    50'000;  // there are hundreds of experiments, and short runs show the effect of parameters, too

bool hasAnotherValue(const Parameter& parameter, const Experiment& one, const Experiment& other) {
    return parameter.read(one) != parameter.read(other);
}

class Covering {
public:
    explicit Covering(std::uint64_t seed) : m_seed(seed) {
        for (const Parameter& parameter : engine::parameters()) {
            if (isDrawn(parameter))
                m_all.push_back(&parameter);
        }
        m_covered.assign(m_all.size() * m_all.size(), false);
    }

    PairCover cover() {
        PairCover cover;
        for (std::size_t first = 0; first < m_all.size(); ++first) {
            for (std::size_t second = first + 1; second < m_all.size(); ++second) {
                if (isCovered(first, second))
                    continue;
                if (std::optional<Draw> draw = drawPair(first, second))
                    cover.experiments.push_back(finished(std::move(*draw)));
            }
        }
        cover.pairs = m_all.size() * (m_all.size() - 1) / 2;
        cover.covered = static_cast<std::size_t>(std::count(m_covered.begin(), m_covered.end(), true)) / 2;
        return cover;
    }

private:
    struct Draw {
        RandomNumbers random;
        Experiment start, experiment;
        std::vector<std::size_t> drawn;  // places in m_all
    };

    bool isCovered(std::size_t first, std::size_t second) const { return m_covered[first * m_all.size() + second]; }

    std::optional<Draw> drawPair(std::size_t first, std::size_t second) const {
        RandomNumbers random(m_seed, first * m_all.size() + second);
        for (int i = 0; i < kMostTries; ++i) {
            const Experiment start = startingPoint(random);
            Draw draw{random, start, start, {}};
            const bool both = add(draw, first, false) && add(draw, second, true);
            random = draw.random;
            if (both)
                return draw;
        }
        return std::nullopt;
    }

    /// Draws one more parameter. Returns false and does not change the experiment if this would change the new value of
    /// another parameter or, if `runs` is true, if the experiment could not be run.
    bool add(Draw& draw, std::size_t place, bool runs) const {
        Experiment changed = withChanged(draw.experiment, *m_all[place], draw.random);
        const auto stays = [&](std::size_t drawn) { return hasAnotherValue(*m_all[drawn], changed, draw.start); };
        if (!stays(place) || !std::all_of(draw.drawn.begin(), draw.drawn.end(), stays))
            return false;
        if (runs && (!canBeTried(changed) || eventsOfAllGpus(changed) > kMostEvents))
            return false;
        draw.experiment = std::move(changed);
        draw.drawn.push_back(place);
        return true;
    }

    std::size_t newPairsWith(const Draw& draw, std::size_t place) const {
        return static_cast<std::size_t>(std::count_if(draw.drawn.begin(), draw.drawn.end(), [&](std::size_t drawn) {
            return drawn != place && !isCovered(drawn, place);
        }));
    }

    /// Returns the parameters that would cover the most new pairs together with those already drawn.
    std::vector<std::size_t> partnersOf(Draw& draw) const {
        struct Partner {
            std::size_t place = 0, pairs = 0;
            std::uint64_t order = 0;
        };
        std::vector<Partner> partners;
        for (std::size_t place = 0; place < m_all.size(); ++place) {
            if (std::find(draw.drawn.begin(), draw.drawn.end(), place) != draw.drawn.end())
                continue;
            if (const std::size_t pairs = newPairsWith(draw, place); pairs > 0)
                partners.push_back({place, pairs, draw.random.next()});
        }
        std::sort(partners.begin(), partners.end(), [](const Partner& one, const Partner& other) {
            return one.pairs != other.pairs ? one.pairs > other.pairs : one.order < other.order;
        });
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < std::min(partners.size(), kMostPartners); ++i)
            places.push_back(partners[i].place);
        return places;
    }

    DrawnTogether finished(Draw draw) {
        bool grew = true;
        while (grew && draw.drawn.size() < kMostTogether) {
            const std::vector<std::size_t> partners = partnersOf(draw);
            grew = std::any_of(partners.begin(), partners.end(),
                               [&](std::size_t place) { return add(draw, place, true); });
        }
        DrawnTogether together{std::move(draw.experiment), {}};
        for (const std::size_t one : draw.drawn) {
            together.drawn.push_back(m_all[one]);
            for (const std::size_t other : draw.drawn)
                m_covered[one * m_all.size() + other] = one != other;
        }
        return together;
    }

    std::uint64_t m_seed;
    std::vector<const Parameter*> m_all;
    std::vector<bool> m_covered;  // by both places
};

}  // namespace

PairCover coverOfPairs(std::uint64_t seed) { return Covering(seed).cover(); }

}  // namespace tests
