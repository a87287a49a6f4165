import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LaneKind, readBlock, SpanKind } from "../player/block";
import { Causes } from "../player/causes";
import { edgesOf } from "../player/columns";
import type { PageRun } from "../player/document";
import { describeMoment, neighbour, type Place } from "../player/facts";
import {
  bytesText,
  countText,
  exactText,
  percentText,
  steadyText,
  timeText,
  timeTicks,
} from "../player/format";
import { momentOf, readFragment, writeFragment } from "../player/fragment";
import { Model, phasesOf } from "../player/model";
import { randomOf, sampleBlock } from "./sample";

test("numbers have the texts that Ringside writes", () => {
  const lines = readFileSync("tests/numbers.txt", "utf8").trimEnd().split("\n");
  assert.ok(lines.length > 200);
  for (const line of lines) {
    const cells = line.split("\t");
    const text = cells.pop()!;
    const [name, number, digits] = cells;
    const made =
      name === "time"
        ? timeText(Number(number), Number(digits))
        : name === "bytes"
          ? bytesText(Number(number))
          : percentText(Number(number));
    assert.equal(made, text, line);
  }
});

test("counts, exact times and clocks", () => {
  assert.equal(countText(2033057445), "2\u00a0033\u00a0057\u00a0445");
  assert.equal(exactText(999), "999\u00a0ps");
  assert.equal(steadyText(0, 2033057445), "0.0000\u00a0ms");
  assert.equal(steadyText(1500, 10_000), "1.500\u00a0ns");
});

test("ticks are round, in the range, and no more than asked for", () => {
  const random = randomOf(3);
  for (let round = 0; round < 500; ++round) {
    const from = Math.floor(random() * 1e9);
    const to = from + 10_000 + Math.floor(random() ** 3 * 1e12);
    const most = 1 + Math.floor(random() * 20);
    const ticks = timeTicks(from, to, most);
    assert.ok(ticks.length <= most + 1 && ticks.every(({ ps }) => ps >= from && ps <= to));
    assert.equal(new Set(ticks.map(tick => tick.text)).size, ticks.length, `${from} to ${to}`);
  }
  assert.deepEqual(
    timeTicks(0, 2e9, 4).map(tick => tick.text),
    ["0", "0.5\u00a0ms", "1.0\u00a0ms", "1.5\u00a0ms", "2.0\u00a0ms"],
  );
});

test("a fragment that is written is read again", () => {
  const place = { at: 1_200_000_007, from: 5, to: 2_000_000_000, gpu: 3, step: 4 };
  assert.deepEqual(readFragment(writeFragment(place), 2_033_057_445), place);
  assert.equal(writeFragment({}), "");
});

test("people's fragments are understood, and what is bad is ignored", () => {
  const end = 1_000_000_000;
  assert.deepEqual(readFragment("#at=0.5ms&from=20%25&to=30%25&gpu=3", end), {
    at: 500_000_000,
    from: 200_000_000,
    to: 300_000_000,
    gpu: 3,
  });
  for (const bad of [
    "#at=2ms",
    "#at=-1ps",
    "#at=1e3ps",
    "#at=soon",
    "#from=20%",
    "#from=3ns&to=1ns",
    "#gpu=x",
    "#step=-1",
    "#%%%",
    "#at=1&at",
    "#at=1%251",
  ])
    assert.deepEqual(readFragment(bad, end), {}, bad);
  assert.equal(momentOf("1.5 us", end), 1_500_000);
  assert.equal(momentOf("1.5 µs", end), 1_500_000);
  assert.equal(momentOf("constructor", end), undefined);
});

test("phases divide the run as in the window", () => {
  const phases = phasesOf([0, 600], [200, 800], [800, 1000], "reduce-scatter");
  assert.deepEqual(
    phases.map(({ start, end, role, label }) => [start, end, role, label]),
    [
      [0, 200, "gemm", "GEMM only"],
      [200, 600, "overlapped", "GEMM and reduce-scatter at once"],
      [600, 800, "exposed", "reduce-scatter only"],
      [800, 1000, "exposed", "all-gather only"],
    ],
  );
  assert.deepEqual(
    phasesOf([0, 50], [0, 0], [0, 0], "reduce-scatter", [20, 80]).map(phase => phase.label),
    ["GEMM only", "GEMM, beside the companion", "companion only"],
  );
});

test("causes add up to the time between two moments", () => {
  const { path } = readBlock(sampleBlock([], [0, 6, 0, 2]));
  const causes = new Causes(path, 11);
  assert.deepEqual([...causes.between(0, 40)].slice(0, 7), [20, 0, 10, 0, 0, 0, 10]);
  assert.deepEqual([...causes.between(5, 25)].slice(0, 7), [10, 0, 0, 0, 0, 0, 10]);
  assert.deepEqual(
    [0, 9, 10, 39, 40].map(ps => causes.stepAt(ps)),
    [0, 0, 1, 3, -1],
  );
  const view = { from: 0, to: 40, width: 8 };
  const columns = causes.columns(edgesOf(view, 0, 40), view);
  assert.equal(
    columns.reduce((a, b) => a + b, 0),
    40,
  );
  // A pixel that is shorter than a picosecond has the cause at its time.
  const close = { from: 12, to: 14, width: 8 };
  const zoomed = causes.columns(edgesOf(close, 0, 40), close);
  for (let i = 0; i < zoomed.length / 11; ++i) assert.ok(zoomed[i * 11 + 6]! > 0);
});

const run: PageRun = {
  name: "a run",
  link: null,
  draft: {},
  result: { time_ps: {}, experiment_hash: "" },
  block: "run-0",
  scatter: "reduce-scatter",
  feeds: false,
  headlines: [],
  lastWaves: [{ slots: 2, start: 500, end: 600, empty: [[1, 500]] }],
  kernels: ["GEMM", "reduce-scatter"],
};

const lanes = [
  {
    kind: LaneKind.gemmWaves,
    exclusive: false,
    spans: [
      { start: 0, end: 500, first: 0, second: 2, kind: SpanKind.gemmWave },
      { start: 500, end: 600, first: 1, second: 1, kind: SpanKind.gemmWave },
    ],
  },
  {
    kind: LaneKind.workgroupSlot,
    index: 0,
    spans: [
      { start: 0, end: 490, first: 7, second: 0 },
      { start: 500, end: 600, first: 9, second: 2 },
    ],
  },
  { kind: LaneKind.workgroupSlot, index: 1, spans: [{ start: 0, end: 500, first: 8, second: 1 }] },
  {
    kind: LaneKind.dma,
    index: 0,
    exclusive: false,
    spans: [
      { start: 100, end: 200, first: 4, second: 3, bytes: 8192, kind: SpanKind.dmaTransfer },
      { start: 150, end: 300, first: 5, second: 2, kind: SpanKind.dmaTransfer },
    ],
  },
];

test("rows, chunks and facts of a mirrored GPU", () => {
  const model = new Model(run, readBlock(sampleBlock(lanes)));
  const rows = model.rows(new Set(["0/gpu/0", "3/gpu/0", "3/compute/0"]));
  assert.deepEqual(
    rows.map(row => `${row.gpu} ${row.kind}`),
    ["0 gpu", "0 compute", "0 dma", "1 gpu", "2 gpu", "3 gpu", "3 compute", "3 slots", "3 dma"],
  );
  const dma = rows.find(row => row.gpu === 3 && row.kind === "dma")!;
  const facts = describeMoment(model, dma, 120, 0.5, 1, "short");
  assert.equal(facts.title, "GPU 3: DMA transfer of block 4, chunk 2");
  assert.deepEqual(facts.lines, [
    "100\u00a0ps to 200\u00a0ps, takes 100\u00a0ps",
    "8.19\u00a0kB",
    "1 under way, at most 2 in this run",
  ]);
  assert.equal(describeMoment(model, dma, 120, 0.5, 1, "exact").lines[1], "8\u00a0192\u00a0B");
  const slots = rows.find(row => row.kind === "slots")!;
  assert.equal(describeMoment(model, slots, 10, 0.75, 1, "short").title, "GPU 3: workgroup of tile 8");
  const compute = rows.find(row => row.gpu === 0 && row.kind === "compute")!;
  assert.deepEqual(describeMoment(model, compute, 550, 0.5, 1, "short").lines.slice(-1), [
    "1 of 2 slots stay empty in the last wave",
  ]);
  assert.equal(
    describeMoment(model, compute, 550, 0.5, 1, "short").title,
    "GPU 0: wave 2 of 2: 1 workgroups",
  );
});

test("the keyboard goes through all spans of a row in the order of time, and back", () => {
  const model = new Model(run, readBlock(sampleBlock(lanes)));
  const slots = model.rows(new Set(["0/gpu/0", "0/compute/0"])).find(row => row.kind === "slots")!;
  const visited: number[] = [];
  let place: Place | undefined = neighbour(model, slots, undefined, -1, 1);
  let last: Place | undefined;
  for (; place !== undefined; place = neighbour(model, slots, place, 0, 1)) {
    visited.push(place.track.spans.first[place.span]!);
    last = place;
  }
  assert.deepEqual(visited, [7, 8, 9]);
  const back: number[] = [];
  for (place = last; place !== undefined; place = neighbour(model, slots, place, 0, -1))
    back.push(place.track.spans.first[place.span]!);
  assert.deepEqual(back, [9, 8, 7]);
});
