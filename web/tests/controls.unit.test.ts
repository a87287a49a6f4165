import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Control,
  changedDocument,
  checksum,
  settingsText,
  sliderSteps,
  stepOf,
  valueAtStep,
  valueText,
} from "../player/controls";

const bandwidth: Control = {
  path: "link.bandwidth",
  label: "Bandwidth per direction",
  meaning: "",
  value: 150e9,
  text: "150 GB/s",
  least: 18.75e9,
  most: 1200e9,
  whole: true,
  units: [
    ["TB/s", 1e12],
    ["GB/s", 1e9],
    ["MB/s", 1e6],
    ["B/s", 1],
  ],
};

test("a slider has its own value in the middle, its ends at its ends, and rises", () => {
  assert.equal(valueAtStep(bandwidth, stepOf(bandwidth, 150e9)), 150e9);
  assert.equal(stepOf(bandwidth, 150e9), sliderSteps / 2);
  assert.equal(valueAtStep(bandwidth, sliderSteps), 1200e9);
  assert.ok(valueAtStep(bandwidth, 0) >= 18.75e9);
  for (let step = 1; step <= sliderSteps; ++step)
    assert.ok(valueAtStep(bandwidth, step) >= valueAtStep(bandwidth, step - 1), `step ${step}`);
});

test("values that must be whole or powers of two are", () => {
  const count: Control = { ...bandwidth, value: 3, text: "3", least: 1, most: 24, units: [] };
  const power: Control = { ...bandwidth, value: 64, text: "64", least: 8, most: 512, power: true, units: [] };
  for (let step = 0; step <= sliderSteps; ++step) {
    assert.ok(Number.isInteger(valueAtStep(count, step)));
    assert.ok(Number.isInteger(Math.log2(valueAtStep(power, step))));
  }
});

test("texts are exact, and as Ringside writes them where nothing was changed", () => {
  assert.equal(valueText(bandwidth, 150e9), "150 GB/s");
  assert.equal(valueText(bandwidth, 300e9), "300 GB/s");
  assert.equal(valueText(bandwidth, 1200e9), "1.2 TB/s");
  assert.equal(valueText(bandwidth, 18.75e9), "18.75 GB/s");
  assert.equal(valueText(bandwidth, 123456789012), "123456789012 B/s");
  assert.equal(valueText({ ...bandwidth, value: "t3" }, "t3-mca"), "t3-mca");
  assert.equal(valueText({ ...bandwidth, units: [[":1", 1]] }, 4), "4:1");
});

test("changes are set in a copy of the document, also in groups that it lacks", () => {
  const document = { format: "ringside-experiment", link: { latency: "1 us" } };
  const changes = new Map<string, number | string>([
    ["link.bandwidth", 3e11],
    ["policy.preset", "t3"],
  ]);
  assert.deepEqual(changedDocument(document, changes), {
    format: "ringside-experiment",
    link: { latency: "1 us", bandwidth: 3e11 },
    policy: { preset: "t3" },
  });
  assert.deepEqual(document, { format: "ringside-experiment", link: { latency: "1 us" } });
  assert.equal(settingsText([bandwidth], changes), "--set link.bandwidth=300GB/s --set policy.preset=t3");
});

test("the checksum of a link is CRC-32", () => {
  assert.equal(checksum("123456789"), "cbf43926");
  assert.equal(checksum(""), "00000000");
});
