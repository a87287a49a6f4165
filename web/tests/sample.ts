// Makes run blocks for tests, as data/page/run_block writes them.

export interface SampleSpan {
  start: number;
  end: number;
  first?: number;
  second?: number;
  bytes?: number;
  kind?: number;
  peer?: number;
}

export interface SampleLane {
  gpu?: number;
  kind: number;
  index?: number;
  exclusive?: boolean;
  spans: SampleSpan[];
}

/** Writes a number as zigzag LEB128. */
export function numberBytes(value: number): number[] {
  let bits = BigInt(value) < 0n ? -2n * BigInt(value) - 1n : 2n * BigInt(value);
  const bytes: number[] = [];
  for (; bits >= 128n; bits >>= 7n) bytes.push(Number(bits & 127n) | 128);
  bytes.push(Number(bits));
  return bytes;
}

function differences(numbers: number[]): number[] {
  return numbers.map((number, i) => number - (i > 0 ? numbers[i - 1]! : 0));
}

function columns(...lists: number[][]): { lengths: number[]; bytes: number[] } {
  const packed = lists.map(list => list.flatMap(numberBytes));
  return { lengths: packed.map(list => list.length), bytes: packed.flat() };
}

/** Returns the bytes of a header and sections. */
export function blockOf(header: unknown, sections: number[], version = 1): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = [0, 8, 16, 24].map(shift => (text.length >>> shift) & 255);
  return Uint8Array.from([...new TextEncoder().encode("RSRB"), version, ...length, ...text, ...sections]);
}

/** Returns header and sections of a run with these lanes; the path has a step for each of `causes`, of 10 ps. */
export function sampleParts(
  lanes: SampleLane[],
  causes: number[] = [],
  end = 1000,
): { header: Record<string, unknown>; sections: number[] } {
  const sections: number[] = [];
  const laneHeaders = lanes.map(lane => {
    const exclusive = lane.exclusive ?? true;
    const before = (i: number) =>
      i === 0 ? 0 : exclusive ? lane.spans[i - 1]!.end : lane.spans[i - 1]!.start;
    const { lengths, bytes } = columns(
      lane.spans.map((span, i) => span.start - before(i)),
      lane.spans.map(span => span.end - span.start),
      differences(lane.spans.map(span => span.first ?? 0)),
      differences(lane.spans.map(span => span.second ?? -1)),
      lane.spans.map(span => span.bytes ?? 0),
    );
    const kinds = lane.spans.flatMap(span => [span.kind ?? 1, span.peer ?? 0]);
    sections.push(...bytes, ...kinds);
    return {
      gpu: lane.gpu ?? 0,
      kind: lane.kind,
      index: lane.index ?? 0,
      exclusive,
      form: "spans",
      count: lane.spans.length,
      bytes: [...lengths, kinds.length],
    };
  });
  const zeros = causes.map(() => 0);
  const path = columns(
    causes.map(() => 10),
    causes,
    zeros,
    zeros,
    zeros,
    zeros,
    zeros,
    zeros,
    zeros,
  );
  sections.push(...path.bytes);
  const header = {
    end,
    gpus: 4,
    recorded: 1,
    chunks: 4,
    mirrored: true,
    output: { rows: 1, columns: 1, rowsAreOuter: true, tiles: 1 },
    companion: { copies: 0, chunks: 0 },
    phases: [[0, 600, 200, 800, 800, end, end, 0]],
    pieces: [],
    lanes: laneHeaders,
    counters: [],
    path: { count: causes.length, bytes: path.lengths },
  };
  return { header, sections };
}

export function sampleBlock(lanes: SampleLane[], causes: number[] = [], end = 1000): Uint8Array {
  const { header, sections } = sampleParts(lanes, causes, end);
  return blockOf(header, sections);
}

/** A small generator of random numbers, the same in each run. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
