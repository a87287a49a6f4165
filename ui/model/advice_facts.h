#pragma once

#include "data/figure/figure_spec.h"
#include "data/questions/model_advice.h"
#include "ui/look/value_table.h"
#include "ui/model/model_page.h"

#include <QString>

#include <string>
#include <vector>

namespace ui {

/// Replaces the spaces between numbers and their units, so that no line break separates them.
QString withFastUnits(const std::string& words);
/// Returns a short name of a rule: "h/a".
QString shortTitleOf(data::ShapeRule rule);
/// Returns "broken", "holds" or "not known".
QString verdictWord(data::RuleVerdict verdict);
/// Returns "Training step of gpt-3 on 8 GPUs (…): 2 of 9 rules are broken".
QString adviceHeadline(const data::ModelAdvice& advice);

/// Return the columns and rows of a table of the rules: one row for each, in the order of the advice.
std::vector<ValueColumn> adviceColumns();
std::vector<ValueRow> adviceRows(const data::ModelAdvice& advice);

/// Returns the text below the broken rules as rich text: the rules that hold, the rules that could not be checked with
/// the reason for each, and the notices.
QString adviceHtml(const data::ModelAdvice& advice);

/// Returns whether some rule has times, so that there is a figure.
bool hasTimes(const data::ModelAdvice& advice);
/// Returns a figure with two bars for each simulated rule: the time of the experiment and the time with the change,
/// relative to the first. Precondition: hasTimes().
data::FigureSpec adviceFigure(const data::ModelAdvice& advice);

}  // namespace ui
