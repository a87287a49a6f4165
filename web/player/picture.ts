// The picture of one run: the head with phases, causes and time, and the rows beneath it. What moves with the reader's
// cursor lies over it as elements, so that moving it draws nothing again.
import { type HeadLayout, HeadPainter, headHeight, ticksOf } from "./axis";
import { Causes } from "./causes";
import type { Colours } from "./colours";
import type { View } from "./columns";
import { make } from "./dom";
import { steadyText } from "./format";
import { keyOf, type Model, type Phase, type Row, type RowKind } from "./model";
import { RowPainter } from "./paint";

/** Where a row lies in the picture, in CSS pixels from the top of all rows. */
interface Box {
  readonly row: Row;
  readonly top: number;
  /** Height of the line with the row's name above its band; 0 where names are beside their rows. */
  readonly name: number;
  readonly height: number;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The part of a row under a pointer. */
export interface Spot {
  readonly picture: Picture;
  readonly row: Row | undefined;
  /** 0 at the top of the row's band, 1 at its foot. */
  readonly height: number;
  readonly ps: number;
  /** The time of a CSS pixel. */
  readonly reach: number;
}

const line = 18;
const rowGap = 3;
const groupGap = 6;
const phoneWidth = 640;
const mostScale = 3;
/** The largest height of rows, in CSS pixels, for which a canvas is made that shows all of them. */
const mostUnscrolled = 3000;

let made = 0;

export class Picture {
  readonly model: Model;
  /** The phases of the recorded run, which stay as an outline above those of a changed one. */
  readonly before: readonly Phase[];
  readonly root: HTMLElement;
  readonly names: HTMLUListElement;
  readonly causes: Causes | undefined;
  private readonly scroller: HTMLElement;
  private readonly spacer: HTMLElement;
  private readonly headCanvas: HTMLCanvasElement;
  private readonly rowsCanvas: HTMLCanvasElement;
  private readonly cursorLine: HTMLElement;
  private readonly bubble: HTMLElement;
  private readonly future: HTMLElement;
  private readonly hoverLine: HTMLElement;
  private readonly number = made++;
  private readonly opened = new Set<string>();
  private readonly frameBox = make("div", { class: "frame", hidden: true });
  private framed: RowKind | undefined;
  private boxes: Box[] = [];
  private gutter = 0;
  private width = 0;
  private range: Range = { from: 0, to: 1 };
  private selectedKey = "";

  constructor(model: Model, kinds: number, sentence: string, before: readonly Phase[] = []) {
    this.model = model;
    this.before = before;
    this.causes = model.block.path.count > 0 ? new Causes(model.block.path, kinds) : undefined;
    this.headCanvas = make("canvas", { class: "head", "aria-hidden": "true" });
    this.rowsCanvas = make("canvas", { class: "rows", role: "img", "aria-label": sentence });
    this.spacer = make("div", { class: "spacer" });
    this.names = make("ul", {
      class: "names",
      role: "listbox",
      tabindex: 0,
      "aria-label": `Rows of ${model.run.name}`,
    });
    this.scroller = make(
      "div",
      { class: "scroller" },
      this.rowsCanvas,
      this.spacer,
      this.names,
      this.frameBox,
    );
    this.future = make("div", { class: "future", hidden: true });
    this.hoverLine = make("div", { class: "hover", hidden: true });
    this.bubble = make("span", { class: "bubble" });
    this.cursorLine = make("div", { class: "cursor", hidden: true }, this.bubble);
    this.root = make(
      "div",
      { class: "picture" },
      this.headCanvas,
      this.scroller,
      this.future,
      this.hoverLine,
      this.cursorLine,
    );
    if (model.block.gpus > 1) this.opened.add("0/gpu/0");
    this.scroller.addEventListener("scroll", () => this.onScroll());
    this.names.addEventListener("click", event => {
      const option = (event.target as HTMLElement).closest("li");
      const row = this.boxes[Number(option?.dataset["row"] ?? -1)]?.row;
      if (row === undefined) return;
      this.select(row);
      if (row.openable) this.toggle(row);
      this.onSelected();
    });
  }

  /** Called when the picture has scrolled, when its rows have changed, and when the reader has selected a row. */
  onScroll: () => void = () => {};
  onRows: () => void = () => {};
  onSelected: () => void = () => {};

  get end(): number {
    return this.model.end;
  }

  get rows(): readonly Row[] {
    return this.boxes.map(box => box.row);
  }

  get selected(): Row | undefined {
    return this.boxes.find(box => keyOf(box.row) === this.selectedKey)?.row;
  }

  /** Opens or closes a GPU or the details of a row. */
  toggle(row: Row): void {
    const key = keyOf(row);
    if (!this.opened.delete(key)) this.opened.add(key);
    this.onRows();
  }

  openGpu(gpu: number): void {
    if (gpu >= this.model.block.gpus || this.opened.has(`${gpu}/gpu/0`)) return;
    this.opened.add(`${gpu}/gpu/0`);
    this.onRows();
  }

  /** Opens the rows that are open in another picture, and selects the same row. */
  takeRowsOf(other: Picture): void {
    for (const key of [...this.opened]) if (!other.opened.has(key)) this.opened.delete(key);
    for (const key of other.opened) this.opened.add(key);
    this.selectedKey = other.selectedKey;
    this.framed = other.framed;
  }

  /** Frames the row of this kind of the first GPU that has it. Opens the row whose detail it is. */
  frame(kind: RowKind | undefined, within?: RowKind): void {
    this.framed = kind;
    if (within !== undefined) this.opened.add(`0/${within}/0`);
  }

  private placeFrame(): void {
    const box = this.boxes.find(one => one.row.kind === this.framed);
    this.frameBox.hidden = box === undefined;
    if (box === undefined) return;
    const { style } = this.frameBox;
    style.top = `${box.top + box.name - 2}px`;
    style.height = `${box.height + 4}px`;
    style.left = `${Math.max(0, this.gutter - 2)}px`;
  }

  select(row: Row): void {
    this.selectedKey = keyOf(row);
    this.markSelected();
    const box = this.boxes.find(one => keyOf(one.row) === this.selectedKey);
    if (box === undefined) return;
    const { scrollTop, clientHeight } = this.scroller;
    if (box.top < scrollTop) this.scroller.scrollTop = box.top;
    else if (box.top + box.name + box.height > scrollTop + clientHeight)
      this.scroller.scrollTop = box.top + box.name + box.height - clientHeight;
  }

  private markSelected(): void {
    this.names.removeAttribute("aria-activedescendant");
    for (const option of this.names.children) {
      const row = this.boxes[Number((option as HTMLElement).dataset["row"])]?.row;
      const isSelected = row !== undefined && keyOf(row) === this.selectedKey;
      option.setAttribute("aria-selected", String(isSelected));
      if (isSelected) this.names.setAttribute("aria-activedescendant", option.id);
    }
  }

  /** Places the rows for the current width, so that they are `most` CSS pixels high at most before they scroll.
   * `stretch` is the height of rows relative to the usual one. */
  layOut(most: number, textScale: number, stretch: number): void {
    this.width = Math.max(1, this.root.clientWidth);
    const isNarrow = this.width <= phoneWidth;
    this.gutter = isNarrow ? 0 : Math.round(104 * textScale);
    const nameLine = isNarrow ? Math.round(16 * textScale) : 0;
    this.boxes = [];
    let top = 0;
    for (const row of this.model.rows(this.opened)) {
      top += row.kind === "gpu" ? groupGap : rowGap;
      const isTitle = row.kind === "gpu";
      const height = Math.max(isTitle && row.open ? 0 : 6, Math.round(row.weight * line * stretch));
      // The title of an open GPU is its own name; every other row of a narrow picture has its name above it.
      const own = isTitle && row.open ? Math.round(18 * textScale) : height;
      this.boxes.push({ row, top, name: isTitle && row.open ? 0 : nameLine, height: own });
      top += own + (isTitle && row.open ? 0 : nameLine);
    }
    const whole = top + groupGap;
    this.spacer.style.height = `${whole}px`;
    this.names.style.height = `${whole}px`;
    // A phone scrolls the page: rows that scroll by themselves would catch the finger.
    this.scroller.style.height = `${Math.min(whole, isNarrow ? mostUnscrolled : Math.max(most, 160))}px`;
    this.headCanvas.style.marginLeft = `${this.gutter}px`;
    this.rowsCanvas.style.marginLeft = `${this.gutter}px`;
    this.root.classList.toggle("narrow", isNarrow);
    this.fillNames(isNarrow);
    this.placeFrame();
  }

  private fillNames(isNarrow: boolean): void {
    this.names.replaceChildren(
      ...this.boxes.map(({ row, top, name, height }, i) => {
        const mark = row.openable ? (row.open ? "▾ " : "▸ ") : "";
        const option = make(
          "li",
          {
            id: `row-${this.number}-${i}`,
            role: "option",
            class: row.kind === "gpu" ? "gpu" : row.openable ? "openable" : "row",
            "data-row": i,
            "aria-label":
              row.kind === "gpu"
                ? `${row.label}, ${row.open ? "open" : "closed"}`
                : `GPU ${row.gpu}: ${row.label}`,
            "aria-selected": "false",
          },
          mark + row.label,
        );
        option.style.top = `${top}px`;
        option.style.height = `${isNarrow && name > 0 ? name : height}px`;
        if (!isNarrow) option.style.width = `${this.gutter - 6}px`;
        return option;
      }),
    );
    if (this.selected === undefined && this.boxes.length > 0)
      this.selectedKey = keyOf((this.boxes.find(box => box.row.kind !== "gpu") ?? this.boxes[0]!).row);
    this.markSelected();
  }

  private viewFor(scale: number): View {
    return {
      from: this.range.from,
      to: this.range.to,
      width: Math.max(1, Math.round((this.width - this.gutter) * scale)),
    };
  }

  private static resize(
    canvas: HTMLCanvasElement,
    width: number,
    height: number,
    scale: number,
  ): CanvasRenderingContext2D {
    const wide = Math.max(1, Math.round(width * scale));
    const high = Math.max(1, Math.round(height * scale));
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d", { alpha: false })!;
    return context;
  }

  /** Draws the picture for a range of time. */
  draw(range: Range, colours: Colours, textScale: number, resolution = window.devicePixelRatio): void {
    this.range = range;
    const scale = Math.min(mostScale, resolution);
    const view = this.viewFor(scale);
    const layout = this.headLayout(textScale);
    const wide = this.width - this.gutter;
    const ticks = ticksOf(view, Math.max(this.end, range.to), scale, textScale);
    const head = Picture.resize(this.headCanvas, wide, headHeight(layout), scale);
    head.fillStyle = colours.of("surface");
    head.fillRect(0, 0, this.headCanvas.width, this.headCanvas.height);
    new HeadPainter(head, colours, view, scale, textScale).draw(
      layout,
      this.before,
      this.model.phases,
      this.causes,
      ticks,
    );
    // The head stays bright: it is the map of the run.
    this.future.style.top = `${headHeight(layout)}px`;
    const { scrollTop, clientHeight } = this.scroller;
    const rows = Picture.resize(this.rowsCanvas, wide, clientHeight, scale);
    rows.fillStyle = colours.of("surface");
    rows.fillRect(0, 0, this.rowsCanvas.width, this.rowsCanvas.height);
    const painter = new RowPainter(rows, this.model, colours, view, scale, this.end);
    const lines = ticks.map(tick => tick.x);
    for (const { row, top, name, height } of this.boxes) {
      const y = top + name - scrollTop;
      if (y + height < 0 || y > clientHeight) continue;
      const band = { top: Math.round(y * scale), height: Math.max(1, Math.round(height * scale)) };
      if (row.kind === "gpu" && row.open) continue;
      painter.ground(row, band, lines);
      painter.draw(row, band);
    }
  }

  private headLayout(textScale: number): HeadLayout {
    return {
      before: this.before.length > 0 ? Math.round(9 * textScale) : 0,
      phases: Math.round(18 * textScale),
      ribbon: this.causes === undefined ? 0 : Math.round(14 * textScale),
      axis: Math.round(20 * textScale),
    };
  }

  /** Returns the x coordinate of a time in the picture, in CSS pixels. */
  private leftOf(ps: number): number {
    const { from, to } = this.range;
    return this.gutter + ((ps - from) / (to - from)) * (this.width - this.gutter);
  }

  /** Shows the cursor, and dims what has not happened yet. */
  showCursor(ps: number | undefined, wholeEnd: number): void {
    const isShown = ps !== undefined && ps >= this.range.from && ps <= this.range.to;
    this.cursorLine.hidden = !isShown;
    this.future.hidden = ps === undefined || ps >= this.range.to;
    if (ps === undefined) return;
    const left = this.leftOf(Math.max(ps, this.range.from));
    this.future.style.transform = `translateX(${Math.max(left, this.gutter)}px)`;
    if (!isShown) return;
    this.cursorLine.style.transform = `translateX(${left}px)`;
    this.bubble.textContent = steadyText(ps, wholeEnd);
    this.bubble.classList.toggle("before", left > this.width - 100);
  }

  showHover(ps: number | undefined): void {
    this.hoverLine.hidden = ps === undefined || ps < this.range.from || ps > this.range.to;
    if (ps !== undefined) this.hoverLine.style.transform = `translateX(${this.leftOf(ps)}px)`;
  }

  /** Returns what is at a point of the window; an empty spot if the point is beside the time axis. */
  spotAt(clientX: number, clientY: number): Spot | undefined {
    const bounds = this.root.getBoundingClientRect();
    const x = clientX - bounds.left - this.gutter;
    const wide = this.width - this.gutter;
    if (x < 0 || x > wide) return undefined;
    const reach = (this.range.to - this.range.from) / wide;
    const ps = Math.round(this.range.from + x * reach);
    const y = clientY - this.scroller.getBoundingClientRect().top;
    const at = y + this.scroller.scrollTop;
    const box =
      y < 0
        ? undefined
        : this.boxes.find(one => at >= one.top && at < one.top + one.name + one.height + rowGap);
    const height = box === undefined ? 0 : Math.min(1, Math.max(0, (at - box.top - box.name) / box.height));
    return { picture: this, row: box?.row, height, ps, reach: Math.max(1, Math.round(reach)) };
  }

  /** Returns the time under a point, also beside the picture. */
  timeAtPoint(clientX: number): number {
    const x = clientX - this.root.getBoundingClientRect().left - this.gutter;
    return Math.round(this.range.from + (x / (this.width - this.gutter)) * (this.range.to - this.range.from));
  }

  /** Returns the width of the axis of time, in CSS pixels. */
  get axisWidth(): number {
    return this.width - this.gutter;
  }
}
