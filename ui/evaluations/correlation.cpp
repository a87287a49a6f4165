#include "ui/evaluations/correlation.h"

#include "data/figure/evaluation_chart.h"
#include "data/results/metrics.h"
#include "ui/look/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace ui {

FigureCanvas::Content correlationOf(const std::vector<data::MeasuredPair>& pairs, const std::string& metric,
                                    const QStringList& texts) {
    FigureCanvas::Content content;
    if (pairs.empty())
        return content;
    const data::Metric* found = data::findMetric(metric);
    content.figure.panels = {
        data::correlationPanel(pairs, found == nullptr ? data::Metric{.path = metric, .label = metric} : *found)};
    content.choices = texts;
    content.summary = QCoreApplication::translate("Correlation", "%1 marks")
                          .arg(formatCount(static_cast<std::int64_t>(pairs.size())));
    content.square = true;
    content.order.resize(pairs.size());
    std::iota(content.order.begin(), content.order.end(), std::size_t{0});
    std::ranges::stable_sort(content.order, {}, [&](std::size_t i) { return pairs[i].measured; });
    return content;
}

}  // namespace ui
