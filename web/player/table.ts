// The page's numbers as tables, for readers who do not see the picture and for print.
import type { Causes } from "./causes";
import { lengthOf, spanOf } from "./columns";
import type { Headline, Words } from "./document";
import { make, makeTable } from "./dom";
import { spanName, tracksOf } from "./facts";
import { countText, decimals, percentText, timeText } from "./format";
import type { Model, Row } from "./model";

const rowsAtOnce = 200;

function exact(ps: number): string {
  return countText(ps);
}

export function headlineTable(name: string, headlines: readonly Headline[]): HTMLTableElement {
  const rows = headlines.map(({ title, ps, ratio, remark }) => [
    title,
    ps === undefined ? "–" : exact(ps),
    ps !== undefined ? timeText(ps) : ratio !== undefined ? `${decimals(ratio, 3)}\u00a0×` : "–",
    remark ?? "",
  ]);
  const table = makeTable(`Headlines of ${name}`, ["", "ps", "", ""], rows);
  for (const row of table.tBodies[0]!.rows) row.cells[3]!.className = "remark";
  return table;
}

export function phaseTable(model: Model): HTMLTableElement {
  const rows = model.phases.map(({ label, start, end }) => [
    label,
    exact(start),
    exact(end),
    timeText(end - start),
  ]);
  return makeTable("Phases", ["Phase", "Start (ps)", "End (ps)", "Length"], rows);
}

export function causeTable(causes: Causes, words: Words): HTMLTableElement {
  const end = causes.path.end[causes.path.count - 1] ?? 0;
  const times = causes.between(0, end);
  const rows = [...times.entries()]
    .filter(([, ps]) => ps > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([cause, ps]) => [
      words.causes[cause] ?? String(cause),
      exact(ps),
      timeText(ps),
      percentText(ps / end),
    ]);
  return makeTable(
    "Time by cause: what the end of the run waited for",
    ["Cause", "ps", "Time", "Share"],
    rows,
  );
}

export function busyTable(model: Model, rows: readonly Row[]): HTMLTableElement {
  const shown = rows.filter(row => row.kind !== "gpu" && model.resources(row) > 0);
  const cells = shown.map(row => {
    const resources = model.resources(row);
    const share = model.busy(row.gpu, row).until(model.end) / (model.end * resources);
    return [`GPU ${row.gpu}: ${row.label}`, percentText(share), countText(resources)];
  });
  return makeTable("Busy share of each row over the whole run", ["Row", "Busy", "Tracks"], cells);
}

/** Returns the spans of a row from the `from`-th on, in the order of time, and how many there are. */
function spanRows(model: Model, row: Row, from: number): { cells: string[][]; count: number } {
  const tracks = tracksOf(model, row);
  const count = tracks.reduce((sum, track) => sum + lengthOf(track), 0);
  const places = tracks.flatMap(track =>
    Array.from({ length: lengthOf(track) }, (_, i) => ({ track, span: spanOf(track, i) })),
  );
  places.sort(
    (a, b) => a.track.spans.start[a.span]! - b.track.spans.start[b.span]! || a.track.lane - b.track.lane,
  );
  const cells = places.slice(from, from + rowsAtOnce).map(({ track, span }) => {
    const { start, end, bytes } = track.spans;
    return [
      spanName(model, row.gpu, track.spans, span),
      exact(start[span]!),
      exact(end[span]!),
      exact(end[span]! - start[span]!),
      bytes[span]! > 0 ? countText(bytes[span]!) : "",
    ];
  });
  return { cells, count };
}

/** Makes the table of a row's spans, two hundred at a time. */
export function spanTable(model: Model, row: Row): HTMLElement {
  const root = make("div", { class: "spans" });
  const show = (from: number) => {
    const { cells, count } = spanRows(model, row, from);
    const last = Math.min(count, from + rowsAtOnce);
    const name = `Spans of GPU ${row.gpu}: ${row.label}`;
    const isBusyTime = model.periodOf(row) > 0;
    const caption =
      count === 0
        ? `${name}: ${isBusyTime ? "this page has only their busy time" : "none"}`
        : `${name}, ${countText(from + 1)} to ${countText(last)} of ${countText(count)}`;
    const table = makeTable(caption, ["Span", "Start (ps)", "End (ps)", "Length (ps)", "Bytes"], cells);
    const buttons = make("p", { class: "pages" });
    const add = (text: string, to: number, isThere: boolean) => {
      const button = make("button", { type: "button", disabled: !isThere }, text);
      button.addEventListener("click", () => {
        show(to);
        root.querySelector("button")?.focus();
      });
      buttons.append(button);
    };
    add("Previous 200", from - rowsAtOnce, from > 0);
    add("Next 200", from + rowsAtOnce, last < count);
    root.replaceChildren(buttons, table);
  };
  show(0);
  return root;
}
