// Shows recorded runs, plays them and answers what the reader points at.
import { LaneKind, SpanKind } from "./block";
import { Colours } from "./colours";
import { shortestRange } from "./columns";
import type { PageDocument, PageRun } from "./document";
import { make } from "./dom";
import { describeMoment, type Facts, neighbour, type Place, spanFacts, type TimeForm } from "./facts";
import { decimals, steadyText, timeText } from "./format";
import { type Place as Moment, readFragment, writeFragment } from "./fragment";
import { listenForPointers } from "./gestures";
import { type KeyAction, listenForKeys } from "./keys";
import { makeLegend } from "./legend";
import { rowOfLane } from "./model";
import type { Picture, Range, Spot } from "./picture";
import { Playback } from "./playback";
import { busyTable, causeTable, headlineTable, phaseTable, spanTable } from "./table";

export const presenterWidth = 1600;
const speeds = [0.25, 0.5, 1, 2, 4];
const mostSteps = 12;

/** Returns the headlines as a sentence, for readers who do not see the picture. */
export function sentenceOf(run: PageRun): string {
  const parts = run.headlines.flatMap(({ title, ps, ratio, remark }) => {
    if (ps === undefined && ratio === undefined) return [];
    const value = ps !== undefined ? timeText(Math.abs(ps)) : `${decimals(ratio ?? 0, 3)} times`;
    return [`${title} ${value}${remark ? `, ${remark}` : ""}`];
  });
  return `Timeline of ${run.name}. ${parts.join("; ")}.`;
}

export function button(text: string, title: string, act: () => void): HTMLButtonElement {
  const element = make("button", { type: "button", title }, text);
  element.addEventListener("click", act);
  return element;
}

/** Saves the result of a run as a file, as `run --output json` prints it. */
function saveResult(run: PageRun): void {
  const text = new Blob([`${JSON.stringify(run.result, null, 2)}\n`], { type: "application/json" });
  const href = URL.createObjectURL(text);
  make("a", { download: `${run.name.replace(/[^\w.-]+/g, "-")}.json`, href }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** A run on the page. A bound has no picture. */
export interface ShownRun {
  readonly run: PageRun;
  readonly picture: Picture | undefined;
  /** Where the picture stands. */
  readonly place: Element | null;
}

/** What a reader sees first of runs. */
export interface ShownPlace extends Moment {
  /** The kind of lane whose row is framed. */
  readonly lane?: number;
}

export class Player {
  private readonly page: PageDocument;
  private runs: readonly PageRun[] = [];
  private pictures: readonly Picture[] = [];
  private end = 1;
  private range: Range = { from: 0, to: 1 };
  private cursor: number | undefined;
  private form: TimeForm = "short";
  private wantsPresenter: boolean | undefined;
  private active = 0;
  private place: Place | undefined;
  private spot: Spot | undefined;
  private drawing = 0;
  private colours: Colours;
  private events: Float64Array | undefined;
  private printing = false;
  /** The width and height for which the pictures are laid out. */
  private room = "";

  private readonly known = new WeakSet<Picture>();
  private readonly playback: Playback;
  private readonly playButton: HTMLButtonElement;
  private readonly clock = make("output", { class: "clock", "aria-label": "Time" });
  private readonly facts = make("aside", { class: "facts", "aria-label": "Facts" });
  private readonly status = make("div", { class: "spoken", role: "status", "aria-live": "polite" });
  private readonly tables = make("section", { class: "tables", "aria-label": "Tables" });
  private readonly chain = make("section", { class: "chain", "aria-label": "What the run waited for" });
  private readonly keyList = make("dialog", { class: "keys", "aria-label": "Keys" });
  private readonly legend = make("div", {});
  private readonly message = make("span", { class: "message", role: "status" });

  /** Shows nothing before showRuns(). `keys` are those that the page itself listens to. */
  constructor(page: PageDocument, root: HTMLElement, keys: readonly KeyAction[] = []) {
    this.page = page;
    this.colours = new Colours(window.devicePixelRatio);
    const player = this;
    this.playback = new Playback({
      get end() {
        return player.end;
      },
      get stops() {
        return player.stops();
      },
      cursor: () => this.cursor,
      show: ps => this.moveCursor(ps),
      changed: () => this.showPlaying(),
    });
    this.playButton = button("▶ Play", "Play the run (Space)", () => this.playback.toggle());
    this.build(root);
    this.listen(keys);
  }

  /** Called for the members of a link that the player does not know itself. */
  placeOfPage: () => Moment = () => ({});

  /** Shows runs, at least one of them with a picture, at a place. The page's address has the last word about the first
   * runs. */
  showRuns(runs: readonly ShownRun[], place: ShownPlace): void {
    const isFirst = this.pictures.length === 0;
    this.playback.pause();
    this.take(runs);
    this.goToPlace(place);
    if (isFirst) this.openFragment();
    this.frame(place.lane);
    this.showAll();
    // Tests and the reader's own measurements read when the timeline was there.
    if (isFirst) performance.mark("ringside-drawn");
  }

  /** Shows changed runs in place of those that are shown: range, cursor and open rows stay. `end`: that of the axis. */
  replaceRuns(runs: readonly ShownRun[], end: number): void {
    const { range, cursor } = this;
    const before = this.pictures;
    const isWhole = range.from === 0 && range.to === this.end;
    this.playback.pause();
    this.take(runs);
    this.end = Math.max(end, this.end);
    for (const [i, picture] of this.pictures.entries()) {
      if (before[i] !== undefined) picture.takeRowsOf(before[i]);
    }
    this.range = { from: 0, to: this.end };
    if (!isWhole) this.range = { from: Math.min(range.from, this.end - 1), to: Math.min(range.to, this.end) };
    if (cursor !== undefined) this.cursor = Math.min(cursor, this.end);
    this.showAll();
  }

  private showAll(): void {
    this.layOut();
    this.refreshTables();
    if (!this.chain.hidden) this.showChain();
  }

  /** Plays a part of the run in some seconds, once or until the reader pauses. */
  playPart(from: number, to: number, seconds: number, loop: boolean): void {
    this.show({ from, to });
    this.playback.playPart({ from, to, seconds, loop });
  }

  /** Frames the row that shows a kind of lane; undefined: none. */
  frameLane(lane: number | undefined): void {
    this.frame(lane);
    this.layOut();
  }

  private frame(lane: number | undefined): void {
    const row = lane === undefined ? undefined : rowOfLane(lane);
    for (const picture of this.pictures) picture.frame(row?.kind, row?.within);
  }

  private take(runs: readonly ShownRun[]): void {
    for (const picture of this.pictures) picture.root.remove();
    this.runs = runs.map(({ run }) => run);
    this.pictures = runs.flatMap(({ picture }) => (picture === undefined ? [] : [picture]));
    for (const { picture, place } of runs) {
      if (picture === undefined) continue;
      place?.append(picture.root);
      if (!this.known.has(picture)) this.follow(picture);
      this.known.add(picture);
    }
    this.end = Math.max(...this.pictures.map(picture => picture.end));
    this.range = { from: 0, to: this.end };
    this.cursor = undefined;
    this.spot = this.place = this.events = undefined;
    this.active = 0;
    this.sayFacts(undefined);
  }

  private stops(): number[] {
    const edges = this.pictures.flatMap(({ model }) =>
      model.phases.flatMap(({ start, end }) => [start, end]),
    );
    return [...new Set(edges)].sort((a, b) => a - b);
  }

  private follow(picture: Picture): void {
    picture.onRows = () => this.layOut();
    picture.onScroll = () => this.redraw();
    picture.onSelected = () => {
      this.active = this.pictures.indexOf(picture);
      this.place = undefined;
      this.refreshTables();
    };
    listenForPointers(picture, {
      hover: spot => this.hover(spot),
      point: spot => this.point(spot, this.pictures.indexOf(picture)),
      pan: by => this.pan(by),
      zoom: (at, factor) => this.zoom(at, factor),
    });
  }

  private build(root: HTMLElement): void {
    const speed = make("select", { "aria-label": "Speed" });
    for (const factor of speeds) {
      const option = make("option", { value: factor }, `${factor} ×`);
      option.selected = factor === 1;
      speed.append(option);
    }
    speed.addEventListener("change", () => {
      this.playback.speed = Number(speed.value);
    });
    const bar = make(
      "div",
      { class: "bar", role: "toolbar", "aria-label": "Playback and view" },
      this.playButton,
      speed,
      this.clock,
      button("−", "Zoom out (S)", () => this.zoomAtCursor(0.5)),
      button("+", "Zoom in (W)", () => this.zoomAtCursor(2)),
      button("Whole run", "Show the whole run (0)", () => this.show({ from: 0, to: this.end })),
      button("Why?", "Show the chain of causes at the cursor (Y)", () => this.toggleChain()),
      button("Tables", "Show the numbers as tables (T)", () => this.toggleTables()),
      button("Exact", "Tell all picoseconds in the facts", () => this.toggleExact()),
      button("Copy Link", "Copy the address of this page with time and range", () => this.copyLink()),
      button("Present", "Larger text, picture alone (P)", () => this.togglePresenter()),
      button("Keys", "Show all keys (?)", () => this.keyList.showModal()),
      this.message,
    );
    this.tables.hidden = this.chain.hidden = true;
    // A single run has its buttons between its headlines and its picture; else they are above all pictures.
    const only = this.page.kind === "run" ? document.querySelector("[data-picture]") : null;
    (only ?? root).append(bar);
    const after = make("div", { class: "after" }, this.facts, this.legend, this.chain, this.tables);
    (document.getElementById("after") ?? root).append(after, this.status, this.keyList);
    for (const [i, about] of [...document.querySelectorAll(".about")].entries()) {
      const run = this.page.runs[i];
      if (run !== undefined)
        about.append(
          button("Save Result", "Save the result as ringside-cli prints it", () => saveResult(run)),
        );
    }
  }

  private listen(keys: readonly KeyAction[]): void {
    const actions = this.keys();
    listenForKeys(actions);
    const rows = [...keys, ...actions].flatMap(({ shown, what }) => [
      make("dt", {}, shown),
      make("dd", {}, what),
    ]);
    this.keyList.append(
      make("h2", {}, "Keys"),
      make("dl", {}, ...rows),
      button("Close", "Close", () => this.keyList.close()),
    );
    // Rows change the height of the page themselves: only the width and the window's height matter.
    new ResizeObserver(() => {
      if (this.room !== Player.roomOfWindow()) this.layOut();
    }).observe(document.documentElement);
    window.addEventListener("resize", () => {
      if (this.room !== Player.roomOfWindow()) this.layOut();
    });
    const restyle = () => this.restyle();
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"])
      matchMedia(query).addEventListener("change", restyle);
    window.addEventListener("hashchange", () => {
      this.openFragment();
      this.redraw();
    });
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
  }

  private keys(): KeyAction[] {
    const act = (keys: string[], shown: string, what: string, run: () => void, ctrl = false): KeyAction => ({
      keys,
      shown,
      what,
      act: run,
      ctrl,
    });
    const pan = (share: number) => () => this.pan(share * (this.range.to - this.range.from));
    return [
      act([" "], "Space", "play or pause", () => this.playback.toggle()),
      act(["."], ".", "go to the next event", () => this.goToEvent(1)),
      act([","], ",", "go to the previous event", () => this.goToEvent(-1)),
      act(["w"], "W", "zoom in", () => this.zoomAtCursor(2)),
      act(["s"], "S", "zoom out", () => this.zoomAtCursor(0.5)),
      act(["a", "ArrowLeft"], "A, Left", "pan to earlier times", pan(-0.2)),
      act(["d", "ArrowRight"], "D, Right", "pan to later times", pan(0.2)),
      act(["0"], "0", "show the whole run", () => this.show({ from: 0, to: this.end })),
      act(["Home"], "Home", "go to the beginning", () => this.goTo(0)),
      act(["End"], "End", "go to the end", () => this.goTo(this.end)),
      act(["ArrowUp"], "Up", "select the row above", () => this.selectRow(-1)),
      act(["ArrowDown"], "Down", "select the row below", () => this.selectRow(1)),
      act(["Enter"], "Enter", "open or close the selected row or GPU", () => this.toggleRow()),
      act(["ArrowRight"], "Ctrl+Right", "go to the next span of the row", () => this.goToSpan(1), true),
      act(["ArrowLeft"], "Ctrl+Left", "go to the previous span of the row", () => this.goToSpan(-1), true),
      act(["y"], "Y", "show why the run waits at the cursor", () => this.toggleChain()),
      act(["t"], "T", "show tables", () => this.toggleTables()),
      act(["p"], "P", "present: larger text, picture alone", () => this.togglePresenter()),
      act(["Escape"], "Escape", "pause, close what is open, clear the cursor", () => this.escape()),
      act(["?"], "?", "show this list", () => this.keyList.showModal()),
    ];
  }

  private get picture(): Picture {
    return this.pictures[this.active]!;
  }

  // What is seen.

  private isPresenting(): boolean {
    return this.wantsPresenter ?? window.innerWidth >= presenterWidth;
  }

  private get textScale(): number {
    return Number.parseFloat(this.colours.of("text-scale")) || 1;
  }

  private static roomOfWindow(): string {
    return `${document.documentElement.clientWidth} x ${window.innerHeight} at ${window.devicePixelRatio}`;
  }

  private layOut(): void {
    document.documentElement.classList.toggle("presenter", this.isPresenting() && !this.printing);
    this.colours = new Colours(this.resolution);
    const textScale = this.textScale;
    // Rows take the height that the window has left, as far as they can use it.
    const above = this.pictures[0]!.root.getBoundingClientRect().top + window.scrollY;
    const room = this.printing
      ? Number.POSITIVE_INFINITY
      : Math.max(260, window.innerHeight - Math.min(above, 300) - 165 * textScale);
    const most = this.pictures.length > 1 ? Math.max(300, room * 0.6) : room;
    for (const picture of this.pictures) picture.layOut(most, textScale, textScale);
    this.legend.replaceChildren(makeLegend(this.pictures, this.page.words, this.colours));
    this.drawNow();
    this.room = Player.roomOfWindow();
  }

  private restyle(): void {
    this.colours = new Colours(this.resolution);
    this.legend.replaceChildren(makeLegend(this.pictures, this.page.words, this.colours));
    this.redraw();
  }

  private get resolution(): number {
    return this.printing ? 2 : window.devicePixelRatio;
  }

  private redraw(): void {
    if (this.drawing === 0) this.drawing = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    cancelAnimationFrame(this.drawing);
    this.drawing = 0;
    performance.mark("ringside-draw-begins");
    for (const picture of this.pictures)
      picture.draw(this.range, this.colours, this.textScale, this.resolution);
    this.showCursor();
    performance.measure("ringside-draw", "ringside-draw-begins");
    performance.clearMarks("ringside-draw-begins");
  }

  private show(range: Range): void {
    const length = Math.min(this.end, Math.max(shortestRange, range.to - range.from));
    const from = Math.round(Math.min(Math.max(0, range.from), this.end - length));
    this.range = { from, to: Math.round(from + length) };
    this.redraw();
  }

  private zoom(at: number, factor: number): void {
    const { from, to } = this.range;
    const length = Math.min(this.end, Math.max(shortestRange, (to - from) / factor));
    const share = (Math.min(Math.max(at, from), to) - from) / (to - from);
    const begin = at - share * length;
    this.show({ from: begin, to: begin + length });
  }

  private zoomAtCursor(factor: number): void {
    const { from, to } = this.range;
    const inside = this.cursor !== undefined && this.cursor >= from && this.cursor <= to;
    this.zoom(this.spot?.ps ?? (inside ? this.cursor! : (from + to) / 2), factor);
  }

  private pan(by: number): void {
    this.show({ from: this.range.from + by, to: this.range.to + by });
  }

  // The cursor.

  private moveCursor(ps: number | undefined): void {
    this.cursor = ps;
    if (ps !== undefined && (ps < this.range.from || ps > this.range.to)) {
      const length = this.range.to - this.range.from;
      this.show({ from: ps - length * 0.1, to: ps + length * 0.9 });
    }
    this.showCursor();
  }

  private showCursor(): void {
    for (const picture of this.pictures)
      picture.showCursor(this.printing ? undefined : this.cursor, this.end);
    this.clock.textContent = steadyText(this.cursor ?? 0, this.end);
    if (!this.chain.hidden && !this.playback.isPlaying) this.showChain();
  }

  private goTo(ps: number): void {
    this.moveCursor(ps);
    this.say(`Time ${timeText(ps)}`);
  }

  private showPlaying(): void {
    this.playButton.textContent = this.playback.isPlaying ? "⏸ Pause" : "▶ Play";
  }

  /** Times at which a wave, a step, a trigger, a transfer or a phase begins, in order. */
  private eventTimes(): Float64Array {
    if (this.events !== undefined) return this.events;
    const times = new Set<number>();
    const kinds: readonly number[] = [
      LaneKind.gemmWaves,
      LaneKind.reduceScatter,
      LaneKind.allGather,
      LaneKind.dma,
    ];
    for (const { model } of this.pictures) {
      for (const { start, end } of model.phases) times.add(start).add(end);
      for (const { kind, spans } of model.block.lanes) {
        const isTracker = kind === LaneKind.tracker;
        if (!isTracker && !kinds.includes(kind)) continue;
        for (let i = 0; i < spans.count; ++i) {
          if (!isTracker || spans.kind[i] === SpanKind.trigger) times.add(spans.start[i]!);
        }
      }
    }
    this.events = Float64Array.from(times).sort();
    return this.events;
  }

  private goToEvent(by: 1 | -1): void {
    const times = this.eventTimes();
    const at = this.cursor ?? (by > 0 ? -1 : this.end + 1);
    const earlier = times.filter(time => time < at);
    const next = by > 0 ? times.find(time => time > at) : earlier[earlier.length - 1];
    if (next !== undefined) this.goTo(next);
  }

  // Rows and spans.

  private selectRow(by: 1 | -1): void {
    const { rows, selected } = this.picture;
    const at = selected === undefined ? -1 : rows.indexOf(selected);
    const next = rows[at + by];
    if (next !== undefined) this.picture.select(next);
    else if (this.pictures[this.active + by] !== undefined) {
      this.active += by;
      const other = this.picture.rows[by > 0 ? 0 : this.picture.rows.length - 1];
      if (other !== undefined) this.picture.select(other);
    }
    this.picture.names.focus({ preventScroll: true });
    this.place = undefined;
    const row = this.picture.selected;
    if (row !== undefined) this.say(row.kind === "gpu" ? row.label : `GPU ${row.gpu}: ${row.label}`);
    this.refreshTables();
  }

  private toggleRow(): void {
    const row = this.picture.selected;
    if (row?.openable === true) this.picture.toggle(row);
  }

  private goToSpan(by: 1 | -1): void {
    const row = this.picture.selected;
    if (row === undefined) return;
    const start = by > 0 ? (this.cursor ?? -1) : (this.cursor ?? this.end);
    const place = neighbour(this.picture.model, row, this.place, start, by);
    if (place === undefined) {
      this.say(`No ${by > 0 ? "later" : "earlier"} span in this row`);
      return;
    }
    this.place = place;
    this.moveCursor(place.track.spans.start[place.span]!);
    const facts = spanFacts(this.picture.model, row.gpu, place, this.form);
    this.sayFacts(facts);
    this.say([facts.title, ...facts.lines].join(", "));
  }

  private hover(spot: Spot | undefined): void {
    this.spot = spot;
    for (const picture of this.pictures) picture.showHover(spot?.ps);
    this.sayFacts(this.factsOf(spot));
  }

  private factsOf(spot: Spot | undefined): Facts | undefined {
    const isInside = spot !== undefined && spot.ps >= 0 && spot.ps <= spot.picture.end;
    if (!isInside || spot.row === undefined) return undefined;
    return describeMoment(spot.picture.model, spot.row, spot.ps, spot.height, spot.reach, this.form);
  }

  private point(spot: Spot, picture: number): void {
    this.active = picture;
    this.place = undefined;
    if (spot.row !== undefined) {
      spot.picture.select(spot.row);
      this.refreshTables();
    }
    this.moveCursor(Math.min(Math.max(0, spot.ps), this.end));
    this.sayFacts(this.factsOf(spot));
  }

  private sayFacts(facts: Facts | undefined): void {
    if (facts === undefined) {
      this.facts.replaceChildren(
        make("p", { class: "hint" }, "Point at a row, or press Ctrl+Right, to read what happens there."),
      );
      return;
    }
    this.facts.replaceChildren(
      make("h2", {}, facts.title),
      make("ul", {}, ...facts.lines.map(text => make("li", {}, text))),
    );
  }

  private say(text: string): void {
    this.status.textContent = text;
  }

  // Panels.

  private toggleExact(): void {
    this.form = this.form === "exact" ? "short" : "exact";
    if (this.place !== undefined && this.picture.selected !== undefined)
      this.sayFacts(spanFacts(this.picture.model, this.picture.selected.gpu, this.place, this.form));
    this.note(this.form === "exact" ? "Facts tell all picoseconds" : "Facts tell few digits");
  }

  private note(text: string): void {
    this.message.textContent = text;
  }

  private toggleTables(): void {
    this.tables.hidden = !this.tables.hidden;
    this.refreshTables();
    if (!this.tables.hidden) this.tables.scrollIntoView({ block: "nearest" });
  }

  private refreshTables(): void {
    if (this.tables.hidden) return;
    const { model, causes, rows, selected } = this.picture;
    this.tables.replaceChildren(
      ...this.runs.map(run => headlineTable(run.name, run.headlines)),
      phaseTable(model),
      ...(causes === undefined ? [] : [causeTable(causes, this.page.words)]),
      busyTable(model, rows),
      ...(selected === undefined ? [] : [spanTable(model, selected)]),
    );
  }

  private toggleChain(): void {
    this.chain.hidden = !this.chain.hidden;
    if (!this.chain.hidden) this.showChain();
  }

  /** Shows the steps of the critical path that lead to the cursor, the last one first. */
  private showChain(): void {
    const { causes, model } = this.picture;
    const ps = this.cursor ?? model.end;
    const items: HTMLElement[] = [];
    if (causes !== undefined) {
      const { path } = causes;
      const { words } = this.page;
      const inside = causes.stepAt(ps);
      let step = inside < 0 ? path.count - 1 : inside;
      while (step >= 0 && items.length < mostSteps) {
        let first = step;
        const isSame = (other: number) =>
          path.cause[other] === path.cause[step] &&
          path.act[other] === path.act[step] &&
          path.gpu[other] === path.gpu[step];
        while (first > 0 && isSame(first - 1)) --first;
        const cause = words.causes[path.cause[step]!] ?? "";
        const act = words.acts[path.act[step]!] ?? "";
        const phase = words.phases[path.phase[step]!] ?? "";
        const from = causes.startOf(first);
        items.push(
          make(
            "li",
            {},
            make("strong", {}, cause),
            ` ${timeText(path.end[step]! - from, 3)}: ${act}, ${phase}, GPU ${path.gpu[step]}, from ${timeText(from)}`,
          ),
        );
        step = first - 1;
      }
    }
    this.chain.replaceChildren(
      make("h2", {}, `Why the run is not further at ${timeText(ps)}`),
      items.length > 0 ? make("ol", {}, ...items) : make("p", {}, "This run has no critical path."),
    );
  }

  private togglePresenter(): void {
    this.wantsPresenter = !this.isPresenting();
    this.layOut();
  }

  private escape(): void {
    if (this.playback.isPlaying) this.playback.pause();
    else if (!this.tables.hidden) this.tables.hidden = true;
    else if (!this.chain.hidden) this.chain.hidden = true;
    else if (this.wantsPresenter === true) this.togglePresenter();
    else this.moveCursor(undefined);
  }

  // The address.

  private openFragment(): void {
    this.goToPlace(readFragment(location.hash, this.end));
  }

  private goToPlace({ at, from, to, gpu }: Moment): void {
    if (from !== undefined && to !== undefined && from < to) this.show({ from, to });
    if (at !== undefined) this.moveCursor(Math.min(at, this.end));
    if (gpu !== undefined) for (const picture of this.pictures) picture.openGpu(gpu);
  }

  private copyLink(): void {
    const isWhole = this.range.from === 0 && this.range.to === this.end;
    const row = this.picture.selected;
    const fragment = writeFragment({
      ...this.placeOfPage(),
      ...(this.cursor === undefined ? {} : { at: this.cursor }),
      ...(isWhole ? {} : { from: this.range.from, to: this.range.to }),
      ...(row === undefined || row.gpu === 0 ? {} : { gpu: row.gpu }),
    });
    const address = location.href.replace(/#.*$/, "") + fragment;
    // A page from a file may not write the clipboard: the address of the page then has the link.
    const done = () => this.note("Link copied");
    const failed = () => {
      history.replaceState(null, "", fragment === "" ? "#" : fragment);
      this.note("The address of this page is the link");
    };
    if (navigator.clipboard === undefined) failed();
    else navigator.clipboard.writeText(address).then(done, failed);
  }

  // Print: light, at twice the resolution, with phases and causes as tables.

  private print(begins: boolean): void {
    this.printing = begins;
    document.documentElement.classList.toggle("printing", begins);
    document.querySelector(".printed")?.remove();
    if (begins) {
      const tables = this.pictures.flatMap(({ model, causes }) => [
        ...(this.pictures.length > 1 ? [make("h2", {}, model.run.name)] : []),
        phaseTable(model),
        ...(causes === undefined ? [] : [causeTable(causes, this.page.words)]),
      ]);
      (document.getElementById("after") ?? document.body).append(
        make("section", { class: "printed" }, ...tables),
      );
    }
    this.layOut();
  }
}
