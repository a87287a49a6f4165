// From spans to device pixels. Positions are whole device pixels from the left edge of the picture, and a picture of a
// range has one item for each pixel and track at most.
import { type Counter, none, type Spans } from "./block";

/** The visible range of time and its width in device pixels. */
export interface View {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** The shortest visible range: 10 ns, less than a DRAM burst of the finest detail. */
export const shortestRange = 10_000;

export function xOf(view: View, ps: number): number {
  return ((ps - view.from) / (view.to - view.from)) * view.width;
}

export function timeAt(view: View, x: number): number {
  return view.from + Math.round((x / view.width) * (view.to - view.from));
}

/** Spans that do not overlap: all of a lane's, or those with the numbers in `picked`. */
export interface Track {
  readonly spans: Spans;
  readonly lane: number;
  readonly picked: Uint32Array | null;
}

export function lengthOf(track: Track): number {
  return track.picked === null ? track.spans.count : track.picked.length;
}

/** Returns the number, in its lane, of the i-th span of a track. */
export function spanOf(track: Track, i: number): number {
  return track.picked === null ? i : track.picked[i]!;
}

/** Returns the first i whose span ends after `ps`, from `low` on. In a track, spans end in the order in which they begin. */
export function firstEndingAfter(track: Track, ps: number, low = 0): number {
  const { end } = track.spans;
  let high = lengthOf(track);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (end[spanOf(track, middle)]! > ps) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Distributes the spans of a lane over as few tracks as possible; in a track, no spans overlap. */
export function pack(spans: Spans, lane: number, belongs?: (span: number) => boolean): Track[] {
  if (belongs === undefined && !spans.overlap) return spans.count > 0 ? [{ spans, lane, picked: null }] : [];
  const picked: number[][] = [];
  const until: number[] = [];
  for (let i = 0; i < spans.count; ++i) {
    if (belongs !== undefined && !belongs(i)) continue;
    let track = 0;
    while (track < until.length && until[track]! > spans.start[i]!) ++track;
    if (track === until.length) picked.push([]);
    picked[track]!.push(i);
    until[track] = spans.end[i]!;
  }
  return picked.map(numbers => ({ spans, lane, picked: Uint32Array.from(numbers) }));
}

/** A block of a picture: one span, or several that are narrower than a pixel. */
export interface Item {
  x: number;
  width: number;
  /** The first of its spans, by its number in the lane. */
  readonly span: number;
  merged: boolean;
}

/** Returns the items of a track: each pixel that a span touches has exactly one. Neighbouring pixels whose spans are
 * narrower than a pixel are one item; `groupOf` keeps spans of different groups apart. */
export function itemsOf(track: Track, view: View, groupOf?: (span: number) => number): Item[] {
  const { start, end } = track.spans;
  const count = lengthOf(track);
  const items: Item[] = [];
  let covered = 0;
  let last: Item | undefined;
  for (let i = firstEndingAfter(track, view.from); i < count; ) {
    const span = spanOf(track, i);
    if (start[span]! >= view.to) break;
    const begin = Math.max(0, Math.floor(xOf(view, start[span]!)));
    const stop = Math.min(view.width, Math.max(begin + 1, Math.ceil(xOf(view, end[span]!) - 1e-9)));
    const x = Math.max(begin, covered);
    if (stop <= x) {
      // Its only pixel has an item, which now stands for several spans.
      if (last !== undefined && last.width <= 1) last.merged = true;
      ++i;
      continue;
    }
    const narrow = stop - begin <= 1;
    const joins =
      narrow &&
      last !== undefined &&
      last.merged &&
      last.x + last.width === x &&
      (groupOf === undefined || groupOf(last.span) === groupOf(span));
    if (joins) {
      last!.width += stop - x;
    } else {
      last = { x, width: stop - x, span, merged: narrow };
      items.push(last);
    }
    covered = stop;
    // A span that ends before the next free pixel is covered: skip to the first that is not.
    i = narrow ? firstEndingAfter(track, timeAt(view, stop) - 1, i + 1) : i + 1;
  }
  return items;
}

/** Returns whether the visible spans have about three pixels each, so that each can be seen. */
export function areDistinguishable(tracks: readonly Track[], view: View): boolean {
  let visible = 0;
  for (const track of tracks) {
    const first = firstEndingAfter(track, view.from);
    visible += firstEndingAfter(track, view.to, first) - first;
  }
  return visible * 3 <= view.width * tracks.length;
}

/** The busy time of spans up to any time, as sums over equal buckets of the run; exact at the edges of the buckets. */
export class BusySums {
  readonly bucket: number;
  private readonly end: number;
  private readonly sums: Float64Array;

  constructor(end: number, spanCount: number, bucket?: number) {
    const buckets = Math.min(2 ** 15, Math.max(256, Math.ceil(spanCount / 4)));
    this.end = Math.max(1, end);
    this.bucket = bucket ?? Math.max(1, Math.ceil(end / buckets));
    this.sums = new Float64Array(Math.floor(end / this.bucket) + 2);
  }

  /** Returns the sums of lists of busy times in equal periods, as a page has them that has no spans. */
  static ofPeriods(end: number, bucket: number, lists: readonly Float64Array[]): BusySums {
    const sums = new BusySums(end, 0, bucket);
    for (const list of lists) {
      for (let i = 0; i < list.length; ++i) sums.sums[i]! += list[i]!;
    }
    return sums.finish();
  }

  add(start: number, end: number): void {
    const last = this.sums.length - 2;
    const from = Math.min(Math.floor(start / this.bucket), last);
    const to = Math.min(Math.floor(end / this.bucket), last);
    if (from === to) {
      this.sums[from]! += end - start;
      return;
    }
    this.sums[from]! += (from + 1) * this.bucket - start;
    this.sums[to]! += end - to * this.bucket;
    for (let i = from + 1; i < to; ++i) this.sums[i]! += this.bucket;
  }

  /** Call after the last add() and before the first until(). */
  finish(): this {
    let busy = 0;
    for (let i = 0; i < this.sums.length; ++i) {
      const own = this.sums[i]!;
      this.sums[i] = busy;
      busy += own;
    }
    return this;
  }

  until(ps: number): number {
    if (ps <= 0) return 0;
    const at = Math.floor(ps / this.bucket);
    if (ps >= this.end || at + 1 >= this.sums.length) return this.sums[this.sums.length - 1]!;
    const share = (ps - at * this.bucket) / Math.min(this.bucket, this.end - at * this.bucket);
    return this.sums[at]! + (this.sums[at + 1]! - this.sums[at]!) * share;
  }
}

/** Returns the busy time of tracks by group, for each group that has a span. */
export function sumsByGroup(
  tracks: readonly Track[],
  end: number,
  groupOf: (spans: Spans, span: number) => number,
): Map<number, BusySums> {
  const all = tracks.reduce((count, track) => count + lengthOf(track), 0);
  const groups = new Map<number, BusySums>();
  let last = Number.NaN;
  let sums = new BusySums(end, 0);
  for (const track of tracks) {
    const { spans } = track;
    const count = lengthOf(track);
    for (let i = 0; i < count; ++i) {
      const span = spanOf(track, i);
      const group = groupOf(spans, span);
      if (group !== last) {
        last = group;
        sums = groups.get(group) ?? new BusySums(end, all);
        groups.set(group, sums);
      }
      sums.add(spans.start[span]!, spans.end[span]!);
    }
  }
  for (const one of groups.values()) one.finish();
  return groups;
}

export function sumsOf(tracks: readonly Track[], end: number): BusySums {
  return sumsByGroup(tracks, end, () => 0).get(0) ?? new BusySums(end, 0).finish();
}

/** Returns the times at the edges of the pixel columns from `first` to `last`, which are inside the run. */
export interface Edges {
  readonly first: number;
  readonly times: Float64Array;
}

export function edgesOf(view: View, start: number, end: number): Edges {
  const first = Math.max(0, Math.floor(xOf(view, start)));
  const last = Math.min(view.width, Math.ceil(xOf(view, end)));
  const times = new Float64Array(Math.max(0, last - first) + 1);
  for (let i = 0; i < times.length; ++i) {
    const time = Math.max(0, timeAt(view, first + i));
    // At the highest zoom a pixel is shorter than a picosecond.
    times[i] = i > 0 ? Math.max(time, times[i - 1]! + 1) : time;
  }
  return { first, times };
}

/** Returns the busy time in each pixel column, summed over tracks. Reads the sums if a pixel is at least a bucket long,
 * else the spans; always the sums if there are no spans. */
export function busyColumns(
  tracks: readonly Track[],
  sums: BusySums,
  edges: Edges,
  counts?: (spans: Spans, span: number) => boolean,
): Float64Array {
  const { times } = edges;
  const columns = times.length - 1;
  const busy = new Float64Array(columns);
  if (columns > 0 && (tracks.length === 0 || sums.bucket <= (times[columns]! - times[0]!) / columns)) {
    let before = sums.until(times[0]!);
    for (let i = 0; i < columns; ++i) {
      const until = sums.until(times[i + 1]!);
      busy[i] = until - before;
      before = until;
    }
    return busy;
  }
  for (const track of tracks) {
    const { spans } = track;
    let column = 0;
    for (let i = firstEndingAfter(track, times[0]!); i < lengthOf(track); ++i) {
      const span = spanOf(track, i);
      const start = spans.start[span]!;
      const end = spans.end[span]!;
      if (start >= times[columns]!) break;
      if (counts !== undefined && !counts(spans, span)) continue;
      while (times[column + 1]! <= start) ++column;
      for (let at = column; at < columns && times[at]! < end; ++at)
        busy[at]! += Math.min(times[at + 1]!, end) - Math.max(times[at]!, start);
    }
  }
  return busy;
}

/** Returns the number of the last sample at or before `ps`; -1 before the first one. */
export function sampleAt(counter: Counter, ps: number): number {
  let low = 0;
  let high = counter.time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (counter.time[middle]! <= ps) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function valueAt(counter: Counter, ps: number): number {
  return counter.value[sampleAt(counter, ps)] ?? 0;
}

/** Lowest, mean and highest value of a counter in each pixel column. */
export interface ColumnValues {
  readonly low: Float64Array;
  readonly mean: Float64Array;
  readonly high: Float64Array;
}

export function valuesOf(counter: Counter, edges: Edges): ColumnValues {
  const { times } = edges;
  const columns = Math.max(0, times.length - 1);
  const values = {
    low: new Float64Array(columns),
    mean: new Float64Array(columns),
    high: new Float64Array(columns),
  };
  let sample = sampleAt(counter, times[0]!);
  const lows = counter.range?.low ?? counter.value;
  const highs = counter.range?.high ?? counter.value;
  let value = counter.value[sample] ?? 0;
  ++sample;
  for (let i = 0; i < columns; ++i) {
    let low = lows[sample - 1] ?? 0;
    let high = highs[sample - 1] ?? 0;
    let at = times[i]!;
    let area = 0;
    for (; sample < counter.time.length && counter.time[sample]! < times[i + 1]!; ++sample) {
      area += value * (counter.time[sample]! - at);
      at = counter.time[sample]!;
      value = counter.value[sample]!;
      low = Math.min(low, lows[sample]!);
      high = Math.max(high, highs[sample]!);
    }
    area += value * (times[i + 1]! - at);
    values.low[i] = low;
    values.mean[i] = area / (times[i + 1]! - times[i]!);
    values.high[i] = high;
  }
  return values;
}

/** Returns the span of a track that holds `ps`, by its number in the lane; `none` if there is none. */
export function spanAt(track: Track, ps: number): number {
  const i = firstEndingAfter(track, ps);
  if (i >= lengthOf(track)) return none;
  const span = spanOf(track, i);
  return track.spans.start[span]! <= ps ? span : none;
}
