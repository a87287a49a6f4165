#include "ui/measured/measured_words.h"

#include "ui/look/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

QString words(const char* text) { return QCoreApplication::translate("MeasuredWords", text); }
QString unknownWord() { return words("unknown"); }

QString timeOr(const std::optional<std::int64_t>& ps) { return ps ? formatTime(*ps) : unknownWord(); }

QString rate(const std::optional<double>& perSecond, bool lowerBound) {
    if (!perSecond)
        return unknownWord();
    const QString number = QString::number(*perSecond / 1e9, 'f', 2) + QStringLiteral(" GB/s");
    return lowerBound ? QStringLiteral("≥ ") + number : number;
}

QString rankText(const data::MeasuredRank& rank) { return rank.rank ? QString::number(*rank.rank) : text(rank.file); }

ValueRow plainRow(QStringList cells, QString meaning = {}) {
    ValueRow row;
    row.cells = std::move(cells);
    row.meaning = std::move(meaning);
    return row;
}

std::vector<ValueColumn> columnsOf(const QStringList& texts, const QStringList& numbers) {
    std::vector<ValueColumn> columns;
    for (const QString& title : texts)
        columns.push_back({.title = title, .isText = true});
    for (const QString& title : numbers)
        columns.push_back({.title = title});
    return columns;
}

}  // namespace

QString classWord(data::KernelClass kernelClass) {
    return kernelClass == data::KernelClass::gemm ? words("GEMM") : text(wordOf(kernelClass));
}

MeasuredTable rankTable(const MeasuredSet& set) {
    MeasuredTable table;
    table.columns = columnsOf({words("Rank"), words("GPU")},
                              {words("Span"), words("Compute"), words("Communication"), words("Overlapped"),
                               words("Exposed"), words("Memory"), words("Idle"), words("Overlap"), words("Waiting")});
    table.columns[2].hint = words("From the first to the last kernel: compute, exposed, memory and idle add up to it");
    table.columns[9].hint = words("Overlapped over communication, as Holistic Trace Analysis counts it; what a fused "
                                  "kernel communicates counts as compute");
    table.columns[10].hint = words("How long collectives of this rank waited for other ranks; one rank cannot tell");
    for (const data::MeasuredRank& rank : set.report.ranks) {
        const data::IntervalReport& times = rank.intervals;
        table.rows.push_back(
            plainRow({rankText(rank), rank.device.empty() ? unknownWord() : text(rank.device), formatTime(times.span),
                      formatTime(times.compute), formatTime(times.communication), formatTime(times.overlapped),
                      formatTime(times.exposed), formatTime(times.memory), formatTime(times.idle),
                      rank.overlap ? formatPercent(*rank.overlap) : unknownWord(), timeOr(rank.waiting)},
                     text(rank.endsEarly)));
    }
    return table;
}

MeasuredTable collectiveTable(const MeasuredSet& set) {
    MeasuredTable table;
    table.columns = columnsOf({words("Collective"), words("Ranks")},
                              {words("Size"), words("n"), words("Least"), words("Median"), words("Greatest"),
                               words("Skew"), words("Hidden"), words("algbw"), words("busbw")});
    table.columns[4].hint = words("The least duration over the ranks: without the time that early ranks wait");
    table.columns[7].hint = words("How much later the last rank began than the first; needs two ranks");
    table.columns[8].hint = words("The share of their time, on all ranks, in which their rank computes");
    table.columns[10].hint =
        words("Bus bandwidth with the factors of nccl-tests; ≥: a lower bound, because not all ranks of "
              "the group are there");
    for (const data::CollectiveRow& row : set.report.collectives) {
        QString why = text(row.bytesUnknown);
        if (!row.unmatched.empty())
            why += (why.isEmpty() ? QString() : QStringLiteral("; ")) + words("not matched: ") + text(row.unmatched);
        QString name = text(wordOf(row.operation));
        if (row.carrier != data::SpanKind::kernel)
            name += words(", by copy engine");
        if (row.assumed)
            name += words(" (assumed)");
        table.rows.push_back(plainRow(
            {name, text(row.group), row.bytes ? text(data::messageText(*row.bytes)) : unknownWord(),
             formatCount(static_cast<std::int64_t>(row.count)), formatTime(row.least), formatTime(row.median),
             formatTime(row.greatest), timeOr(row.skew), row.hidden() ? formatPercent(*row.hidden()) : unknownWord(),
             rate(row.algbw, row.lowerBound), rate(row.busbw, row.lowerBound)},
            why));
    }
    return table;
}

MeasuredTable gemmTable(const MeasuredSet& set) {
    MeasuredTable table;
    table.columns = columnsOf({words("GEMM"), words("Type")},
                              {words("n"), words("Alone"), words("Beside"), words("Stretch"), words("TFLOP/s"),
                               words("Tiles"), words("Waves"), words("Wave efficiency")});
    table.columns[3].hint = words("Median of those that no communication touches");
    table.columns[4].hint = words("Median of those with at least half of their time beside communication");
    table.columns[5].hint = words("Beside over alone");
    for (const data::KernelRow& row : set.report.gemms) {
        const std::optional<double> stretch = row.stretch(), flops = row.flopRate(),
                                    efficiency = row.waves.efficiency();
        const auto number = [](const std::optional<std::int64_t>& value) {
            return value ? formatCount(*value) : unknownWord();
        };
        QString why = text(row.shapeUnknown);
        if (!row.waves.unknown.empty())
            why += (why.isEmpty() ? QString() : QStringLiteral("; ")) + text(row.waves.unknown);
        ValueRow made =
            plainRow({row.shape ? text(row.shape->text()) : words("unknown shape"), text(row.type),
                      formatCount(static_cast<std::int64_t>(row.count)), timeOr(row.alone), timeOr(row.beside),
                      stretch ? QString::number(*stretch, 'f', 3) : unknownWord(),
                      flops ? QString::number(*flops / 1e12, 'f', 1) : unknownWord(), number(row.waves.tiles),
                      number(row.waves.waves), efficiency ? formatPercent(*efficiency) : unknownWord()},
                     text(row.name) + (why.isEmpty() ? QString() : QStringLiteral("\n") + why));
        table.rows.push_back(std::move(made));
    }
    return table;
}

MeasuredTable unknownTable(const MeasuredSet& set) {
    MeasuredTable table;
    table.columns = columnsOf({words("What cannot be known"), words("Why")}, {});
    for (const data::MeasuredUnknown& unknown : set.report.unknowns)
        table.rows.push_back(
            plainRow({QStringLiteral("%1 %2")
                          .arg(unknown.count)
                          .arg(text(unknown.count == 1 && !unknown.whatOne.empty() ? unknown.whatOne : unknown.what)),
                      text(unknown.reason)}));
    for (const std::string& notice : set.report.notices)
        table.rows.push_back(plainRow({text(notice), words("as the trace was written")}));
    for (const data::UnclassedKernel& kernel : set.report.unclassed)
        table.rows.push_back(
            plainRow({words("%1 kernels in %2, counted as compute").arg(kernel.count).arg(formatTime(kernel.total)),
                      words("no class has this name: %1").arg(text(kernel.name))}));
    return table;
}

QString spanLine(const MeasuredSet& set, const data::MeasuredPlace& place) {
    const data::MeasuredTrace& trace = set.traces[place.trace];
    const data::MeasuredSpan& span = set.spanOf(place);
    QStringList parts;
    QString what = classWord(span.kernelClass);
    if (span.isCommunication() && span.operation != data::MeasuredOperation::unknown)
        what = text(wordOf(span.operation));
    if (span.kernelClass == data::KernelClass::gemm) {
        const data::GemmShapeReading reading = data::gemmShapeOf(trace, span);
        what += reading.shape ? QLatin1Char(' ') + text(reading.shape->text())
                              : words(", shape unknown: %1").arg(text(reading.unknown));
    }
    parts << what << words("%1 long").arg(formatTime(span.duration))
          << words("from %1").arg(formatTime(set.startOf(place)));
    if (trace.rank)
        parts << words("rank %1").arg(*trace.rank);
    parts << text(trace.nameOf(span.name));
    return parts.join(QStringLiteral(", "));
}

QString measuredHeadline(const MeasuredSet& set) {
    const std::vector<data::MeasuredRank>& ranks = set.report.ranks;
    if (ranks.empty())
        return {};
    std::int64_t overlapped = 0, communication = 0;
    for (const data::MeasuredRank& rank : ranks) {
        overlapped += rank.intervals.overlapped;
        communication += rank.intervals.communication;
    }
    QString hidden = communication > 0
                         ? words("%1 of the communication runs beside compute.")
                               .arg(formatPercent(static_cast<double>(overlapped) / static_cast<double>(communication)))
                         : words("There is no communication.");
    if (ranks.size() > 1)
        return words("%1 ranks. ").arg(ranks.size()) + hidden;
    return words(
               "One rank: it cannot tell transfer from waiting for other ranks, so that bandwidths are lower bounds. Drop "
               "the other ranks as well. ") +
           hidden;
}

}  // namespace ui
