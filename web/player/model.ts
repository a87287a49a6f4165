// What the player shows of one run: its lanes by GPU and kind, its rows, phases and causes. No pixels, no colours.
import {
  type Block,
  type BusyPeriods,
  type Counter,
  CounterKind,
  type Lane,
  LaneKind,
  none,
  SpanKind,
  type Spans,
} from "./block";
import { BusySums, pack, sumsByGroup, sumsOf, type Track } from "./columns";
import type { LastWave, PageRun } from "./document";

/** The kinds of rows, as the window names them in its files. */
export type RowKind =
  | "gpu"
  | "compute"
  | "slots"
  | "loads"
  | "stores"
  | "companion"
  | "reduce-scatter"
  | "all-gather"
  | "tracker"
  | "dma"
  | "link-out"
  | "link-in"
  | "dram"
  | "dram-channel"
  | "queues"
  | "bound";

export interface Row {
  readonly kind: RowKind;
  readonly gpu: number;
  /** The number of a channel, or of a part of a bound. */
  readonly index: number;
  readonly label: string;
  /** Height in lines of text. */
  readonly weight: number;
  readonly openable: boolean;
  readonly open: boolean;
}

export function keyOf(row: Row): string {
  return `${row.gpu}/${row.kind}/${row.index}`;
}

/** The lanes of one kind on one recorded GPU, as tracks. */
export interface Lanes {
  readonly tracks: readonly Track[];
  readonly busy: BusySums;
}

/** A named part of the run. */
export interface Phase {
  readonly start: number;
  readonly end: number;
  readonly role: "overlapped" | "gemm" | "exposed" | "neutral";
  readonly label: string;
  readonly brief: string;
}

type Interval = readonly [number, number];

/** The order of rows of a GPU, and the details of each: those of the window (ui/timeline/lane_arrangement). */
const usualOrder: readonly RowKind[] = [
  "compute",
  "companion",
  "reduce-scatter",
  "all-gather",
  "tracker",
  "dma",
  "link-out",
  "dram",
  "queues",
];
const details: { readonly [kind: string]: readonly RowKind[] } = {
  compute: ["slots", "loads", "stores"],
  "link-out": ["link-in"],
  dram: ["dram-channel"],
};
const labels: { readonly [kind: string]: string } = {
  compute: "compute",
  slots: "workgroups",
  loads: "loads",
  stores: "stores",
  companion: "companion",
  "all-gather": "all-gather",
  tracker: "tracker",
  dma: "DMA blocks",
  "link-out": "link out",
  "link-in": "link in",
  dram: "DRAM",
  queues: "queues",
};
const weights: { readonly [kind: string]: number } = {
  compute: 2.8,
  slots: 6,
  tracker: 1.2,
  dma: 1.4,
  "link-out": 1.6,
  dram: 2.8,
  "dram-channel": 0.9,
  queues: 1.2,
};
const laneKinds: { readonly [kind: string]: number } = {
  compute: LaneKind.gemmWaves,
  slots: LaneKind.workgroupSlot,
  loads: LaneKind.loads,
  stores: LaneKind.stores,
  companion: LaneKind.companion,
  "reduce-scatter": LaneKind.reduceScatter,
  "all-gather": LaneKind.allGather,
  dma: LaneKind.dma,
  "link-out": LaneKind.linkOut,
  "link-in": LaneKind.linkIn,
  dram: LaneKind.dramChannel,
  "dram-channel": LaneKind.dramChannel,
};

/** Returns the kind of row that shows a kind of lane, and the row that has it among its details. */
export function rowOfLane(lane: number): { kind: RowKind; within: RowKind | undefined } | undefined {
  const found = (Object.keys(laneKinds) as RowKind[]).find(kind => laneKinds[kind] === lane);
  const kind = lane === LaneKind.tracker ? "tracker" : lane === LaneKind.landings ? "dram" : found;
  if (kind === undefined) return undefined;
  return { kind, within: usualOrder.find(row => details[row]?.includes(kind)) };
}

/** Returns the number of the kernel of a span: 0 own GEMM, 1 own collective, from 2 on copies of the companion
 * (data/replay/kernel_number). */
export function kernelOf(spans: Spans, span: number): number {
  const peer = spans.peer[span]!;
  const kind = spans.kind[span]!;
  switch (kind) {
    case SpanKind.companionPacket:
      return 2; // its peer is a GPU
    case SpanKind.companionStep:
    case SpanKind.companionTransfer:
    case SpanKind.companionWave:
    case SpanKind.dramPass:
    case SpanKind.workgroup:
    case SpanKind.load:
      return peer > 0 ? 1 + peer : 0;
    case SpanKind.collectiveWorkgroup:
      return 1 + peer;
    case SpanKind.dramRead:
    case SpanKind.dramWrite:
    case SpanKind.dramUpdate:
      return peer > 0 ? 1 + peer : computes(spans, span) ? 0 : 1;
    default:
      return 0;
  }
}

export function isOfCompanion(spans: Spans, span: number): boolean {
  return kernelOf(spans, span) > 1;
}

/** Returns whether a DRAM service belongs to the compute stream. */
export function computes(spans: Spans, span: number): boolean {
  return spans.first[span] === 0;
}

/** Returns the test whether a span belongs to a kernel. Without a companion, kernel 0 is the compute stream of DRAM, and
 * kernel 1 its communication stream. */
export function countsOf(kernel: number): (spans: Spans, span: number) => boolean {
  return (spans, span) => kernelOf(spans, span) === kernel;
}

export class Model {
  readonly run: PageRun;
  readonly block: Block;
  readonly phases: readonly Phase[];
  private readonly lanesBy = new Map<string, Lane[]>();
  private readonly countersBy = new Map<string, Counter>();
  private readonly made = new Map<string, unknown>();

  constructor(run: PageRun, block: Block) {
    this.run = run;
    this.block = block;
    for (const lane of block.lanes) {
      const key = `${lane.gpu}/${lane.kind}`;
      const lanes = this.lanesBy.get(key);
      if (lanes === undefined) this.lanesBy.set(key, [lane]);
      else lanes.push(lane);
    }
    for (const counter of block.counters) this.countersBy.set(`${counter.gpu}/${counter.kind}`, counter);
    this.phases = this.phasesOfRun();
  }

  get end(): number {
    return this.block.end;
  }

  get inCompany(): boolean {
    return this.block.companion.copies > 0;
  }

  /** Returns the recorded GPU that stands for a GPU. */
  recorded(gpu: number): number {
    return this.block.mirrored ? 0 : gpu;
  }

  lanes(gpu: number, kind: number): readonly Lane[] {
    return this.lanesBy.get(`${this.recorded(gpu)}/${kind}`) ?? [];
  }

  counter(gpu: number, kind: number): Counter | undefined {
    return this.countersBy.get(`${this.recorded(gpu)}/${kind}`);
  }

  /** Returns the chunk on which a GPU works in a span of the GPU that stands for it; `none` if the span has no chunk. */
  chunkOf(spans: Spans, span: number, gpu: number): number {
    const second = spans.second[span]!;
    const chunks = isOfCompanion(spans, span) ? this.block.companion.chunks : this.block.chunks;
    switch (spans.kind[span]) {
      case SpanKind.gemmWave:
      case SpanKind.workgroup:
      case SpanKind.collectiveWorkgroup:
      case SpanKind.load:
      case SpanKind.storeLanded:
      case SpanKind.arrivalLanded:
      case SpanKind.sumLanded:
      case SpanKind.companionWave:
      case SpanKind.dramPass:
        return none;
      case SpanKind.dramRead:
      case SpanKind.dramWrite:
      case SpanKind.dramUpdate:
        if (isOfCompanion(spans, span)) return none;
    }
    return second === none || !this.block.mirrored || chunks === 0 ? second : (second + gpu) % chunks;
  }

  private once<T>(key: string, make: () => T): T {
    if (!this.made.has(key)) this.made.set(key, make());
    return this.made.get(key) as T;
  }

  private packed(gpu: number, kind: number, belongs?: (spans: Spans, span: number) => boolean): Track[] {
    return this.lanes(gpu, kind).flatMap(lane => {
      const test = belongs === undefined ? undefined : (span: number) => belongs(lane.spans, span);
      return pack(lane.spans, this.block.lanes.indexOf(lane), test);
    });
  }

  /** Returns the tracks that a row shows. */
  tracks(gpu: number, kind: RowKind, index = 0): readonly Track[] {
    const place = this.recorded(gpu);
    return this.once(`tracks/${place}/${kind}/${index}`, () => {
      const isTracked = (spans: Spans, span: number) => spans.kind[span] === SpanKind.trackedTile;
      if (kind === "tracker") return this.packed(place, LaneKind.tracker, isTracked);
      if (kind === "dram-channel") return this.tracks(gpu, "dram").slice(index, index + 1);
      const lane = laneKinds[kind];
      return lane === undefined ? [] : this.packed(place, lane);
    });
  }

  /** Returns the lanes of a row whose spans are not in the page. */
  private busyLanes(gpu: number, row: Row): readonly BusyPeriods[] {
    const lane = row.kind === "tracker" ? LaneKind.tracker : laneKinds[row.kind];
    const lanes = lane === undefined || row.kind === "dram-channel" ? [] : this.lanes(gpu, lane);
    return lanes.flatMap(one => (one.busy === null ? [] : [one.busy]));
  }

  /** Returns the length of the periods of a row whose spans are not in the page; 0 for any other row. */
  periodOf(row: Row): number {
    return this.busyLanes(row.gpu, row)[0]?.bucket ?? 0;
  }

  /** Returns how many spans of a row can be under way at once. */
  resources(row: Row): number {
    const tracks = this.tracks(row.gpu, row.kind, row.index).length;
    return this.busyLanes(row.gpu, row).reduce((sum, lane) => sum + lane.most, tracks);
  }

  /** Returns the busy time of a row's tracks; of one kernel if `kernel` names it. */
  busy(gpu: number, row: Row, kernel?: number): BusySums {
    const place = this.recorded(gpu);
    return this.once(`busy/${place}/${row.kind}/${row.index}/${kernel ?? "all"}`, () => {
      const lanes = this.busyLanes(gpu, row);
      if (lanes.length > 0) {
        const isCounted = (number: number) => kernel === undefined || number === kernel;
        const lists = lanes.flatMap(lane => lane.times.filter((_, i) => isCounted(lane.kernels[i]!)));
        return BusySums.ofPeriods(this.end, lanes[0]!.bucket, lists);
      }
      const tracks = this.tracks(gpu, row.kind, row.index);
      if (kernel === undefined) return sumsOf(tracks, this.end);
      const byKernel = this.once(`sums/${place}/${row.kind}/${row.index}`, () =>
        sumsByGroup(tracks, this.end, kernelOf),
      );
      return byKernel.get(kernel) ?? new BusySums(this.end, 0).finish();
    });
  }

  /** Returns the kernels that have spans in a row which kernels share; else an empty list. */
  kernelsIn(gpu: number, row: Row): readonly number[] {
    const shared: readonly RowKind[] = [
      "compute",
      "slots",
      "loads",
      "link-out",
      "link-in",
      "dram",
      "dram-channel",
    ];
    if (!this.inCompany || !shared.includes(row.kind)) return [];
    return this.once(`kernels/${this.recorded(gpu)}/${row.kind}/${row.index}`, () => {
      const kernels = new Set<number>(this.busyLanes(gpu, row).flatMap(lane => lane.kernels));
      for (const { spans } of this.tracks(gpu, row.kind === "compute" ? "slots" : row.kind, row.index)) {
        for (let i = 0; i < spans.count; ++i) kernels.add(kernelOf(spans, i));
      }
      return [...kernels].sort((a, b) => a - b);
    });
  }

  /** Returns how many slots a GPU has for workgroups. */
  slots(gpu: number): number {
    const lanes = this.lanes(gpu, LaneKind.workgroupSlot);
    return Math.max(this.lastWave(gpu)?.slots ?? 0, (lanes[lanes.length - 1]?.index ?? -1) + 1);
  }

  lastWave(gpu: number): LastWave | undefined {
    const wave = this.run.lastWaves[this.recorded(gpu)];
    return wave !== undefined && wave.slots > 0 ? wave : undefined;
  }

  /** Returns the number of a GPU's first wave, so that readers count from 1. */
  firstWave(gpu: number): number {
    const spans = this.lanes(gpu, LaneKind.gemmWaves)[0]?.spans;
    return spans !== undefined && spans.count > 0 ? Math.min(...spans.first.subarray(0, 4096)) : 0;
  }

  private has(gpu: number, kind: RowKind): boolean {
    if (kind === "queues") {
      const queues = [CounterKind.computeBacklog, CounterKind.communicationBacklog];
      return queues.some(queue => (this.counter(gpu, queue)?.most ?? 0) > 0);
    }
    const isThere = (one: Lane) => one.count > 0 || one.busy !== null;
    if (kind === "tracker")
      return (
        this.tracks(gpu, kind).length > 0 || this.lanes(gpu, LaneKind.tracker).some(one => one.busy !== null)
      );
    const lane = laneKinds[kind];
    return lane !== undefined && this.lanes(gpu, lane).some(isThere);
  }

  private rowOf(gpu: number, kind: RowKind, index: number, opened: ReadonlySet<string>): Row {
    const count = this.tracks(gpu, kind, index).length;
    let weight = weights[kind] ?? 1.3;
    if (kind === "reduce-scatter") weight = 0.6 + 0.75 * Math.min(count, 4);
    if (kind === "companion") weight = 0.6 + 0.7 * Math.min(count, 6);
    const label = kind === "reduce-scatter" ? this.run.scatter : (labels[kind] ?? `channel ${index}`);
    const openable = (details[kind] ?? []).some(detail =>
      detail === "dram-channel" ? this.tracks(gpu, "dram").length > 0 : this.has(gpu, detail),
    );
    return { kind, gpu, index, label, weight, openable, open: opened.has(`${gpu}/${kind}/${index}`) };
  }

  /** Returns the rows of all GPUs: one for each closed GPU, and for each open one a title, its lanes, and the details of
   * lanes that are open. `opened` has the keys of open rows. */
  rows(opened: ReadonlySet<string>): Row[] {
    const rows: Row[] = [];
    for (let gpu = 0; gpu < this.block.gpus; ++gpu) {
      const open = opened.has(`${gpu}/gpu/0`);
      if (this.block.gpus > 1)
        rows.push({
          kind: "gpu",
          gpu,
          index: 0,
          label: `GPU ${gpu}`,
          weight: open ? 0.9 : 1.5,
          openable: true,
          open,
        });
      if (!open && this.block.gpus > 1) continue;
      for (const kind of usualOrder) {
        if (!this.has(gpu, kind)) continue;
        const row = this.rowOf(gpu, kind, 0, opened);
        rows.push(row);
        if (!row.open) continue;
        for (const detail of details[kind] ?? []) {
          const count =
            detail === "dram-channel" ? this.tracks(gpu, "dram").length : this.has(gpu, detail) ? 1 : 0;
          for (let i = 0; i < count; ++i) rows.push(this.rowOf(gpu, detail, i, opened));
        }
      }
    }
    return rows;
  }

  private phasesOfRun(): Phase[] {
    const { block, run } = this;
    const first = block.phases[0];
    if (first === undefined) return [];
    // The times of a run whose GPUs differ last from the first GPU that begins a part to the last one that ends it.
    const joined = (start: keyof (typeof block.phases)[0], end: keyof (typeof block.phases)[0]): Interval => {
      const times = block.phases.filter(one => one[end] > one[start]);
      if (times.length === 0) return [0, 0];
      return [Math.min(...times.map(one => one[start])), Math.max(...times.map(one => one[end]))];
    };
    const companion: Interval = this.inCompany
      ? [this.companionBegin(), joined("start", "companionEnd")[1]]
      : [0, 0];
    return phasesOf(
      joined("start", "gemmEnd"),
      joined("reduceScatterStart", "reduceScatterEnd"),
      joined("allGatherStart", "allGatherEnd"),
      run.scatter,
      companion,
    );
  }

  /** Returns when the first span of the companion begins: a kernel that waits for room does not run yet. */
  private companionBegin(): number {
    let begin = this.end;
    for (const lane of this.block.lanes) {
      if (lane.kind !== LaneKind.workgroupSlot && lane.kind !== LaneKind.companion) continue;
      for (let i = 0; i < lane.spans.count && lane.spans.start[i]! < begin; ++i) {
        if (isOfCompanion(lane.spans, i)) begin = lane.spans.start[i]!;
      }
    }
    return begin;
  }
}

/** Divides a run by the intervals of GEMM, collectives and companion into phases, as the window does. */
export function phasesOf(
  gemm: Interval,
  reduceScatter: Interval,
  allGather: Interval,
  scatter: string,
  companion: Interval = [0, 0],
): Phase[] {
  const intervals = [gemm, reduceScatter, allGather, companion];
  const edges = [...new Set(intervals.flat())].sort((a, b) => a - b);
  const phases: Phase[] = [];
  for (let i = 0; i + 1 < edges.length; ++i) {
    const start = edges[i]!;
    const end = edges[i + 1]!;
    const covers = ([from, to]: Interval) => from <= start && end <= to && to > from;
    const beside = covers(companion);
    const named = (label: string) => (beside ? `${label}, beside the companion` : label);
    const only = (label: string) => (beside ? label : `${label} only`);
    const collective = covers(reduceScatter) ? scatter : covers(allGather) ? "all-gather" : "";
    if (covers(gemm) && collective !== "")
      phases.push({
        start,
        end,
        role: "overlapped",
        label: named(`GEMM and ${collective} at once`),
        brief: "at once",
      });
    else if (covers(gemm))
      phases.push({ start, end, role: "gemm", label: named(only("GEMM")), brief: "GEMM" });
    else if (collective !== "")
      phases.push({ start, end, role: "exposed", label: named(only(collective)), brief: "no GEMM" });
    else if (beside)
      phases.push({ start, end, role: "neutral", label: "companion only", brief: "companion" });
    else phases.push({ start, end, role: "neutral", label: "waiting", brief: "waiting" });
  }
  return phases;
}
