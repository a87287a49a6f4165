#include "data/results/model_time.h"

#include <algorithm>

namespace data {

engine::Duration ModelTime::total() const {
    engine::Duration sum;
    for (const ModelPart& part : kModelParts)
        sum += this->*part.time;
    return sum;
}

engine::Duration ModelTime::exposed() const { return reduceScatter + allGather + allToAll; }

ModelTime& ModelTime::operator+=(const ModelTime& other) {
    for (const ModelPart& part : kModelParts)
        this->*part.time += other.*part.time;
    return *this;
}

ModelTime operator*(const ModelTime& time, std::int64_t count) {
    ModelTime product;
    for (const ModelPart& part : kModelParts)
        product.*part.time = time.*part.time * count;
    return product;
}

const ModelPart& partOf(engine::OperatorKind kind) {
    return *std::find_if(kModelParts.begin(), kModelParts.end(),
                         [&](const ModelPart& part) { return part.kind == kind; });
}

}  // namespace data
