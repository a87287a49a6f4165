import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, BlockError, checkLanes, LaneKind, readBlock, SpanKind } from "../player/block";
import { BusySums } from "../player/columns";
import { blockOf, numberBytes, sampleBlock, sampleParts } from "./sample";

const lanes = [
  {
    kind: LaneKind.dramChannel,
    index: 3,
    spans: [
      { start: 5, end: 9, first: 1, second: -1, bytes: 4096, kind: SpanKind.dramUpdate, peer: 2 },
      { start: 9, end: 9, first: 0, second: 7 },
      { start: 2 ** 53 - 4, end: 2 ** 53 - 1, first: 2 ** 32 - 2, second: 3 },
    ],
  },
  {
    kind: LaneKind.tracker,
    exclusive: false,
    spans: [
      { start: 0, end: 90 },
      { start: 10, end: 20 },
      { start: 10, end: 30 },
    ],
  },
];

/** Reads a block with all its spans. */
function readWhole(bytes: Uint8Array): Block {
  const block = readBlock(bytes);
  checkLanes(block);
  return block;
}

test("a block gives the lanes and the path that were written", () => {
  const block = readWhole(sampleBlock(lanes, [0, 6, 2]));
  assert.equal(block.lanes.length, 2);
  const [dram, tracker] = block.lanes;
  assert.equal(dram!.index, 3);
  assert.deepEqual([...dram!.spans.start], [5, 9, 2 ** 53 - 4]);
  assert.deepEqual([...dram!.spans.end], [9, 9, 2 ** 53 - 1]);
  assert.deepEqual([...dram!.spans.first], [1, 0, 2 ** 32 - 2]);
  assert.deepEqual([...dram!.spans.second], [-1, 7, 3]);
  assert.deepEqual([...dram!.spans.bytes], [4096, 0, 0]);
  assert.deepEqual([...dram!.spans.kind], [SpanKind.dramUpdate, 1, 1]);
  assert.deepEqual([...dram!.spans.peer], [2, 0, 0]);
  assert.deepEqual([...tracker!.spans.start], [0, 10, 10]);
  assert.deepEqual([...tracker!.spans.end], [90, 20, 30]);
  assert.deepEqual([...block.path.end], [10, 20, 30]);
  assert.deepEqual([...block.path.cause], [0, 6, 2]);
  assert.deepEqual(block.phases[0]?.gemmEnd, 600);
});

test("numbers of every size are read exactly", () => {
  const values = [
    0,
    -1,
    1,
    63,
    64,
    -64,
    -65,
    127,
    128,
    2 ** 31,
    -(2 ** 31),
    2 ** 32 + 1,
    2 ** 52 - 1,
    -(2 ** 52),
  ];
  const spans = values.map(first => ({ start: 0, end: 0, first }));
  const block = readWhole(sampleBlock([{ kind: LaneKind.stores, exclusive: false, spans }]));
  assert.deepEqual([...block.lanes[0]!.spans.first], values);
});

test("a block that is cut anywhere is refused, and never read beyond its end", () => {
  const whole = sampleBlock(lanes, [0, 6, 2]);
  for (let length = 0; length < whole.length; ++length)
    assert.throws(() => readWhole(whole.slice(0, length)), BlockError, `cut to ${length} bytes`);
  assert.throws(() => readWhole(Uint8Array.from([...whole, 0])), /left over/);
});

test("a block with any byte changed is read or refused, and nothing else", () => {
  const whole = sampleBlock(lanes, [0, 6, 2]);
  for (let at = 0; at < whole.length; ++at) {
    for (const change of [1, 64, 128, 255]) {
      const damaged = whole.slice();
      damaged[at] = damaged[at]! ^ change;
      try {
        readWhole(damaged);
      } catch (error) {
        assert.ok(error instanceof BlockError, `byte ${at}: ${error}`);
      }
    }
  }
});

test("a count that is larger than the block allocates nothing", () => {
  const { header, sections } = sampleParts(lanes);
  const [first] = header["lanes"] as { count: number; bytes: number[] }[];
  first!.count = 2 ** 40;
  assert.throws(() => readWhole(blockOf(header, sections)), /ends too early/);
  first!.bytes[0] = 2 ** 41;
  assert.throws(() => readWhole(blockOf(header, sections)), /ends too early/);
});

test("damages are named", () => {
  const refused = (change: (header: Record<string, unknown>) => void, message: RegExp) => {
    const { header, sections } = sampleParts(lanes);
    change(header);
    assert.throws(() => readWhole(blockOf(header, sections)), message);
  };
  const lane = (header: Record<string, unknown>) => (header["lanes"] as Record<string, unknown>[])[0]!;
  refused(header => delete header["end"], /^BlockError|end: a whole number/);
  refused(header => (header["recorded"] = 0), /recorded: 0 of 4 GPUs/);
  refused(header => (header["recorded"] = 2), /recorded: 2 of 4 GPUs/);
  refused(header => (header["lanes"] = {}), /lanes: a list is expected/);
  refused(header => (lane(header)["gpu"] = 1), /lanes\[0\]\.gpu: a whole number from 0 to 0/);
  refused(header => (lane(header)["kind"] = 13), /lanes\[0\]\.kind/);
  refused(header => (lane(header)["form"] = "film"), /lanes\[0\]\.form: unknown/);
  refused(header => (header["phases"] = [[1, 2]]), /phases: 8 times/);
  const { header, sections } = sampleParts(lanes);
  assert.throws(
    () => readWhole(blockOf(header, sections, 2)),
    /version 2 of a run block; this player reads 1/,
  );
  assert.throws(() => readWhole(Uint8Array.from([1, 2, 3])), /not a run block/);
});

test("spans out of the order of time are refused", () => {
  const backwards = [
    { start: 50, end: 60 },
    { start: 40, end: 45 },
  ];
  assert.throws(
    () => readWhole(sampleBlock([{ kind: LaneKind.dma, exclusive: false, spans: backwards }])),
    /order of time/,
  );
  assert.throws(
    () => readWhole(sampleBlock([{ kind: LaneKind.dma, spans: [{ start: 9, end: 5 }] }])),
    /order of time/,
  );
});

test("zigzag numbers of the sample are those of the format", () => {
  assert.deepEqual(numberBytes(0), [0]);
  assert.deepEqual(numberBytes(-1), [1]);
  assert.deepEqual(numberBytes(64), [128, 1]);
});

/** A lane that has the busy time of ten periods in place of its spans. */
function busyParts(change: (lane: Record<string, unknown>) => void = () => {}): Uint8Array {
  const { header, sections } = sampleParts([]);
  const times = [10, 10, 0, 5, 0, 0, 0, 0, 0, 100].flatMap((time, i, all) =>
    numberBytes(time - (all[i - 1] ?? 0)),
  );
  const lane = {
    gpu: 0,
    kind: LaneKind.loads,
    index: 0,
    exclusive: false,
    form: "busy",
    count: 7,
    most: 2,
    bucket: 100,
    buckets: 10,
    kernels: [0],
    bytes: [times.length],
  };
  change(lane);
  header["lanes"] = [lane];
  return blockOf(header, [...times, ...sections]);
}

test("busy time of periods is read", () => {
  const [lane] = readWhole(busyParts()).lanes;
  assert.equal(lane!.spans.count, 0);
  assert.deepEqual([...lane!.busy!.times[0]!], [10, 10, 0, 5, 0, 0, 0, 0, 0, 100]);
  assert.deepEqual([lane!.busy!.most, lane!.busy!.bucket, lane!.busy!.kernels], [2, 100, [0]]);
  const sums = BusySums.ofPeriods(1000, 100, lane!.busy!.times);
  assert.deepEqual(
    [0, 100, 150, 400, 1000, 2000].map(ps => sums.until(ps)),
    [0, 10, 15, 25, 125, 125],
  );
});

test("periods that do not make the run are refused", () => {
  assert.throws(() => readWhole(busyParts(lane => (lane["bucket"] = 99))), /10 periods of 99 ps/);
  assert.throws(() => readWhole(busyParts(lane => (lane["bucket"] = 0))), /periods/);
  assert.throws(() => readWhole(busyParts(lane => (lane["kernels"] = [0, 1]))), /columns are expected/);
});
