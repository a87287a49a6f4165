#include "ui/look/company_words.h"

#include "data/results/companion_slowdown.h"
#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "engine/api/results.h"
#include "ui/look/format.h"
#include "ui/look/kernel_style.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace ui {
namespace {

QString companyTr(const char* text) { return QCoreApplication::translate("CompanyWords", text); }

}  // namespace

QString slowdownText(double ratio) {
    const double percent = (ratio - 1) * 100;
    // Differences below 0.05 % are not shown.
    if (std::abs(percent) < 0.05)
        return companyTr("as fast as alone");
    if (data::isToldAsFactor(ratio))
        return companyTr("%1\u00a0times as long as alone").arg(ratio, 0, 'f', 1);
    const QString much = QString::number(std::abs(percent), 'f', std::abs(percent) < 10 ? 1 : 0);
    return (percent > 0 ? companyTr("%1\u00a0% slower") : companyTr("%1\u00a0% faster")).arg(much);
}

QString besideText(const data::BesideTime& time) {
    const QString slowdown = slowdownText(*time.slowdown);
    return time.waits.ps == 0 ? slowdown
                              : companyTr("waits %1 for a CU, then %2").arg(formatTime(time.waits.ps), slowdown);
}

QString ownWord(const engine::Experiment& experiment) {
    if (experiment.workload.sublayer == engine::SubLayer::gemm)
        return companyTr("GEMM");
    return engine::isCollectiveAlone(experiment.workload.sublayer) ? text(engine::name(experiment.workload.sublayer))
                                                                   : companyTr("own work");
}

QString companySentence(const engine::Experiment& experiment, const engine::CompanionResult& result) {
    const QString own = ownWord(experiment);
    QString other = companionWord(experiment);
    if (result.copies > 1)
        other = companyTr("%1 copies of the GEMM").arg(result.copies);
    else if (other == own)
        other = companyTr("companion %1").arg(other);
    const data::BesideTime ownTime = data::ownBeside(result), otherTime = data::companionBeside(result);
    if (!ownTime.slowdown || !otherTime.slowdown)
        return companyTr("%1 ends at %2, %3 at %4")
            .arg(own, formatTime(result.own.ps), other, formatTime(result.time.ps));
    // A part with a comma of its own is set off by a semicolon.
    const bool waits = ownTime.waits.ps > 0 || otherTime.waits.ps > 0;
    QString sentence = (waits ? companyTr("%1 %2; %3 %4") : companyTr("%1 %2, %3 %4"))
                           .arg(own, besideText(ownTime), other, besideText(otherTime));
    if (result.speedupOverSerial)
        sentence +=
            companyTr("; speed-up %1 over running one after the other").arg(*result.speedupOverSerial, 0, 'f', 2);
    if (result.fractionOfIdeal)
        sentence += companyTr(", %1 of ideal").arg(formatPercent(*result.fractionOfIdeal).replace(u'-', QChar(0x2212)));
    return sentence;
}

}  // namespace ui
