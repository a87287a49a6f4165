// Reads run blocks (data/page/run_block.h): a run's trace and critical path as bytes. Times are picoseconds as numbers,
// exact below 2^53.

/** Numbers of the kinds of lanes, in the order of engine::LaneKind. */
export const LaneKind = {
  gemmWaves: 0,
  workgroupSlot: 1,
  loads: 2,
  stores: 3,
  tracker: 4,
  dma: 5,
  linkOut: 6,
  linkIn: 7,
  dramChannel: 8,
  reduceScatter: 9,
  allGather: 10,
  landings: 11,
  companion: 12,
} as const;

/** Numbers of the kinds of spans, in the order of engine::SpanKind. */
export const SpanKind = {
  gemmWave: 0,
  workgroup: 1,
  load: 2,
  store: 3,
  trackedTile: 4,
  trigger: 5,
  dmaTransfer: 6,
  linkPacket: 7,
  dramRead: 8,
  dramWrite: 9,
  dramUpdate: 10,
  reduceScatterStep: 11,
  allGatherStep: 12,
  storeLanded: 13,
  arrivalLanded: 14,
  sumLanded: 15,
  collectiveWorkgroup: 16,
  companionStep: 17,
  companionTransfer: 18,
  companionPacket: 19,
  companionWave: 20,
  copy: 21,
  dramPass: 22,
} as const;

/** Numbers of the counters, in the order of engine::CounterKind. */
export const CounterKind = {
  computeBacklog: 0,
  communicationBacklog: 1,
  trackerEntries: 2,
  dmaQueue: 3,
  runningWorkgroups: 4,
  heldBytes: 5,
  cacheHits: 6,
  cacheMisses: 7,
  cacheWaiting: 8,
} as const;

/** Span.first or Span.second of a span that has no such number. */
export const none = -1;

/** The spans of one lane, as columns that are sorted by start, then end. */
export interface Spans {
  readonly count: number;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly bytes: Float64Array;
  readonly kind: Uint8Array;
  readonly peer: Uint8Array;
  /** Whether some spans begin before others have ended. */
  readonly overlap: boolean;
}

/** The busy time of a lane whose spans are not in the page, by kernel and period. */
export interface BusyPeriods {
  /** Spans that were under way at once at most. */
  readonly most: number;
  /** The length of a period; the last one may be shorter. */
  readonly bucket: number;
  readonly kernels: readonly number[];
  /** For each of `kernels`, the busy time in each period. */
  readonly times: readonly Float64Array[];
}

export interface Lane {
  readonly gpu: number;
  readonly kind: number;
  readonly index: number;
  readonly exclusive: boolean;
  readonly count: number;
  /** Empty if the lane has periods. Decoded when it is first asked for: throws BlockError if it is damaged. */
  readonly spans: Spans;
  readonly busy: BusyPeriods | null;
}

/** A step function: each value holds until the next time. Of a counter by period, the values are the means. */
export interface Counter {
  readonly gpu: number;
  readonly kind: number;
  readonly time: Float64Array;
  readonly value: Float64Array;
  readonly most: number;
  /** Of a counter by period: its lowest and highest value there; else null. */
  readonly range: { readonly low: Float64Array; readonly high: Float64Array } | null;
}

/** The critical path, as columns; step i begins where step i - 1 ends. */
export interface Path {
  readonly count: number;
  readonly end: Float64Array;
  readonly cause: Float64Array;
  readonly phase: Float64Array;
  readonly act: Float64Array;
  readonly gpu: Float64Array;
  readonly lane: Float64Array;
  readonly firstSpan: Float64Array;
  readonly lastSpan: Float64Array;
  readonly bytes: Float64Array;
}

/** When the parts of one GPU's work began and ended. */
export interface PhaseTimes {
  readonly start: number;
  readonly gemmEnd: number;
  readonly reduceScatterStart: number;
  readonly reduceScatterEnd: number;
  readonly allGatherStart: number;
  readonly allGatherEnd: number;
  readonly ownEnd: number;
  readonly companionEnd: number;
}

export interface Block {
  readonly end: number;
  readonly gpus: number;
  readonly recorded: number;
  readonly chunks: number;
  readonly mirrored: boolean;
  readonly companion: { readonly copies: number; readonly chunks: number };
  readonly phases: readonly PhaseTimes[];
  /** By recorded GPU: launched, landed and workgroups of each piece of the GEMM. */
  readonly pieces: readonly (readonly (readonly [number, number, number])[])[];
  readonly lanes: readonly Lane[];
  readonly counters: readonly Counter[];
  readonly path: Path;
}

/** Thrown for bytes that are no run block, or a damaged one. */
export class BlockError extends Error {}

const version = 1;
const fixedBytes = 9;
const exactBelow = 2 ** 53;
const mostKinds = { lane: 13, span: 23, counter: 9 };

/** Reads the columns of the sections one after the other. */
class Columns {
  private at: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Returns a reader of the next `length` bytes, and goes on behind them. */
  part(what: string, length: number): Columns {
    return new Columns(this.raw(what, length), 0);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Returns the numbers of a column that has `length` bytes. A number takes at least a byte, so that no damaged count
   * allocates more than the block's own size. */
  numbers(what: string, count: number, length: number): Float64Array {
    if (length > this.left || count > length) throw new BlockError(`${what}: the column ends too early`);
    const numbers = new Float64Array(count);
    const bytes = this.bytes;
    const end = this.at + length;
    let at = this.at;
    for (let i = 0; i < count; ++i) {
      let byte = at < end ? bytes[at++]! : 128;
      if (byte < 128) {
        numbers[i] = (byte & 1) === 1 ? -1 - (byte >> 1) : byte >> 1;
        continue;
      }
      const isNegative = byte % 2 === 1;
      let half = (byte & 127) >> 1;
      // Shifting would lose all bits above the 32nd, so that the number is multiplied.
      for (let scale = 64; byte >= 128; scale *= 128) {
        if (at >= end) throw new BlockError(`${what}: number ${i} is damaged`);
        byte = bytes[at++]!;
        half += (byte & 127) * scale;
        if (half >= exactBelow) throw new BlockError(`${what}: number ${i} is too large`);
      }
      numbers[i] = isNegative ? -half - 1 : half;
    }
    if (at !== end) throw new BlockError(`${what}: bytes are left over`);
    this.at = end;
    return numbers;
  }

  sums(what: string, count: number, length: number): Float64Array {
    const numbers = this.numbers(what, count, length);
    for (let i = 1; i < count; ++i) numbers[i]! += numbers[i - 1]!;
    return numbers;
  }

  raw(what: string, length: number): Uint8Array {
    if (length > this.left) throw new BlockError(`${what}: the column ends too early`);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

type Json = { readonly [key: string]: unknown };

function objectOf(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BlockError(`${what}: an object is expected`);
  return value as Json;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BlockError(`${what}: a list is expected`);
  return value;
}

function wholeOf(value: unknown, what: string, most = exactBelow - 1): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > most)
    throw new BlockError(`${what}: a whole number from 0 to ${most} is expected`);
  return value;
}

function flagOf(value: unknown, what: string): boolean {
  if (typeof value !== "boolean") throw new BlockError(`${what}: true or false is expected`);
  return value;
}

function lengthsOf(section: Json, columns: number, what: string): number[] {
  const lengths = listOf(section["bytes"], `${what}.bytes`).map(length => wholeOf(length, `${what}.bytes`));
  if (lengths.length !== columns) throw new BlockError(`${what}.bytes: ${columns} columns are expected`);
  return lengths;
}

function readSpans(
  columns: Columns,
  count: number,
  lengths: readonly number[],
  exclusive: boolean,
  what: string,
): Spans {
  const start = columns.numbers(`${what}.start`, count, lengths[0]!);
  const end = columns.numbers(`${what}.length`, count, lengths[1]!);
  const first = columns.sums(`${what}.first`, count, lengths[2]!);
  const second = columns.sums(`${what}.second`, count, lengths[3]!);
  const bytes = columns.numbers(`${what}.bytes`, count, lengths[4]!);
  const pairs = columns.raw(`${what}.kind`, lengths[5]!);
  if (pairs.length !== 2 * count) throw new BlockError(`${what}.kind: two bytes for each span are expected`);
  const kind = new Uint8Array(count);
  const peer = new Uint8Array(count);
  let before = 0;
  let sorted = 0;
  let latest = 0;
  let overlap = false;
  for (let i = 0; i < count; ++i) {
    const begins = before + start[i]!;
    const ends = begins + end[i]!;
    if (!(begins >= sorted && ends >= begins && ends < exactBelow))
      throw new BlockError(`${what}: span ${i} is not in the order of time`);
    start[i] = sorted = begins;
    end[i] = ends;
    before = exclusive ? ends : begins;
    overlap ||= begins < latest;
    latest = Math.max(latest, ends);
    kind[i] = pairs[2 * i]!;
    peer[i] = pairs[2 * i + 1]!;
    if (kind[i]! >= mostKinds.span) throw new BlockError(`${what}: span ${i} is of an unknown kind`);
  }
  return { count, start, end, first, second, bytes, kind, peer, overlap };
}

const noSpans: Spans = {
  count: 0,
  start: new Float64Array(),
  end: new Float64Array(),
  first: new Float64Array(),
  second: new Float64Array(),
  bytes: new Float64Array(),
  kind: new Uint8Array(),
  peer: new Uint8Array(),
  overlap: false,
};

/** Reads the equal periods into which a section divides the run. */
function periodsOf(section: Json, end: number, what: string): { bucket: number; buckets: number } {
  const buckets = wholeOf(section["buckets"], `${what}.buckets`);
  const bucket = wholeOf(section["bucket"], `${what}.bucket`);
  if (bucket < 1 || buckets !== Math.max(1, Math.ceil(end / bucket)))
    throw new BlockError(`${what}: ${buckets} periods of ${bucket} ps do not make a run of ${end} ps`);
  return { bucket, buckets };
}

function readBusy(columns: Columns, section: Json, end: number, what: string): BusyPeriods {
  const { bucket, buckets } = periodsOf(section, end, what);
  const kernels = listOf(section["kernels"], `${what}.kernels`).map(kernel =>
    wholeOf(kernel, `${what}.kernels`, 257),
  );
  const lengths = lengthsOf(section, kernels.length, what);
  const times = lengths.map(length => columns.sums(`${what}.times`, buckets, length));
  if (times.some(list => list.some(time => !(time >= 0))))
    throw new BlockError(`${what}: a busy time is negative`);
  return { most: wholeOf(section["most"], `${what}.most`), bucket, kernels, times };
}

function readLane(columns: Columns, section: Json, recorded: number, runEnd: number, what: string): Lane {
  const exclusive = flagOf(section["exclusive"], `${what}.exclusive`);
  const form = section["form"];
  if (form !== "spans" && form !== "busy") throw new BlockError(`${what}.form: unknown`);
  const lane = {
    gpu: wholeOf(section["gpu"], `${what}.gpu`, recorded - 1),
    kind: wholeOf(section["kind"], `${what}.kind`, mostKinds.lane - 1),
    index: wholeOf(section["index"], `${what}.index`),
    exclusive,
  };
  if (form === "busy")
    return { ...lane, count: 0, spans: noSpans, busy: readBusy(columns, section, runEnd, what) };
  const count = wholeOf(section["count"], `${what}.count`);
  const lengths = lengthsOf(section, 6, what);
  const own = columns.part(
    what,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  let spans: Spans | undefined;
  return {
    ...lane,
    count,
    get spans() {
      spans ??= readSpans(own, count, lengths, exclusive, what);
      return spans;
    },
    busy: null,
  };
}

/** Decodes all lanes of a block. Throws BlockError if one is damaged. */
export function checkLanes(block: Block): void {
  for (const lane of block.lanes) void lane.spans;
}

function readCounterPeriods(
  columns: Columns,
  section: Json,
  end: number,
  what: string,
): Omit<Counter, "gpu" | "kind"> {
  const { bucket, buckets } = periodsOf(section, end, what);
  const lengths = lengthsOf(section, 3, what);
  const low = columns.sums(`${what}.low`, buckets, lengths[0]!);
  const value = columns.numbers(`${what}.mean`, buckets, lengths[1]!);
  const high = columns.numbers(`${what}.high`, buckets, lengths[2]!);
  let most = 0;
  for (let i = 0; i < buckets; ++i) {
    value[i]! += low[i]!;
    high[i]! += value[i]!;
    most = Math.max(most, high[i]!);
  }
  return {
    time: Float64Array.from({ length: buckets }, (_, i) => i * bucket),
    value,
    most,
    range: { low, high },
  };
}

function readSamples(columns: Columns, section: Json, what: string): Omit<Counter, "gpu" | "kind"> {
  const count = wholeOf(section["count"], `${what}.count`);
  const lengths = lengthsOf(section, 2, what);
  const time = columns.sums(`${what}.time`, count, lengths[0]!);
  const value = columns.sums(`${what}.value`, count, lengths[1]!);
  let most = 0;
  for (let i = 0; i < count; ++i) {
    if (i > 0 && !(time[i]! >= time[i - 1]!))
      throw new BlockError(`${what}: sample ${i} is not in the order of time`);
    most = Math.max(most, value[i]!);
  }
  return { time, value, most, range: null };
}

function readCounter(columns: Columns, section: Json, recorded: number, end: number, what: string): Counter {
  const form = section["form"];
  if (form !== "samples" && form !== "periods") throw new BlockError(`${what}.form: unknown`);
  return {
    gpu: wholeOf(section["gpu"], `${what}.gpu`, recorded - 1),
    kind: wholeOf(section["kind"], `${what}.kind`, mostKinds.counter - 1),
    ...(form === "samples"
      ? readSamples(columns, section, what)
      : readCounterPeriods(columns, section, end, what)),
  };
}

function readPath(columns: Columns, section: Json): Path {
  const what = "path";
  const count = wholeOf(section["count"], `${what}.count`);
  const lengths = lengthsOf(section, 9, what);
  const path = {
    count,
    end: columns.sums(`${what}.end`, count, lengths[0]!),
    cause: columns.numbers(`${what}.cause`, count, lengths[1]!),
    phase: columns.numbers(`${what}.phase`, count, lengths[2]!),
    act: columns.numbers(`${what}.act`, count, lengths[3]!),
    gpu: columns.numbers(`${what}.gpu`, count, lengths[4]!),
    lane: columns.sums(`${what}.lane`, count, lengths[5]!),
    firstSpan: columns.sums(`${what}.first`, count, lengths[6]!),
    lastSpan: columns.sums(`${what}.last`, count, lengths[7]!),
    bytes: columns.numbers(`${what}.bytes`, count, lengths[8]!),
  };
  for (let i = 0; i < count; ++i) {
    if (!(path.end[i]! >= (i > 0 ? path.end[i - 1]! : 0)))
      throw new BlockError(`${what}: step ${i} is not in the order of time`);
  }
  return path;
}

function readPhases(value: unknown): PhaseTimes[] {
  return listOf(value, "phases").map(entry => {
    const times = listOf(entry, "phases").map(time => wholeOf(time, "phases"));
    if (times.length !== 8) throw new BlockError("phases: 8 times are expected");
    return {
      start: times[0]!,
      gemmEnd: times[1]!,
      reduceScatterStart: times[2]!,
      reduceScatterEnd: times[3]!,
      allGatherStart: times[4]!,
      allGatherEnd: times[5]!,
      ownEnd: times[6]!,
      companionEnd: times[7]!,
    };
  });
}

function readPieces(value: unknown): [number, number, number][][] {
  return listOf(value, "pieces").map(ofGpu =>
    listOf(ofGpu, "pieces").map(entry => {
      const numbers = listOf(entry, "pieces").map(number => wholeOf(number, "pieces"));
      if (numbers.length !== 3) throw new BlockError("pieces: 3 numbers are expected");
      return [numbers[0]!, numbers[1]!, numbers[2]!];
    }),
  );
}

function readHeader(bytes: Uint8Array): { header: Json; end: number } {
  if (bytes.length < fixedBytes || String.fromCharCode(...bytes.subarray(0, 4)) !== "RSRB")
    throw new BlockError("not a run block");
  if (bytes[4] !== version)
    throw new BlockError(`version ${bytes[4]} of a run block; this player reads ${version}`);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(5, true);
  if (length > bytes.length - fixedBytes) throw new BlockError("the header ends too early");
  const end = fixedBytes + length;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(fixedBytes, end));
    return { header: objectOf(JSON.parse(text), "header"), end };
  } catch (error) {
    throw error instanceof BlockError ? error : new BlockError("the header is damaged");
  }
}

/** Reads a run block, its spans apart, which checkLanes() reads. Throws BlockError, and allocates no more than a few times
 * the bytes of the block. */
export function readBlock(bytes: Uint8Array): Block {
  const { header, end } = readHeader(bytes);
  const recorded = wholeOf(header["recorded"], "recorded");
  const gpus = wholeOf(header["gpus"], "gpus");
  const mirrored = flagOf(header["mirrored"], "mirrored");
  if (recorded < 1 || recorded > gpus || (mirrored && recorded !== 1))
    throw new BlockError(`recorded: ${recorded} of ${gpus} GPUs`);
  const columns = new Columns(bytes, end);
  const runEnd = wholeOf(header["end"], "end");
  const companion = objectOf(header["companion"], "companion");
  const block = {
    end: runEnd,
    gpus,
    recorded,
    chunks: wholeOf(header["chunks"], "chunks"),
    mirrored,
    companion: {
      copies: wholeOf(companion["copies"], "companion.copies"),
      chunks: wholeOf(companion["chunks"], "companion.chunks"),
    },
    phases: readPhases(header["phases"]),
    pieces: readPieces(header["pieces"]),
    lanes: listOf(header["lanes"], "lanes").map((lane, i) =>
      readLane(columns, objectOf(lane, `lanes[${i}]`), recorded, runEnd, `lanes[${i}]`),
    ),
    counters: listOf(header["counters"], "counters").map((counter, i) =>
      readCounter(columns, objectOf(counter, `counters[${i}]`), recorded, runEnd, `counters[${i}]`),
    ),
    path: readPath(columns, objectOf(header["path"], "path")),
  };
  if (columns.left > 0) throw new BlockError("bytes are left over after the sections");
  return block;
}
