#include "data/model/class_times.h"

namespace data {
namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

double bytesOf(const engine::Operator& op, std::int64_t elementBytes) {
    if (!op.gemm)
        return real(op.bytes.count);
    const double m = real(op.gemm->m), n = real(op.gemm->n), k = real(op.gemm->k);
    return real(elementBytes) * (m * k + k * n + m * n) * real(op.gemms);
}

double shareOf(engine::Duration part, engine::Duration whole) {
    return whole.ps > 0 ? real(part.ps) / real(whole.ps) : 0;
}

}  // namespace

double OperatorWork::intensity() const { return bytes > 0 ? flops / bytes : 0; }

double OperatorWork::rate() const { return time.ps > 0 ? flops / (real(time.ps) * 1e-12) : 0; }

std::vector<OperatorPoint> operatorPointsOf(const ModelRun& run, const PolicyModelTime& policy) {
    const engine::Roofline roof = engine::rooflineOf(run.base);
    const std::int64_t elementBytes = engine::elementBytes(run.base);
    const engine::Duration total = policy.time.total();
    std::vector<OperatorPoint> points;
    points.reserve(run.graph.operators.size());
    for (std::size_t i = 0; i < run.graph.operators.size(); ++i) {
        const engine::Operator& op = run.graph.operators[i];
        OperatorPoint point;
        point.index = i;
        point.work = {op.flops, bytesOf(op, elementBytes), policy.operators[i].time.total()};
        point.time = point.work.time * op.count;
        point.share = shareOf(point.time, total);
        if (point.work.flops > 0 && point.work.bytes > 0)
            point.shareOfRoof = point.work.rate() / roof.at(point.work.intensity());
        points.push_back(point);
    }
    return points;
}

std::vector<ClassTime> classTimesOf(const ModelRun& run, const PolicyModelTime& policy) {
    std::vector<ClassTime> classes;
    for (const engine::OperatorClass each : engine::kOperatorClasses) {
        classes.emplace_back();
        classes.back().operatorClass = each;
    }
    for (const OperatorPoint& point : operatorPointsOf(run, policy)) {
        const engine::Operator& op = run.graph.operators[point.index];
        ClassTime& of = classes[static_cast<std::size_t>(op.operatorClass)];
        of.work.flops += point.work.flops * real(op.count);
        of.work.bytes += point.work.bytes * real(op.count);
        of.work.time += point.time;
        of.occurrences += op.count;
        ++of.operators;
    }
    for (ClassTime& of : classes)
        of.share = shareOf(of.work.time, policy.time.total());
    return classes;
}

}  // namespace data
