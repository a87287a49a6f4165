import assert from "node:assert/strict";
import { test } from "node:test";
import { LaneKind, readBlock } from "../player/block";
import {
  areDistinguishable,
  busyColumns,
  edgesOf,
  itemsOf,
  lengthOf,
  pack,
  spanAt,
  spanOf,
  sumsOf,
  type Track,
  type View,
  valuesOf,
  xOf,
} from "../player/columns";
import { randomOf, type SampleSpan, sampleBlock } from "./sample";

const end = 1_000_000;

function trackOf(spans: SampleSpan[]): Track {
  const block = readBlock(sampleBlock([{ kind: LaneKind.dma, exclusive: false, spans }], [], end));
  return { spans: block.lanes[0]!.spans, lane: 0, picked: null };
}

/** Spans that do not overlap, some of them instants, some of them dense. */
function randomSpans(random: () => number, count: number): SampleSpan[] {
  const spans: SampleSpan[] = [];
  let at = Math.floor(random() * 2000);
  for (let i = 0; i < count; ++i) {
    const length = random() < 0.1 ? 0 : Math.floor(random() ** 3 * (random() < 0.1 ? 40_000 : 1500));
    if (at + length > end) break;
    spans.push({ start: at, end: at + length, first: i });
    at += length + (random() < 0.5 ? 0 : Math.floor(random() ** 2 * 6000));
  }
  return spans;
}

test("in 1,000 random ranges, exactly the pixels that spans touch have an item", () => {
  const random = randomOf(47);
  for (let round = 0; round < 1000; ++round) {
    const track = trackOf(randomSpans(random, 1 + Math.floor(random() * 300)));
    const from = Math.floor(random() * end * 0.9);
    const view: View = {
      from,
      to: from + 200 + Math.floor(random() ** 2 * (end - from - 200)),
      width: 1 + Math.floor(random() * 900),
    };
    const wanted = new Uint8Array(view.width);
    for (let i = 0; i < lengthOf(track); ++i) {
      const span = spanOf(track, i);
      const start = track.spans.start[span]!;
      const stop = track.spans.end[span]!;
      // An instant at the left edge has ended before the range begins.
      if (stop <= view.from || start >= view.to) continue;
      const first = Math.max(0, Math.floor(xOf(view, start)));
      const last = Math.min(view.width, Math.max(first + 1, Math.ceil(xOf(view, stop) - 1e-9)));
      wanted.fill(1, first, last);
    }
    const found = new Uint8Array(view.width);
    for (const item of itemsOf(track, view)) {
      for (let x = item.x; x < item.x + item.width; ++x) {
        assert.equal(found[x], 0, `round ${round}: pixel ${x} has two items`);
        found[x] = 1;
      }
    }
    assert.deepEqual(found, wanted, `round ${round}`);
  }
});

test("the busy time of columns adds up to that of the spans, with sums and without", () => {
  const random = randomOf(11);
  for (let round = 0; round < 200; ++round) {
    const track = trackOf(randomSpans(random, 2000));
    const sums = sumsOf([track], end);
    const from = round % 2 === 0 ? 0 : Math.floor(random() * end * 0.9);
    const view = { from, to: round % 2 === 0 ? end : from + 2000, width: 500 };
    const edges = edgesOf(view, 0, end);
    const busy = busyColumns([track], sums, edges);
    let exact = 0;
    const first = edges.times[0]!;
    const last = edges.times[edges.times.length - 1]!;
    for (let i = 0; i < track.spans.count; ++i)
      exact += Math.max(0, Math.min(last, track.spans.end[i]!) - Math.max(first, track.spans.start[i]!));
    const sum = busy.reduce((a, b) => a + b, 0);
    // Sums are exact at the edges of buckets: between them they are interpolated, at both ends of the range.
    const allowed = sums.bucket <= (last - first) / busy.length ? 2 * sums.bucket : 1e-6;
    assert.ok(Math.abs(sum - exact) <= allowed, `round ${round}: ${sum} in columns, ${exact} in spans`);
    busy.forEach((time, i) => {
      assert.ok(
        time >= 0 && time <= edges.times[i + 1]! - edges.times[i]! + 1e-6,
        `column ${i} of round ${round}`,
      );
    });
  }
});

test("sums over the whole run are exact", () => {
  const track = trackOf([
    { start: 0, end: 10 },
    { start: 999_000, end },
  ]);
  assert.equal(sumsOf([track], end).until(end), 1010);
});

test("spans that overlap are packed into the fewest tracks, and each is in one", () => {
  const { spans } = trackOf([
    { start: 0, end: 100 },
    { start: 10, end: 20 },
    { start: 15, end: 30 },
    { start: 20, end: 25 },
    { start: 100, end: 110 },
  ]);
  const tracks = pack(spans, 0);
  assert.deepEqual(
    tracks.map(track => [...track.picked!]),
    [[0, 4], [1, 3], [2]],
  );
  assert.deepEqual(
    pack(spans, 0, span => span > 2).map(track => [...track.picked!]),
    [[3, 4]],
  );
  assert.equal(pack(trackOf([{ start: 0, end: 5 }]).spans, 0)[0]!.picked, null);
  assert.equal(pack(trackOf([]).spans, 0).length, 0);
});

test("a span holds its start and not its end", () => {
  const track = trackOf([
    { start: 10, end: 20 },
    { start: 20, end: 30 },
  ]);
  assert.deepEqual(
    [9, 10, 19, 20, 29, 30].map(ps => spanAt(track, ps)),
    [-1, 0, 0, 1, 1, -1],
  );
});

test("blocks are drawn only where each has three pixels", () => {
  const spans = Array.from({ length: 100 }, (_, i) => ({ start: i * 100, end: i * 100 + 50 }));
  const track = trackOf(spans);
  assert.equal(areDistinguishable([track], { from: 0, to: 10_000, width: 300 }), true);
  assert.equal(areDistinguishable([track], { from: 0, to: 10_000, width: 299 }), false);
  assert.equal(areDistinguishable([track], { from: 0, to: 1000, width: 31 }), true);
});

test("a counter has its lowest, mean and highest value in each column", () => {
  const counter = {
    gpu: 0,
    kind: 0,
    time: Float64Array.from([0, 150, 160, 300]),
    value: Float64Array.from([4, 10, 2, 8]),
    most: 10,
    range: null,
  };
  const edges = { first: 0, times: Float64Array.from([0, 100, 200, 400]) };
  const { low, mean, high } = valuesOf(counter, edges);
  assert.deepEqual([...low], [4, 2, 2]);
  assert.deepEqual([...high], [4, 10, 8]);
  assert.deepEqual([...mean], [4, (4 * 50 + 10 * 10 + 2 * 40) / 100, (2 * 100 + 8 * 100) / 200]);
});

test("a counter by period keeps its lowest and highest values", () => {
  const counter = {
    gpu: 0,
    kind: 0,
    time: Float64Array.from([0, 100]),
    value: Float64Array.from([4, 8]),
    most: 12,
    range: { low: Float64Array.from([1, 8]), high: Float64Array.from([9, 12]) },
  };
  const { low, mean, high } = valuesOf(counter, { first: 0, times: Float64Array.from([0, 50, 150, 200]) });
  assert.deepEqual([...low], [1, 1, 8]);
  assert.deepEqual([...mean], [4, 6, 8]);
  assert.deepEqual([...high], [9, 12, 12]);
});
