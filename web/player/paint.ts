// Draws the rows of a run on a canvas, in device pixels.
import { type Counter, CounterKind, LaneKind, none, SpanKind, type Spans } from "./block";
import type { Colours, Fill, Role } from "./colours";
import {
  areDistinguishable,
  busyColumns,
  type Edges,
  edgesOf,
  type Item,
  itemsOf,
  type Track,
  type View,
  valuesOf,
  xOf,
} from "./columns";
import { computes, countsOf, isOfCompanion, kernelOf, type Model, type Row } from "./model";

export interface Band {
  readonly top: number;
  readonly height: number;
}

const roles: { readonly [kind: string]: Role } = {
  compute: "gemm",
  slots: "gemm",
  loads: "gemm",
  stores: "gemm",
  companion: "neutral",
  "reduce-scatter": "reduce-scatter",
  "all-gather": "all-gather",
  tracker: "tracker",
  dma: "dma",
  "link-out": "link",
  "link-in": "link",
};

/** Rows that show a share of their height have a background of the full height. */
const withoutGround = new Set(["gpu", "companion", "reduce-scatter", "all-gather", "bound"]);

const mostStacked = 8;

/** Returns the part of a band that track `i` of `count` has. */
function part(band: Band, i: number, count: number): Band {
  const top = Math.round(band.top + (band.height * i) / count);
  const bottom = Math.round(band.top + (band.height * (i + 1)) / count);
  const gap = count > 1 && band.height / count >= 4 ? 1 : 0;
  return { top, height: Math.max(1, bottom - top - gap) };
}

export class RowPainter {
  private readonly context: CanvasRenderingContext2D;
  private readonly model: Model;
  private readonly colours: Colours;
  private readonly view: View;
  private readonly scale: number;
  private readonly edges: Edges;

  /** `scale` is the number of device pixels of a CSS pixel. */
  constructor(
    context: CanvasRenderingContext2D,
    model: Model,
    colours: Colours,
    view: View,
    scale: number,
    end: number,
  ) {
    this.context = context;
    this.model = model;
    this.colours = colours;
    this.view = view;
    this.scale = scale;
    this.edges = edgesOf(view, 0, Math.min(end, model.end));
  }

  /** Draws the background of a row and the lines of the axis' ticks. */
  ground(row: Row, band: Band, ticks: readonly number[]): void {
    const { context } = this;
    if (!withoutGround.has(row.kind)) {
      context.fillStyle = this.colours.of("ground");
      context.fillRect(0, band.top, this.view.width, band.height);
    }
    context.fillStyle = this.colours.of("grid");
    for (const x of ticks) context.fillRect(x, band.top, 1, band.height);
  }

  draw(row: Row, band: Band): void {
    const { model } = this;
    switch (row.kind) {
      case "gpu":
        if (!row.open) this.closedGpu(row, band);
        break;
      case "compute":
        this.compute(row, band, true);
        break;
      case "slots":
        this.slots(row, band);
        break;
      case "reduce-scatter":
      case "all-gather":
        this.chunks(row, band, model.tracks(row.gpu, row.kind), roles[row.kind]!);
        break;
      case "companion":
        this.companion(row, band);
        break;
      case "tracker":
        this.busy(row, band);
        this.counter(row, band, CounterKind.trackerEntries, "ink");
        break;
      case "dma":
        this.busy(row, band);
        this.counter(row, band, CounterKind.dmaQueue, "ink");
        break;
      case "loads":
      case "stores":
      case "link-out":
      case "link-in":
        this.dense(row, band);
        break;
      case "dram":
        this.streams(row, band);
        break;
      case "dram-channel":
        this.channel(row, band);
        break;
      case "queues":
        this.queues(row, band);
        break;
      case "bound":
        break;
    }
  }

  private fillOf(row: Row, spans: Spans, span: number, role: Role, shaded: boolean): Fill {
    const shared = this.model.inCompany && (row.kind !== "compute" || isOfCompanion(spans, span));
    const packets = (row.kind === "link-out" || row.kind === "link-in") && !isOfCompanion(spans, span);
    const own = row.kind === "reduce-scatter" || row.kind === "all-gather" || row.kind === "gpu";
    return shared && !packets && !own
      ? this.colours.kernel(kernelOf(spans, span), shaded)
      : this.colours.role(role, shaded);
  }

  private block(item: Item, band: Band, fill: Fill, gap: boolean): void {
    const { context } = this;
    const width = item.width - (gap && item.width > 4 ? 1 : 0);
    context.fillStyle = fill.style;
    context.fillRect(item.x, band.top, width, band.height);
    if (this.colours.forced && item.width > 3) {
      context.strokeStyle = this.colours.of("ink");
      context.strokeRect(item.x + 0.5, band.top + 0.5, width - 1, band.height - 1);
    }
    if (!item.merged) return;
    // A toothed edge shows that there are several spans here and too few pixels to draw each of them.
    context.fillStyle = this.colours.of("surface");
    const depth = Math.max(2, Math.floor(band.height * 0.2));
    for (let x = item.x + (item.x % 4 < 2 ? 0 : 4 - (item.x % 4)); x < item.x + item.width; x += 4)
      context.fillRect(x, band.top, Math.min(2, item.x + item.width - x), depth);
  }

  /** Draws tracks one above the other; `numberOf` gives neighbours different tints and, if `named`, labels. */
  private tracks(
    row: Row,
    band: Band,
    tracks: readonly Track[],
    role: Role,
    numberOf: (spans: Spans, span: number) => number,
    named: boolean,
  ): void {
    const labels: { item: Item; band: Band; number: number; fill: Fill }[] = [];
    tracks.forEach((track, i) => {
      const own = part(band, i, tracks.length);
      const { spans } = track;
      const groupOf = this.model.inCompany ? (span: number) => kernelOf(spans, span) : undefined;
      for (const item of itemsOf(track, this.view, groupOf)) {
        const number = numberOf(spans, item.span);
        const fill = this.fillOf(row, spans, item.span, role, number !== none && number % 2 === 1);
        this.block(item, own, fill, number !== none);
        if (named && number !== none) labels.push({ item, band: own, number, fill });
      }
    });
    this.chunkLabels(labels);
  }

  private chunks(row: Row, band: Band, tracks: readonly Track[], role: Role): void {
    const chunkOf = (spans: Spans, span: number) => this.model.chunkOf(spans, span, row.gpu);
    this.tracks(row, band, tracks, role, chunkOf, true);
  }

  private font(height: number): number {
    const size = Math.round(Math.min(12 * this.scale * this.textScale(), height * 0.82));
    this.context.font = `${size}px ${this.colours.of("font")}`;
    return size;
  }

  private textScale(): number {
    return Number.parseFloat(this.colours.of("text-scale")) || 1;
  }

  private text(text: string, x: number, width: number, band: Band, fill: Fill): boolean {
    const { context } = this;
    const wide = context.measureText(text).width;
    if (wide + 6 * this.scale > width) return false;
    const middle = x + width / 2;
    if (fill.style !== fill.plain) {
      // No colour of text can be read on a texture: the text stands on a plate.
      context.fillStyle = fill.plain;
      context.fillRect(middle - wide / 2 - 3 * this.scale, band.top, wide + 6 * this.scale, band.height);
    }
    context.fillStyle = fill.ink;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, middle, band.top + band.height / 2 + this.scale * 0.5);
    return true;
  }

  /** Labels blocks with the words "chunk 3" if most have room for them, else with numbers; not at all if most have no
   * room even for a number. */
  private chunkLabels(labels: readonly { item: Item; band: Band; number: number; fill: Fill }[]): void {
    const readable = labels.filter(label => label.band.height >= 9 * this.scale);
    if (readable.length === 0) return;
    this.font(readable[0]!.band.height);
    const margin = 6 * this.scale;
    const widthOf = (text: string) => this.context.measureText(text).width + margin;
    const narrow = readable.filter(label => widthOf(String(label.number)) > label.item.width).length;
    const roomy = readable.filter(label => widthOf(`chunk ${label.number}`) <= label.item.width).length;
    if (narrow * 2 > readable.length) return;
    const words = roomy * 5 >= readable.length * 4;
    for (const { item, band, number, fill } of readable) {
      const placed = words && this.text(`chunk ${number}`, item.x, item.width, band, fill);
      if (!placed && !item.merged) this.text(String(number), item.x, item.width, band, fill);
    }
  }

  /** Draws layers of busy time, one on the other, as shares of what could be busy. */
  private area(band: Band, most: number, layers: readonly { busy: Float64Array; fill: Fill }[]): void {
    const { context, edges } = this;
    const columns = edges.times.length - 1;
    if (columns <= 0 || most <= 0) return;
    const foot = band.top + band.height;
    const sum = new Float64Array(columns);
    let below = new Int32Array(columns);
    for (const { busy, fill } of layers) {
      context.fillStyle = fill.style;
      context.beginPath();
      const tops = new Int32Array(columns);
      let from = 0;
      for (let i = 0; i < columns; ++i) {
        sum[i]! += busy[i]!;
        const share = sum[i]! / ((edges.times[i + 1]! - edges.times[i]!) * most);
        tops[i] = Math.floor(Math.min(1, share) * band.height + 0.5);
        // Neighbouring columns of the same height are one rectangle.
        if (tops[i] !== tops[from] || below[i] !== below[from]) {
          this.column(edges.first + from, i - from, foot, below[from]!, tops[from]!);
          from = i;
        }
      }
      this.column(edges.first + from, columns - from, foot, below[from]!, tops[from]!);
      context.fill();
      below = tops;
    }
  }

  private column(x: number, width: number, foot: number, low: number, high: number): void {
    if (high > low) this.context.rect(x, foot - high, width, high - low);
  }

  /** Draws the busy time of a row's tracks by kernel; returns false if the row is not shared by kernels. */
  private kernels(row: Row, band: Band): boolean {
    const kernels = this.model.kernelsIn(row.gpu, row);
    if (kernels.length === 0) return false;
    const shown: Row = row.kind === "compute" ? { ...row, kind: "slots" } : row;
    const tracks = this.model.tracks(row.gpu, shown.kind, row.index);
    const layers = kernels.map(kernel => {
      const sums = this.model.busy(row.gpu, shown, kernel);
      const sends = row.kind === "link-out" || row.kind === "link-in";
      const fill = sends && kernel === 0 ? this.colours.role("link") : this.colours.kernel(kernel);
      return { busy: busyColumns(tracks, sums, this.edges, countsOf(kernel)), fill };
    });
    this.area(band, this.model.resources(shown), layers);
    return true;
  }

  private busy(row: Row, band: Band, most?: number): void {
    if (this.kernels(row, band)) return;
    const tracks = this.model.tracks(row.gpu, row.kind, row.index);
    const busy = busyColumns(tracks, this.model.busy(row.gpu, row), this.edges);
    this.area(band, most ?? this.model.resources(row), [
      { busy, fill: this.colours.role(roles[row.kind] ?? "neutral") },
    ]);
  }

  /** Draws blocks if there is room for them, else the busy share. */
  private dense(row: Row, band: Band): void {
    const tracks = this.model.tracks(row.gpu, row.kind);
    const isWhole = tracks.length > 0 && this.model.periodOf(row) === 0;
    if (isWhole && tracks.length <= mostStacked && areDistinguishable(tracks, this.view)) {
      const isLoads = row.kind === "loads";
      const numberOf = (spans: Spans, span: number) =>
        isLoads ? spans.first[span]! : this.model.chunkOf(spans, span, row.gpu);
      this.tracks(row, band, tracks, roles[row.kind]!, numberOf, !isLoads);
    } else {
      this.busy(row, band);
      this.wholeLine(band);
    }
  }

  /** Draws a dotted line at the height of the whole, of which the area below it is a share. */
  private wholeLine(band: Band): void {
    this.context.fillStyle = this.colours.of("ink-faint");
    const right = this.edges.first + this.edges.times.length - 1;
    for (let x = this.edges.first; x < right; x += 10) this.context.fillRect(x, band.top, 2, 1);
  }

  private counter(row: Row, band: Band, kind: number, colour: string): void {
    const counter = this.model.counter(row.gpu, kind);
    if (counter !== undefined && counter.most > 0)
      this.line(counter, counter.most, band, this.colours.of(colour));
  }

  /** Draws the mean of a counter as a line and, faintly around it, the range of its values within a pixel. */
  private line(counter: Counter, most: number, band: Band, colour: string): void {
    const { context, edges } = this;
    const values = valuesOf(counter, edges);
    const foot = band.top + band.height;
    const heightOf = (value: number) => Math.floor(Math.max(0, (value * (band.height - 1)) / most) + 0.5);
    const thick = Math.max(1, Math.round(1.4 * this.scale));
    context.fillStyle = colour;
    context.globalAlpha = 0.24;
    context.beginPath();
    for (let i = 0; i < values.mean.length; ++i)
      this.column(edges.first + i, 1, foot, heightOf(values.low[i]!), heightOf(values.high[i]!));
    context.fill();
    context.globalAlpha = 1;
    context.beginPath();
    for (let i = 0; i < values.mean.length; ++i) {
      const now = heightOf(values.mean[i]!);
      const before = i > 0 ? heightOf(values.mean[i - 1]!) : now;
      if (before === 0 && now === 0 && values.high[i] === 0) continue;
      this.column(edges.first + i, 1, foot, Math.min(before, now), Math.max(before, now) + thick);
    }
    context.fill();
  }

  private queues(row: Row, band: Band): void {
    const compute = this.model.counter(row.gpu, CounterKind.computeBacklog);
    const communication = this.model.counter(row.gpu, CounterKind.communicationBacklog);
    const most = Math.max(compute?.most ?? 0, communication?.most ?? 0);
    if (most <= 0) return;
    if (compute !== undefined) this.line(compute, most, band, this.colours.of("gemm"));
    if (communication !== undefined) this.line(communication, most, band, this.colours.of("reduce-scatter"));
  }

  private streams(row: Row, band: Band): void {
    if (this.kernels(row, band)) return;
    const tracks = this.model.tracks(row.gpu, row.kind, row.index);
    this.area(
      band,
      this.model.resources(row),
      [0, 1].map(kernel => ({
        busy: busyColumns(tracks, this.model.busy(row.gpu, row, kernel), this.edges, countsOf(kernel)),
        fill: this.colours.role(kernel === 0 ? "gemm" : "reduce-scatter"),
      })),
    );
  }

  private channel(row: Row, band: Band): void {
    const tracks = this.model.tracks(row.gpu, row.kind, row.index);
    const track = tracks[0];
    if (track === undefined || !areDistinguishable(tracks, this.view)) {
      this.streams(row, band);
      this.wholeLine(band);
      return;
    }
    for (const item of itemsOf(track, this.view, span => kernelOf(track.spans, span))) {
      const role = computes(track.spans, item.span) ? "gemm" : "reduce-scatter";
      this.block(item, band, this.fillOf(row, track.spans, item.span, role, false), false);
    }
  }

  private slots(row: Row, band: Band): void {
    const tracks = this.model.tracks(row.gpu, "slots");
    const count = this.model.slots(row.gpu);
    if (!areDistinguishable(tracks, this.view)) {
      this.busy(row, band, count);
      this.wholeLine(band);
      this.emptyShare(row, band, count);
      return;
    }
    const wave = this.model.lastWave(row.gpu);
    tracks.forEach((track, i) => {
      const { spans } = track;
      const place = wave === undefined ? i : this.model.block.lanes[track.lane]!.index;
      const own = part(band, place, count);
      for (const item of itemsOf(track, this.view, span => kernelOf(spans, span)))
        this.block(
          item,
          own,
          this.fillOf(row, spans, item.span, "gemm", spans.first[item.span]! % 2 === 1),
          false,
        );
    });
    for (const [slot, from] of wave?.empty ?? []) {
      const edges = edgesOf(this.view, from, wave!.end);
      const own = part(band, slot, count);
      this.context.fillStyle = this.colours.gap().style;
      this.context.fillRect(edges.first, own.top, edges.times.length - 1, own.height);
    }
  }

  /** Hatches the share of slots that the last wave leaves empty, from the top. */
  private emptyShare(row: Row, band: Band, slots: number): void {
    const wave = this.model.lastWave(row.gpu);
    if (wave === undefined || wave.empty.length === 0 || slots === 0) return;
    const begins = wave.empty.map(([, from]) => from).sort((a, b) => a - b);
    const time = Float64Array.from(begins);
    const value = Float64Array.from(begins, (_, i) => i + 1);
    const edges = edgesOf(this.view, begins[0]!, wave.end);
    const values = valuesOf({ gpu: 0, kind: 0, time, value, most: begins.length, range: null }, edges);
    const { context } = this;
    context.fillStyle = this.colours.gap().style;
    context.beginPath();
    let from = 0;
    let high = 0;
    for (let i = 0; i <= values.mean.length; ++i) {
      const height = i < values.mean.length ? Math.floor((values.mean[i]! / slots) * band.height) : 0;
      if (height === high) continue;
      if (high > 0) context.rect(edges.first + from, band.top, i - from, high);
      from = i;
      high = height;
    }
    context.fill();
  }

  /** Draws the running workgroups, tinted by wave; with a companion, the share of slots by kernel. */
  private compute(row: Row, band: Band, named: boolean): void {
    if (this.kernels(row, band)) return;
    const { context, model, view } = this;
    const spans = model.lanes(row.gpu, LaneKind.gemmWaves)[0]?.spans;
    if (spans === undefined || spans.count === 0) return;
    const counter = model.counter(row.gpu, CounterKind.runningWorkgroups);
    const slots = model.lastWave(row.gpu)?.slots ?? counter?.most ?? 0;
    const edges = edgesOf(view, spans.start[0]!, spans.end[spans.count - 1]!);
    const values = counter !== undefined && slots > 0 ? valuesOf(counter, edges) : undefined;
    // Each wave lasts until the next one begins, so that it has the pixels that its successor leaves.
    const endOf = (wave: number) =>
      wave + 1 < spans.count ? Math.min(spans.end[wave]!, spans.start[wave + 1]!) : spans.end[wave]!;
    const rooms: { from: number; to: number }[] = [];
    const tall = Math.min(band.height, 17 * this.scale * this.textScale()) * 0.85;
    const fills = [false, true].map(shaded => this.colours.role("gemm", shaded).style);
    // Neighbouring columns of one wave and height are one rectangle.
    let blockFrom = 0;
    let blockTo = 0;
    let blockHeight = 0;
    let blockWave = 0;
    const drawBlock = () => {
      if (blockTo === blockFrom || blockHeight === 0) return;
      context.fillStyle = fills[blockWave % 2]!;
      context.fillRect(blockFrom, band.top + band.height - blockHeight, blockTo - blockFrom, blockHeight);
    };
    let wave = 0;
    let run: { from: number; to: number } | undefined;
    let runOf = 0;
    for (let i = 0; i + 1 < edges.times.length; ++i) {
      const x = edges.first + i;
      while (wave < spans.count && endOf(wave) <= edges.times[i]!) ++wave;
      if (wave === spans.count) break;
      if (spans.start[wave]! >= edges.times[i + 1]!) continue;
      const share = values === undefined ? 1 : Math.min(1, values.mean[i]! / slots);
      const height = Math.round(share * band.height);
      if (x !== blockTo || height !== blockHeight || wave !== blockWave) {
        drawBlock();
        blockFrom = x;
        blockHeight = height;
        blockWave = wave;
      }
      blockTo = x + 1;
      if (height < tall) continue;
      // The room for the wave's label is its longest part that is high enough.
      const room = rooms[wave];
      if (run === undefined || run.to !== x || runOf !== wave) run = { from: x, to: x + 1 };
      else run.to = x + 1;
      runOf = wave;
      if (room === undefined || run.to - run.from > room.to - room.from) rooms[wave] = run;
    }
    drawBlock();
    this.emptyShare(row, band, slots);
    this.pieceEnds(row, band);
    if (named) this.waveLabels(row, spans, rooms, band);
  }

  private waveLabels(
    row: Row,
    spans: Spans,
    rooms: readonly ({ from: number; to: number } | undefined)[],
    band: Band,
  ): void {
    const height = Math.min(band.height, Math.round(17 * this.scale * this.textScale()));
    const low = { top: band.top + band.height - height, height };
    this.font(height);
    const first = this.model.firstWave(row.gpu);
    const forms = [
      (wave: number) =>
        `wave ${spans.first[wave]! - first + 1} of ${spans.count}: ${spans.second[wave]} workgroups`,
      (wave: number) => `wave ${spans.first[wave]! - first + 1}`,
      (wave: number) => String(spans.first[wave]! - first + 1),
    ];
    const fits = (text: string, wave: number) => {
      const room = rooms[wave]!;
      return this.context.measureText(text).width + 6 * this.scale <= room.to - room.from;
    };
    const named = [...rooms.keys()].filter(wave => rooms[wave] !== undefined);
    if (named.length > 200) return;
    const whole = named.filter(wave => fits(forms[0]!(wave), wave)).length;
    for (const wave of named) {
      const room = rooms[wave]!;
      const usable = whole * 5 >= named.length * 4 ? forms : forms.slice(1);
      const form = usable.find(one => fits(one(wave), wave));
      if (form !== undefined)
        this.text(form(wave), room.from, room.to - room.from, low, this.colours.role("gemm", wave % 2 === 1));
    }
  }

  /** Draws a line at the end of each piece of the GEMM, unless the lines would hide what lies between them. */
  private pieceEnds(row: Row, band: Band): void {
    const pieces = this.model.block.pieces[this.model.recorded(row.gpu)] ?? [];
    if (pieces.length < 2) return;
    const ends = pieces
      .map(([, landed]) => Math.floor(xOf(this.view, landed)))
      .filter(x => x >= 0 && x < this.view.width);
    if (ends.length === 0) return;
    if (Math.max(...ends) - Math.min(...ends) < 8 * this.scale * (ends.length - 1)) return;
    for (const x of ends) {
      this.context.fillStyle = this.colours.of("surface");
      this.context.fillRect(x - 1, band.top, 3, band.height);
      this.context.fillStyle = this.colours.of("ink");
      this.context.fillRect(x, band.top, 1, band.height);
    }
  }

  private companion(row: Row, band: Band): void {
    const numberOf = (spans: Spans, span: number) =>
      spans.kind[span] === SpanKind.companionWave
        ? spans.first[span]!
        : this.model.chunkOf(spans, span, row.gpu);
    const tracks = this.model.tracks(row.gpu, "companion");
    const isWaves = tracks[0]?.spans.kind[0] === SpanKind.companionWave;
    this.tracks(row, band, tracks, "neutral", numberOf, !isWaves);
  }

  /** Draws a closed GPU: its compute above, its collective below. */
  private closedGpu(row: Row, band: Band): void {
    const compute: Row = { ...row, kind: "compute" };
    const halves = [part(band, 0, 2), part(band, 1, 2)] as const;
    this.context.fillStyle = this.colours.of("ground");
    this.context.fillRect(0, halves[0].top, this.view.width, halves[0].height);
    this.compute(compute, halves[0], false);
    const scatter = this.model.tracks(row.gpu, "reduce-scatter").slice(0, 1);
    const gather = this.model.tracks(row.gpu, "all-gather").slice(0, 1);
    const companion = this.model.tracks(row.gpu, "companion").slice(0, 1);
    if (scatter.length + gather.length === 0 && companion.length > 0)
      this.companion({ ...row, kind: "companion" }, halves[1]);
    this.chunks(row, halves[1], scatter, "reduce-scatter");
    this.chunks(row, halves[1], gather, "all-gather");
  }
}
