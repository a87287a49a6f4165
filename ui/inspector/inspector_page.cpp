#include "ui/inspector/inspector_page.h"

#include "engine/api/topology.h"

#include "engine/api/run_parts.h"
#include "ui/look/company_words.h"
#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/limit_words.h"
#include "ui/look/run_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ui {
namespace {

using engine::SpanKind;
using engine::Stream;

QString pageTr(const char* text) { return QCoreApplication::translate("InspectorPage", text); }

/// Writes the HTML of all pages, so that they look alike.
class Writer {
public:
    explicit Writer(const Palette& colors) : m_colors(colors) {}

    void title(const QString& text) {
        m_html += QStringLiteral("<p style='margin:0; font-size:large; font-weight:600'>%1</p>").arg(escaped(text));
    }
    void note(const QString& text) {
        m_html += QStringLiteral("<p style='margin-top:2px; margin-bottom:0; color:%1'>%2</p>")
                      .arg(m_colors.inkSoft.name(), escaped(text));
    }
    void section(const QString& text) {
        m_html +=
            QStringLiteral("<p style='margin-top:14px; margin-bottom:4px; font-weight:600'>%1</p>").arg(escaped(text));
    }
    /// Begins a table. Without nowrap Qt would break lines after a decimal point.
    void beginTable() {
        m_html += QStringLiteral("<table width='98%' cellspacing='0' cellpadding='1' style='white-space:nowrap'>");
    }
    /// Begins a table with many columns, in smaller text, so that they fit side by side in a narrow panel.
    void beginDenseTable() {
        m_html += QStringLiteral("<table width='98%' cellspacing='0' cellpadding='1' style='font-size:small'>");
    }
    void beginFacts() { m_html += QStringLiteral("<table cellspacing='0' cellpadding='1'>"); }
    void endTable() { m_html += QStringLiteral("</table>"); }
    static QString unbroken(QString html) { return html.replace(u' ', QStringLiteral("&nbsp;")); }
    void fact(const QString& name, const QString& value) {
        m_html += QStringLiteral("<tr><td style='color:%1; padding-right:12px'>%2</td><td>%3</td></tr>")
                      .arg(m_colors.inkSoft.name(), unbroken(escaped(name)), escaped(value));
    }
    void header(const QStringList& cells) {
        row(cells, QStringLiteral(" style='color:%1'").arg(m_colors.inkSoft.name()));
    }
    /// Writes a row with the first cell aligned to the left and the others, which are numbers, to the right.
    void row(const QStringList& cells, const QString& style = {}) {
        m_html += QStringLiteral("<tr>");
        for (qsizetype i = 0; i < cells.size(); ++i)
            m_html +=
                QStringLiteral("<td align='%1'%2>%3</td>")
                    .arg(i == 0 ? QStringLiteral("left") : QStringLiteral("right"), style, unbroken(escaped(cells[i])));
        m_html += QStringLiteral("</tr>");
    }
    void link(const FactLink& link) {
        m_html +=
            QStringLiteral("<p style='margin-top:0; margin-bottom:4px'><a href='%1' style='color:%2'>%3</a>"
                           "<br><span style='color:%4'>%5</span></p>")
                .arg(linkOf(link.span), linkColor(), escaped(link.text), m_colors.inkSoft.name(), escaped(link.when));
    }
    void ask(const QString& target, const QString& text) {
        m_html +=
            QStringLiteral("<p style='margin-top:14px; margin-bottom:4px'><a href='%1' style='color:%2'>%3</a></p>")
                .arg(target, linkColor(), escaped(text));
    }
    QString bar(std::vector<PageBar::Part> parts, PageMetrics metrics, double height) {
        const QString name = QStringLiteral("bar:%1").arg(m_bars.size());
        m_bars.push_back({name, std::move(parts)});
        return QStringLiteral("<img src='%1' width='%2' height='%3' style='vertical-align:middle'>")
            .arg(name)
            .arg(metrics.width)
            .arg(static_cast<int>(metrics.line * height));
    }
    void raw(const QString& html) { m_html += html; }
    InspectorPage take() { return {std::move(m_html), std::move(m_bars)}; }

    static QString escaped(const QString& text) { return text.toHtmlEscaped(); }

private:
    QString linkColor() const {
        return m_colors.theme == Theme::dark ? m_colors.of(Role::link).name() : m_colors.accent.name();
    }

    const Palette& m_colors;
    QString m_html;
    std::vector<PageBar> m_bars;
};

double shareOf(std::int64_t part, std::int64_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

QString percent(double share) {
    // A small share must not be shown as zero.
    return share > 0 && share < 0.005 ? pageTr("< 1 %") : formatPercent(share);
}

// Returns the title of a section whose numbers are sums over the area's GPUs.
QString sumTitle(const QString& title, const AreaStatistics& statistics) {
    return statistics.gpus > 1 ? pageTr("%1, sum of %2 GPUs").arg(title).arg(statistics.gpus) : title;
}

QString meanTitle(const QString& title, const AreaStatistics& statistics) {
    return statistics.gpus > 1 ? pageTr("%1, mean of %2 GPUs").arg(title).arg(statistics.gpus) : title;
}

void writeOverlap(Writer& page, const AreaStatistics& statistics, const QString& scatter, PageMetrics metrics) {
    // An access pattern has neither.
    if (!statistics.busy.workgroupSlots && !statistics.busy.linkOut)
        return;
    const OverlapIdentity& times = statistics.overlap;
    const std::int64_t gpus = std::max<std::int64_t>(1, statistics.gpus);
    page.section(meanTitle(pageTr("GEMM and communication"), statistics));
    page.raw(QStringLiteral("<p style='margin:0'>") +
             page.bar({{shareOf(times.compute - times.atOnce(), times.all), Role::gemm},
                       {shareOf(times.atOnce(), times.all), Role::overlapped},
                       {shareOf(times.communicationAlone(), times.all), Role::exposed}},
                      metrics, 1.0) +
             QStringLiteral("</p>"));
    page.beginTable();
    page.header({QString(), pageTr("time"), pageTr("of the range")});
    const auto row = [&](const QString& name, std::int64_t ps) {
        page.row({name, formatTime(ps / gpus), percent(shareOf(ps, times.all))});
    };
    row(pageTr("GEMM"), times.compute);
    row(pageTr("Communication"), times.communication);
    row(pageTr("    beside the GEMM"), times.atOnce());
    row(pageTr("    alone"), times.communicationAlone());
    row(pageTr("Idle"), times.idle());
    row(pageTr("Total"), times.compute + times.communicationAlone() + times.idle());
    page.endTable();
    page.note(pageTr("Communication is the time in which a chunk is on its way, a block is being sent or a packet "
                     "arrives; the %1 of the headlines lasts until its last tile is complete.")
                  .arg(scatter));
}

void writeBusy(Writer& page, const AreaStatistics& statistics, PageMetrics metrics) {
    const BusyShares& busy = statistics.busy;
    const struct {
        QString name;
        const std::optional<double>& share;
        Role role;
    } resources[] = {{pageTr("Workgroup slots"), busy.workgroupSlots, Role::gemm},
                     {pageTr("DRAM, compute"), busy.dramCompute, Role::gemm},
                     {pageTr("DRAM, communication"), busy.dramCommunication, Role::reduceScatter},
                     {pageTr("Link out"), busy.linkOut, Role::link},
                     {pageTr("Link in"), busy.linkIn, Role::link},
                     {pageTr("DMA engine"), busy.dma, Role::dma}};
    page.section(meanTitle(pageTr("Busy share of the range"), statistics));
    page.beginTable();
    metrics.width = metrics.width * 3 / 10;
    for (const auto& resource : resources) {
        if (!resource.share)
            continue;
        page.raw(QStringLiteral("<tr><td>%1</td><td align='right'>%2</td><td align='right'>%3</td></tr>")
                     .arg(Writer::unbroken(Writer::escaped(resource.name)),
                          page.bar({{*resource.share, resource.role}}, metrics, 0.7),
                          Writer::escaped(percent(*resource.share))));
    }
    page.endTable();
}

// Writes the times of the run's own work and of its companion, alone and together, for the whole run.
void writeCompany(Writer& page, const data::LaboratoryRun& run) {
    if (!run.result.companion)
        return;
    const engine::CompanionResult& company = *run.result.companion;
    page.section(pageTr("Side by side, whole run"));
    page.note(companySentence(run.experiment, company));
    const auto time = [](const std::optional<engine::Duration>& value) {
        return value ? formatTime(value->ps) : QStringLiteral("–");
    };
    page.beginTable();
    page.header({QString(), pageTr("alone"), pageTr("together")});
    page.row({pageTr("Own work"), time(company.ownAlone), formatTime(company.own.ps)});
    page.row({pageTr("Companion"), time(company.alone), formatTime(company.time.ps)});
    if (company.serial)
        page.row({pageTr("Both"), formatTime(company.serial->ps), formatTime(run.result.last.time.total.ps)});
    page.endTable();
    if (company.whileBoth)
        page.note(pageTr("While both run, for %1: own work %2, companion %3.")
                      .arg(formatTime(company.whileBoth->time.ps), slowdownText(company.whileBoth->ownSlowdown),
                           slowdownText(company.whileBoth->slowdown)));
}

// Writes the share of time in the range for which each kernel used the shared resources.
void writeKernels(Writer& page, const AreaStatistics& statistics, const engine::Experiment& experiment) {
    if (statistics.kernels.empty())
        return;
    page.section(meanTitle(pageTr("Busy with each kernel, share of the range"), statistics));
    page.beginDenseTable();
    page.header({QString(), pageTr("workgroups"), pageTr("DRAM"), pageTr("link out")});
    for (const KernelShares& kernel : statistics.kernels) {
        if (kernel.workgroupSlots + kernel.dram + kernel.linkOut > 0)
            page.row({kernelName(experiment, kernel.kernel), percent(kernel.workgroupSlots), percent(kernel.dram),
                      percent(kernel.linkOut)});
    }
    page.endTable();
    if (engine::sendsData(experiment.workload.sublayer))
        page.note(pageTr("Packets of the run's own work are counted for its GEMM here."));
}

void writeMemory(Writer& page, const AreaStatistics& statistics) {
    if (statistics.dramBytes() == 0)
        return;
    page.section(sumTitle(pageTr("DRAM bytes"), statistics));
    page.beginDenseTable();
    page.header({QString(), pageTr("compute"), pageTr("communication"), pageTr("both")});
    std::int64_t compute = 0;
    std::int64_t communication = 0;
    const auto row = [&](const QString& name, std::int64_t first, std::int64_t second) {
        page.row({name, formatBytes(first), formatBytes(second), formatBytes(first + second)});
    };
    for (const auto& [kind, name] : {std::pair{SpanKind::dramRead, pageTr("Reads")},
                                     {SpanKind::dramWrite, pageTr("Writes")},
                                     {SpanKind::dramUpdate, pageTr("Updates")}}) {
        const std::int64_t first = statistics.sums[classOf(kind, Stream::compute)].bytes;
        const std::int64_t second = statistics.sums[classOf(kind, Stream::communication)].bytes;
        compute += first;
        communication += second;
        if (first + second > 0)
            row(name, first, second);
    }
    row(pageTr("All"), compute, communication);
    page.endTable();
}

void writeLink(Writer& page, const AreaStatistics& statistics, const engine::Experiment& experiment) {
    if (statistics.linkBytes() == 0)
        return;
    const double seconds = static_cast<double>(statistics.range.span()) * 1e-12 * std::max(1u, statistics.gpus);
    const double rate = static_cast<double>(statistics.linkBytes()) / seconds;
    page.section(sumTitle(pageTr("Link"), statistics));
    page.beginTable();
    page.row({pageTr("Sent"), formatBytes(statistics.linkBytes())});
    page.row(
        {pageTr("Mean rate of a GPU's links"), formatBytes(static_cast<std::int64_t>(rate)) + QStringLiteral("/s")});
    // In a ring a GPU sends on one of its links only, so the rate is compared with one link instead of the egress.
    const engine::Topology topology = engine::topologyOf(experiment);
    const bool ring = topology.kind == engine::TopologyKind::ring;
    const engine::Bandwidth most = ring ? experiment.link.bandwidth : engine::egressOf(experiment, topology, 0);
    page.row({ring ? pageTr("Share of a link's bandwidth") : pageTr("Share of a GPU's egress"),
              percent(rate / static_cast<double>(most.bytesPerSecond))});
    page.endTable();
}

// Returns the name of a class of spans, shorter than a span's own name, for a narrow column.
QString kindName(SpanKind kind, Stream stream, bool exchanges) {
    const bool compute = stream == Stream::compute;
    switch (kind) {
    case SpanKind::gemmWave: return pageTr("Wave");
    case SpanKind::workgroup: return pageTr("Workgroup");
    case SpanKind::load: return pageTr("Load");
    case SpanKind::store: return pageTr("Store");
    case SpanKind::trackedTile: return pageTr("Tracked tile");
    case SpanKind::trigger: return pageTr("Trigger");
    case SpanKind::dmaTransfer: return pageTr("DMA transfer");
    case SpanKind::linkPacket: return pageTr("Packet sent");
    case SpanKind::dramRead: return compute ? pageTr("Read, comp.") : pageTr("Read, comm.");
    case SpanKind::dramWrite: return compute ? pageTr("Write, comp.") : pageTr("Write, comm.");
    case SpanKind::dramUpdate: return compute ? pageTr("Update, comp.") : pageTr("Update, comm.");
    case SpanKind::dramPass: return pageTr("Pass in mem.");
    case SpanKind::reduceScatterStep: return exchanges ? pageTr("All-to-all") : pageTr("Red.-scatter");
    case SpanKind::allGatherStep: return pageTr("All-gather");
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: break;
    case SpanKind::collectiveWorkgroup: return pageTr("Workgr., coll.");
    case SpanKind::companionStep: return pageTr("Step, compan.");
    case SpanKind::companionTransfer: return pageTr("DMA, compan.");
    case SpanKind::companionPacket: return pageTr("Packet, comp'n");
    case SpanKind::companionWave: return pageTr("Wave, compan.");
    case SpanKind::copy: return pageTr("Copy by DMA");
    }
    return pageTr("Landing");
}

void writeKinds(Writer& page, const AreaStatistics& statistics, bool exchanges) {
    page.section(sumTitle(pageTr("Spans that begin in the range"), statistics));
    page.beginDenseTable();
    page.header({QString(), pageTr("count"), pageTr("total"), pageTr("mean"), pageTr("longest")});
    bool any = false;
    for (std::size_t kind = 0; kind < engine::kSpanKinds; ++kind) {
        const auto spanKind = static_cast<SpanKind>(kind);
        for (const Stream stream : {Stream::compute, Stream::communication}) {
            const SpanSums& sums = statistics.sums[classOf(spanKind, stream)];
            if (sums.count == 0)
                continue;
            any = true;
            const auto time = [&](std::int64_t ps) {
                return sums.longestPs == 0 ? QStringLiteral("–") : formatTime(ps, 3);
            };
            page.row({kindName(spanKind, stream, exchanges), formatCount(sums.count), time(sums.totalPs),
                      time(sums.totalPs / sums.count), time(sums.longestPs)});
        }
    }
    if (!any)
        page.row({pageTr("none")});
    page.endTable();
}

}  // namespace

QString linkOf(data::SpanRef ref) { return QStringLiteral("span:%1/%2/%3").arg(ref.gpu).arg(ref.lane).arg(ref.span); }

std::optional<data::SpanRef> spanOfLink(const QString& link) {
    if (!link.startsWith(QLatin1String("span:")))
        return std::nullopt;
    const QStringList numbers = link.mid(5).split(u'/');
    if (numbers.size() != 3)
        return std::nullopt;
    bool fine[3];
    const data::SpanRef ref{numbers[0].toUInt(&fine[0]), numbers[1].toUInt(&fine[1]), numbers[2].toUInt(&fine[2])};
    return fine[0] && fine[1] && fine[2] ? std::optional(ref) : std::nullopt;
}

InspectorPage pageOf(const SpanFacts& facts, const Palette& colors) {
    Writer page(colors);
    page.title(facts.title);
    page.beginFacts();
    for (const Fact& fact : facts.facts)
        page.fact(fact.name, fact.value);
    page.endTable();
    const auto links = [&](const QString& title, const std::vector<FactLink>& list) {
        if (list.empty())
            return;
        page.section(title);
        for (const FactLink& link : list)
            page.link(link);
    };
    links(pageTr("Causes (key [)"), facts.before);
    links(pageTr("Effect (key ])"), facts.after);
    links(pageTr("Earlier causes: what each span waited for last"), facts.why);
    page.ask(QString::fromLatin1(kWhyLink), pageTr("Did the end of the run wait for this span? (Y)"));
    return page.take();
}

QString fieldLink(const QString& path) { return QStringLiteral("field:") + path; }

InspectorPage pageOf(const PartDescription& part, const Palette& colors) {
    Writer page(colors);
    page.title(part.title);
    if (!part.meaning.isEmpty())
        page.note(part.meaning);
    page.beginFacts();
    for (const Fact& fact : part.facts)
        page.fact(fact.name, fact.value);
    page.endTable();
    if (part.parameters.empty())
        return page.take();
    page.section(pageTr("Parameters"));
    for (const Fact& parameter : part.parameters)
        page.ask(fieldLink(parameter.name), pageTr("%1: %2").arg(parameter.name, parameter.value));
    return page.take();
}

InspectorPage pageOf(const AreaStatistics& statistics, const data::Area& area, bool selected, const data::ShownRun& run,
                     const Palette& colors, PageMetrics metrics) {
    Writer page(colors);
    page.title(selected ? pageTr("Selected area") : pageTr("Visible range"));
    page.note(pageTr("%1 to %2, %3")
                  .arg(formatTime(statistics.range.start, 5), formatTime(statistics.range.end, 5),
                       formatTime(statistics.range.span())));
    const std::uint32_t gpus = run.index->gpus();
    page.note(area.firstGpu == area.lastGpu              ? pageTr("GPU %1").arg(area.firstGpu)
              : area.lastGpu - area.firstGpu + 1 == gpus ? pageTr("all %1 GPUs").arg(gpus)
                                                         : pageTr("GPU %1 to %2").arg(area.firstGpu).arg(area.lastGpu));
    if (!selected)
        page.note(
            pageTr("Nothing is selected. Click a span to see its facts, or drag over the picture to select an area."));
    if (statistics.range.span() <= 0) {
        page.note(pageTr("The run ends before this range."));
        return page.take();
    }
    writeCompany(page, run.run);
    if (const QString limit = limitSentence(run.run); !limit.isEmpty())
        page.note(limit);
    writeOverlap(page, statistics, scatterWord(run.run.experiment), metrics);
    writeBusy(page, statistics, metrics);
    writeKernels(page, statistics, run.run.experiment);
    writeMemory(page, statistics);
    writeLink(page, statistics, run.run.experiment);
    writeKinds(page, statistics, engine::runPartsOf(run.run.experiment).allToAll);
    return page.take();
}

InspectorPage pageOf(const QString& title, const QString& text, const Palette& colors) {
    Writer page(colors);
    page.title(title);
    page.note(text);
    return page.take();
}

}  // namespace ui
