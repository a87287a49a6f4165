// Judges predictions of a lesson's reader as the window does (data/lessons/lesson_answer, engine/api/quantity).
import { percentText } from "./format";

/** A question whose answer is a number. */
export interface NumberQuestion {
  readonly value: number;
  readonly tolerance: number;
  /** The answer as the lesson writes it: "1.293 ms". */
  readonly written: string;
  /** The unit of `written`; also that of a number without a unit. */
  readonly unit: string;
  readonly units: readonly (readonly [word: string, factor: number])[];
  readonly anyCase: boolean;
  /** Whether the units are bytes or bytes per second, so that bits are allowed as well. */
  readonly counts?: "bytes" | "rate";
}

/** A question with choices. */
export interface ChoiceQuestion {
  readonly right: number;
}

export interface Verdict {
  readonly kind: "right" | "near" | "far";
  readonly words: string;
  /** The prediction in base units. */
  readonly value?: number;
}

const asGoodAsRight = 0.05;
const near = 0.25;
const farTooHigh = 2;
const mostExponent = 1000;

// Only ASCII letters have two cases in units, so that µ stays what it is.
function lower(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase());
}

/** Returns the factor of a unit in bytes; "Gbit/s" and "Gbps" are an eighth of "GB/s", and "gb" could be either. */
function byteFactor(question: NumberQuestion, text: string): number | undefined {
  let word = text;
  if (question.counts === "rate" && lower(word).endsWith("ps")) word = `${word.slice(0, -2)}/s`;
  const at = lower(text).indexOf("b");
  if (at < 0) return undefined;
  const isBit = lower(text).startsWith("bit", at);
  if (isBit) word = word.slice(0, at + 1) + word.slice(at + 3);
  const isLower = word[at] === "b";
  const bytes = question.units.find(([name]) => lower(name) === lower(word))?.[1];
  if (bytes === undefined) return undefined;
  if (isBit || (isLower && /[A-Z]/.test(text))) return bytes % 8 === 0 ? bytes / 8 : undefined;
  return isLower ? undefined : bytes;
}

function factorOf(question: NumberQuestion, word: string): number | undefined {
  if (word === "") return 1;
  if (question.counts !== undefined) return byteFactor(question, word);
  return question.units.find(([name]) =>
    question.anyCase ? lower(name) === lower(word) : name === word,
  )?.[1];
}

/** Returns a typed number in base units; undefined if it is no number, or has a unit of another kind. */
export function readNumber(question: NumberQuestion, typed: string): number | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]\+?(-?\d+))?/.exec(typed);
  if (match === null || (match[2] === "" && (match[3] ?? "") === "")) return undefined;
  const unit = typed.slice(match[0].length).replace(/^ +| +$/g, "");
  const factor = factorOf(question, unit === "" ? question.unit : unit);
  if (factor === undefined) return undefined;
  const decimals = (match[3] ?? "").length;
  const power = Math.max(-mostExponent, Math.min(mostExponent, Number(match[4] ?? 0))) - decimals;
  const digits = Number(`${match[2]}${match[3] ?? ""}`);
  // A power of ten is exact, a tenth is not: 1.39 is 139 / 100.
  const number = (power < 0 ? digits / 10 ** -power : digits * 10 ** power) * factor;
  const digit = 10 ** power * factor;
  if (!Number.isFinite(number - digit) || !Number.isFinite(number + digit)) return undefined;
  return match[1] === "-" ? -number : number;
}

export function judgeChoice(question: ChoiceQuestion, choice: number): Verdict {
  return choice === question.right
    ? { kind: "right", words: "Right." }
    : { kind: "far", words: "Not quite, but many would say so." };
}

export function judgeNumber(question: NumberQuestion, text: string): Verdict {
  const typed = text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "");
  const value = readNumber(question, typed);
  if (value === undefined)
    return {
      kind: "far",
      words: `“${typed}” is not a number with a suitable unit, so it cannot be compared with the answer.`,
    };
  const difference = Math.abs(value - question.value);
  const off = (value - question.value) / Math.abs(question.value);
  const hits = difference <= question.tolerance;
  if (hits || Math.abs(off) <= asGoodAsRight)
    return { kind: "right", words: hits ? "Exactly right." : "Right, within a few percent.", value };
  if (off > farTooHigh) return { kind: "far", words: "Not yet: much too high.", value };
  // The difference of shares is told in percentage points.
  const by = question.unit === "%" ? `${Math.round(difference * 100)} points` : percentText(Math.abs(off));
  const isNear = Math.abs(off) <= near;
  return {
    kind: isNear ? "near" : "far",
    words: `${isNear ? "Close" : "Not yet"}: ${by} too ${off > 0 ? "high" : "low"}.`,
    value,
  };
}
