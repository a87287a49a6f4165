// What the page says of a row at a time: the same facts as the window's tool tips (ui/timeline/span_text).
import { type Counter, CounterKind, LaneKind, none, SpanKind, type Spans } from "./block";
import { firstEndingAfter, lengthOf, spanAt, type Track, valueAt } from "./columns";
import { bytesText, countText, exactText, percentText, timeText } from "./format";
import { computes, isOfCompanion, kernelOf, type Model, type Row, type RowKind } from "./model";

export interface Facts {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A span of a row, by the track that has it. */
export interface Place {
  readonly track: Track;
  readonly span: number;
}

/** How facts tell times: with few digits, or every picosecond. */
export type TimeForm = "short" | "exact";

function told(ps: number, form: TimeForm): string {
  return form === "exact" ? exactText(ps) : timeText(ps);
}

/** Rows whose tracks stand one above the other, so that the height tells the track. */
const stacked: ReadonlySet<RowKind> = new Set(["slots", "reduce-scatter", "all-gather", "companion"]);

export function kernelName(model: Model, kernel: number): string {
  return model.run.kernels[kernel] ?? `kernel ${kernel}`;
}

/** Returns the tracks of a row that a pointer can find, as facts and tables read them. */
export function tracksOf(model: Model, row: Row): readonly Track[] {
  return row.kind === "gpu" || row.kind === "queues" || row.kind === "bound"
    ? []
    : model.tracks(row.gpu, row.kind, row.index);
}

/** Returns the span of a row at a time and a height, 0 (top) to 1. */
export function placeAt(model: Model, row: Row, ps: number, height: number): Place | undefined {
  const tracks = tracksOf(model, row);
  const wave = row.kind === "slots" ? model.lastWave(row.gpu) : undefined;
  const slots = row.kind === "slots" ? model.slots(row.gpu) : tracks.length;
  for (let i = 0; i < tracks.length; ++i) {
    const track = tracks[i]!;
    if (stacked.has(row.kind)) {
      const at = wave === undefined ? i : model.block.lanes[track.lane]!.index;
      if (height < at / slots || height > (at + 1) / slots) continue;
    }
    const span = spanAt(track, ps);
    if (span !== none) return { track, span };
  }
  return undefined;
}

function nameOf(model: Model, gpu: number, spans: Spans, span: number): string {
  const first = spans.first[span]!;
  const second = spans.second[span]!;
  const whose = isOfCompanion(spans, span) ? ` of ${kernelName(model, kernelOf(spans, span))}` : "";
  const stream = computes(spans, span) ? "compute stream" : "communication stream";
  switch (spans.kind[span]) {
    case SpanKind.gemmWave:
      return `wave ${first - model.firstWave(gpu) + 1} of ${spans.count}: ${second} workgroups`;
    case SpanKind.workgroup:
      return `workgroup of tile ${first}${whose}`;
    case SpanKind.load:
      return `loads of tile ${first}, K-step ${second}${whose}`;
    case SpanKind.store:
      return `stores of tile ${first}`;
    case SpanKind.trackedTile:
      return `tracker holds tile ${first}`;
    case SpanKind.trigger:
      return `trigger of block ${first}`;
    case SpanKind.dmaTransfer:
      return `DMA transfer of block ${first}`;
    case SpanKind.linkPacket:
      return "link packet";
    case SpanKind.dramRead:
      return `DRAM read${whose}, ${stream}`;
    case SpanKind.dramWrite:
      return `DRAM write${whose}, ${stream}`;
    case SpanKind.dramUpdate:
      return `DRAM update${whose}, ${stream}`;
    case SpanKind.dramPass:
      return "piece of the pass inside memory";
    case SpanKind.reduceScatterStep:
      return `${model.run.scatter} step ${first}`;
    case SpanKind.allGatherStep:
      return `all-gather step ${first}`;
    case SpanKind.collectiveWorkgroup:
      return `workgroup ${first} of the ${kernelName(model, kernelOf(spans, span))}`;
    case SpanKind.companionStep:
      return `step ${first}${whose}`;
    case SpanKind.companionTransfer:
      return `DMA transfer of block ${first}${whose}`;
    case SpanKind.companionPacket:
      return `link packet${whose}`;
    case SpanKind.companionWave:
      return `GEMM wave ${first}${whose}`;
    case SpanKind.copy:
      return `copy to GPU ${spans.peer[span]}`;
    default:
      return "landing";
  }
}

/** Returns the name of a span with its chunk: "DMA transfer of block 3, chunk 5". */
export function spanName(model: Model, gpu: number, spans: Spans, span: number): string {
  const chunk = model.chunkOf(spans, span, gpu);
  return nameOf(model, gpu, spans, span) + (chunk === none ? "" : `, chunk ${chunk}`);
}

/** Returns when a span begins and ends and how long it takes. */
export function extentOf(spans: Spans, span: number, form: TimeForm): string {
  const start = spans.start[span]!;
  const end = spans.end[span]!;
  if (start === end) return `at ${told(start, form)}`;
  return `${told(start, form)} to ${told(end, form)}, takes ${told(end - start, form)}`;
}

export function spanFacts(model: Model, gpu: number, { track, span }: Place, form: TimeForm): Facts {
  const { spans } = track;
  const lane = model.block.lanes[track.lane]!;
  const lines = [extentOf(spans, span, form)];
  const bytes = spans.bytes[span]!;
  if (bytes > 0) lines.push(form === "exact" ? `${countText(bytes)}\u00a0B` : bytesText(bytes));
  if (spans.kind[span] === SpanKind.companionWave)
    lines.push(`${spans.second[span]} workgroups in this wave`);
  if (spans.kind[span] === SpanKind.workgroup)
    lines.push(`slot ${lane.index}, dispatched as number ${spans.second[span]! + 1}`);
  if (lane.kind === LaneKind.dramChannel) lines.push(`channel ${lane.index}`);
  return { title: `GPU ${gpu}: ${spanName(model, gpu, spans, span)}`, lines };
}

function underWay(tracks: readonly Track[], ps: number): string {
  const busy = tracks.filter(track => spanAt(track, ps) !== none).length;
  return `${busy} under way, at most ${tracks.length} in this run`;
}

function counterLine(
  counter: Counter | undefined,
  ps: number,
  say: (now: number, most: number) => string,
): string {
  return counter === undefined ? "" : say(valueAt(counter, ps), counter.most);
}

/** Returns the share of a row's resources that were busy in a window, with one kernel if `kernel` names it. */
function shareOf(model: Model, row: Row, from: number, to: number, kernel?: number): number {
  const sums = model.busy(row.gpu, row, kernel);
  const resources = Math.max(1, model.resources(row));
  return Math.min(1, (sums.until(to) - sums.until(from)) / (Math.max(1, to - from) * resources));
}

/** Returns what is true of a row as a whole around a time; `reach` is the time of a pixel. */
function rowLines(model: Model, row: Row, ps: number, reach: number): string[] {
  const from = Math.max(0, ps - Math.floor(reach / 2));
  const to = Math.min(model.end, from + reach);
  const around = `mean over ${timeText(to - from, 3)} around ${timeText(ps)}`;
  const kernels = row.kind === "compute" ? [] : model.kernelsIn(row.gpu, row);
  if (kernels.length > 0) {
    const shares = kernels.map(kernel => shareOf(model, row, from, to, kernel));
    const idle = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
    return [
      ...kernels.map((kernel, i) => `${kernelName(model, kernel)} ${percentText(shares[i]!)}`),
      `idle ${percentText(idle)}`,
      around,
    ];
  }
  const counter = (kind: number) => model.counter(row.gpu, kind);
  if (model.periodOf(row) > 0 && row.kind !== "dram" && row.kind !== "dram-channel")
    return [`busy ${percentText(shareOf(model, row, from, to))} of ${timeText(to - from, 3)}`];
  switch (row.kind) {
    case "compute":
      return [
        counterLine(
          counter(CounterKind.runningWorkgroups),
          ps,
          (now, most) => `${countText(now)} of at most ${countText(most)} running now`,
        ),
      ];
    case "loads":
    case "stores":
      return [underWay(model.tracks(row.gpu, row.kind), ps)];
    case "tracker":
      return [
        counterLine(
          counter(CounterKind.trackerEntries),
          ps,
          (now, most) => `${countText(now)} workgroups held, at most ${countText(most)}`,
        ),
      ];
    case "dma":
      return [
        underWay(model.tracks(row.gpu, row.kind), ps),
        counterLine(
          counter(CounterKind.dmaQueue),
          ps,
          (now, most) => `${countText(now)} commands waiting, at most ${countText(most)}`,
        ),
      ];
    case "link-out":
    case "link-in":
      return [`busy ${percentText(shareOf(model, row, from, to))} of ${timeText(to - from, 3)}`];
    case "dram":
    case "dram-channel": {
      const compute = shareOf(model, row, from, to, 0);
      const rest = shareOf(model, row, from, to, 1);
      return [
        `compute stream ${percentText(compute)}`,
        `communication stream ${percentText(rest)}`,
        `idle ${percentText(Math.max(0, 1 - compute - rest))}`,
        around,
      ];
    }
    case "queues":
      return [
        counterLine(
          counter(CounterKind.computeBacklog),
          ps,
          (now, most) => `compute streams ${bytesText(now)}, at most ${bytesText(most)}`,
        ),
        counterLine(
          counter(CounterKind.communicationBacklog),
          ps,
          (now, most) => `communication streams ${bytesText(now)}, at most ${bytesText(most)}`,
        ),
      ];
    default:
      return [];
  }
}

function rowTitle(model: Model, row: Row): string {
  const links = model.resources(row);
  switch (row.kind) {
    case "link-out":
      return links > 1 ? `its ${links} outgoing links, one above the other` : "outgoing link";
    case "link-in":
      return links > 1 ? `its ${links} incoming links, one above the other` : "incoming link";
    case "dram":
      return "DRAM";
    case "dram-channel":
      return `DRAM channel ${row.index}`;
    case "queues":
      return "bytes waiting for DRAM";
    case "dma":
      return "DMA engine";
    case "slots":
      return "workgroups";
    default:
      return row.label;
  }
}

/** Returns how many spans of a row begin within a pixel's time. */
function begunWithin(tracks: readonly Track[], ps: number, reach: number): number {
  let begun = 0;
  for (const track of tracks) {
    const first = firstEndingAfter(track, ps - Math.floor(reach / 2));
    begun += firstEndingAfter(track, ps + reach - Math.floor(reach / 2), first) - first;
  }
  return begun;
}

/** Describes a row at a time. `reach` is the time of a pixel; `height` is 0 at the top of the row and 1 at its foot. */
export function describeMoment(
  model: Model,
  row: Row,
  ps: number,
  height: number,
  reach: number,
  form: TimeForm,
): Facts {
  const window = Math.max(1, reach);
  if (row.kind === "gpu")
    return { title: row.label, lines: [row.open ? "open" : "closed: compute above, collective below"] };
  const place = placeAt(model, row, ps, height);
  const isArea = row.kind === "dram";
  // In an area, a span is one of many: it is described only if a pixel holds about one span.
  const shows =
    place !== undefined &&
    (!isArea || (place.track.spans.end[place.span]! - place.track.spans.start[place.span]!) * 2 > window);
  const own = shows ? spanFacts(model, row.gpu, place, form) : undefined;
  const lines = [...(own?.lines ?? []), ...rowLines(model, row, ps, window)];
  const wave = row.kind === "compute" || row.kind === "slots" ? model.lastWave(row.gpu) : undefined;
  if (wave !== undefined && ps >= wave.start && ps < wave.end && wave.empty.length > 0)
    lines.push(`${wave.empty.length} of ${wave.slots} slots stay empty in the last wave`);
  if (["loads", "stores", "link-out", "link-in", "dram", "tracker"].includes(row.kind)) {
    const begun = begunWithin(tracksOf(model, row), ps, window);
    if (begun > 1) lines.push(`${countText(begun)} spans in this pixel`);
  }
  const period = model.periodOf(row);
  if (period > 0)
    lines.push(`this page has the busy time of periods of ${timeText(period, 3)} here, not each span`);
  return {
    title: own?.title ?? `GPU ${row.gpu}: ${rowTitle(model, row)}`,
    lines: lines.filter(line => line !== ""),
  };
}

/** Returns the span of a row that begins before or after a time, or beside `from`; by time, then track. */
export function neighbour(
  model: Model,
  row: Row,
  from: Place | undefined,
  ps: number,
  by: 1 | -1,
): Place | undefined {
  const tracks = tracksOf(model, row);
  const order = (place: Place) => place.track.spans.start[place.span]!;
  const here = from === undefined ? ps : order(from);
  const at = from === undefined ? -1 : tracks.indexOf(from.track);
  let best: Place | undefined;
  tracks.forEach((track, number) => {
    const { start } = track.spans;
    // In a track starts ascend: find the first span that begins after `here`.
    let low = 0;
    let high = lengthOf(track);
    const isPast = (i: number) => {
      const span = track.picked === null ? i : track.picked[i]!;
      if (start[span]! !== here || from === undefined)
        return by > 0 ? start[span]! > here : start[span]! >= here;
      if (number !== at) return by > 0 ? number > at : number >= at;
      return by > 0 ? span > from.span : span >= from.span;
    };
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isPast(middle)) high = middle;
      else low = middle + 1;
    }
    const i = by > 0 ? low : low - 1;
    if (i < 0 || i >= lengthOf(track)) return;
    const candidate = { track, span: track.picked === null ? i : track.picked[i]! };
    const isBetter =
      best === undefined || (by > 0 ? order(candidate) < order(best) : order(candidate) >= order(best));
    if (isBetter) best = candidate;
  });
  return best;
}
