import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type ChoiceQuestion, judgeChoice, judgeNumber, type NumberQuestion } from "../player/answers";

test("answers are judged as Ringside does", () => {
  const lines = readFileSync("tests/answers.txt", "utf8").trimEnd().split("\n");
  assert.ok(lines.length > 300);
  for (const line of lines) {
    const [question, typed, kind, words, value] = line.split("\t");
    const asked = JSON.parse(question!) as NumberQuestion | ChoiceQuestion;
    const verdict = "right" in asked ? judgeChoice(asked, Number(typed)) : judgeNumber(asked, typed!);
    const told = `${typed} for ${question}`;
    assert.equal(verdict.words, words, told);
    assert.equal(verdict.kind, kind, told);
    if (value === "none") assert.equal(verdict.value, undefined, told);
    else assert.equal(verdict.value, Number(value), told);
  }
});
