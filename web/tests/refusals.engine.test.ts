// The web engine answers any request: it never traps, and it goes on as before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blockSizeOf, Engine, type Facts, factsOf, nativeAnswers } from "./engine";

type Group = Record<string, string | number>;

function documentOf(groups: Record<string, Group>): string {
  return JSON.stringify({ format: "ringside-experiment", version: 1, ...groups });
}

const small = {
  workload: { model: "t-nlg", sublayer: "fc-2", hidden: 512, sequence: 2048, batch: 1 },
  parallel: { tp: 4 },
  detail: { level: "interactive" },
};
const good = documentOf({ ...small, policy: { preset: "t3" } });

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Checks that the answers are those of the native engine and that the engine works afterwards; returns their JSON. */
async function answersTo(requests: Uint8Array[]): Promise<Facts[]> {
  const engine = new Engine();
  const before = engine.answer(bytesOf(good));
  assert.ok(blockSizeOf(before) > 0);
  const answers: Facts[] = [];
  for await (const { request, answer: native } of nativeAnswers(["requests"], requests)) {
    const answer = engine.answer(request);
    const shown = Buffer.from(request.subarray(0, 200)).toString("latin1");
    assert.ok(Buffer.compare(answer, native) === 0, `another answer than native to ${shown}`);
    answers.push(factsOf(answer));
  }
  assert.equal(answers.length, requests.length);
  assert.deepEqual(engine.answer(bytesOf(good)), before);
  return answers;
}

/** Checks that all requests are refused, with sentences; returns those of the first problems. */
async function sentencesFor(requests: Uint8Array[]): Promise<string[]> {
  return (await answersTo(requests)).map((facts, i) => {
    const shown = Buffer.from(requests[i]!.subarray(0, 200)).toString("latin1");
    assert.deepEqual(Object.keys(facts), ["problems"], shown);
    assert.ok(facts.problems!.length > 0, shown);
    for (const problem of facts.problems!) assert.ok(problem.text.length > 0, shown);
    return `${facts.problems![0]!.path} ${facts.problems![0]!.text}`;
  });
}

test("a text that is no experiment is refused", async () => {
  const deep = 200_000;
  const texts = [
    "",
    " ",
    "null",
    "[]",
    "{}",
    "17",
    '"text"',
    "\u0000",
    "{".repeat(deep),
    "[".repeat(deep) + "]".repeat(deep),
    '{"a":'.repeat(deep),
    `{"format":"ringside-experiment","version":1,"workload":${"[".repeat(deep)}`,
    '{"format":"ringside-sweep","version":1}',
    '{"format":"ringside-experiment","version":2}',
    '{"format":"ringside-experiment","version":1,"link":{"bandwidth":1e999}}',
    "x".repeat(20_000_000),
  ];
  await sentencesFor([
    ...texts.map(bytesOf),
    Uint8Array.of(0xff, 0xfe, 0x7b),
    Uint8Array.of(0x7b, 0x22, 0xc3, 0x22),
  ]);
});

test("a document that ends early is refused", async () => {
  const whole = bytesOf(good);
  await sentencesFor(Array.from({ length: whole.length - 1 }, (_, i) => whole.subarray(0, i)));
});

test("unknown keys and wrong values are refused, and the problem names them", async () => {
  const refused: [string, string][] = [
    [documentOf({ link: { bandwith: 1 } }), "link.bandwith"],
    [documentOf({ lynx: { bandwidth: 1 } }), "lynx"],
    [documentOf({ link: { bandwidth: "fast" } }), "link.bandwidth"],
    [documentOf({ link: { bandwidth: "-1GB/s" } }), "link.bandwidth"],
    [documentOf({ parallel: { tp: 1e300 } }), "parallel.tp"],
    [documentOf({ parallel: { tp: 2.5 } }), "parallel.tp"],
    [documentOf({ policy: { preset: "</script><img onerror=alert(1)>" } }), "policy.preset"],
    [documentOf({ workload: { model: "x".repeat(10_000) } }), "workload.model"],
    ['{"format":"ringside-experiment","version":1,"link":7}', "link"],
  ];
  const sentences = await sentencesFor(refused.map(([text]) => bytesOf(text)));
  for (const [i, [text, path]] of refused.entries())
    assert.ok(sentences[i]!.includes(path), `${text.slice(0, 200)}: ${sentences[i]}`);
});

test("damaged bytes are answered", async () => {
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const damaged = Array.from({ length: 400 }, () => {
    const bytes = bytesOf(good);
    for (let count = 1 + random(3); count > 0; --count) bytes[random(bytes.length)] = random(256);
    return bytes;
  });
  const answers = await answersTo(damaged);
  assert.ok(answers.filter(facts => facts.problems).length > 300);
});

test("a run of too many events is not simulated", async () => {
  const large = { workload: { model: "gpt-3", sublayer: "fc-2" }, parallel: { tp: 64 } };
  const groups = { ...large, policy: { preset: "t3-mca" }, detail: { level: "fine", mode: "full" } };
  const [facts] = await answersTo([bytesOf(documentOf(groups))]);
  assert.deepEqual(Object.keys(facts!), ["events"]);
  assert.ok(facts!.events! > 3e6, String(facts!.events));
});

test("a deadlock is told", async () => {
  const [sentence] = await sentencesFor([
    bytesOf(documentOf({ ...small, policy: { preset: "t3" }, tracker: { ways: 0 } })),
  ]);
  assert.ok(sentence!.includes("tracker.ways = 0"), sentence);
});
