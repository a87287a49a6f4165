#pragma once

#include "data/figure/figure_spec.h"
#include "data/questions/model_advice.h"
#include "ui/look/value_table.h"
#include "ui/model/model_page.h"

#include <QString>

#include <string>
#include <vector>

namespace ui {

/// Returns words of the advice with each number and its unit on one line.
QString withFastUnits(const std::string& words);
/// "h/a": a rule where there is little room.
QString shortTitleOf(data::ShapeRule rule);
/// "broken", "holds" or "not known".
QString verdictWord(data::RuleVerdict verdict);
/// "Training step of gpt-3 on 8 GPUs (…): 2 of 9 rules are broken"
QString adviceHeadline(const data::ModelAdvice& advice);

/// The rules as a table, one a line in the order of the advice.
std::vector<ValueColumn> adviceColumns();
std::vector<ValueRow> adviceRows(const data::ModelAdvice& advice);

/// Returns what the page says beneath the broken rules, as rich text: the rules that hold, those that say nothing and
/// why, and the notices.
QString adviceHtml(const data::ModelAdvice& advice);

/// Returns whether some rule has times, so that there is a figure.
bool hasTimes(const data::ModelAdvice& advice);
/// Two bars for each simulated rule: the experiment as it is, and with the change, relative to the first. Precondition:
/// hasTimes.
data::FigureSpec adviceFigure(const data::ModelAdvice& advice);

}  // namespace ui
