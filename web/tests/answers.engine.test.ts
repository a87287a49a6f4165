// The web engine gives the answers of the native engine, byte for byte, and the kept outcomes of tests/golden.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { type Answered, blockSizeOf, Engine, factsOf, nativeAnswers } from "./engine";

/** Says where two answers differ first. */
function difference(ours: Uint8Array, native: Uint8Array): string {
  let at = 0;
  while (at < ours.length && ours[at] === native[at]) ++at;
  const part = (bytes: Uint8Array) =>
    Buffer.from(bytes.subarray(Math.max(0, at - 60), at + 60)).toString("latin1");
  return `at byte ${at} of ${ours.length} and ${native.length}\n  ours:   ${part(ours)}\n  native: ${part(native)}`;
}

function checkKept({ name, answer }: Answered): void {
  const [hash, total, events] = name.split(" ");
  const { result } = factsOf(answer);
  assert.ok(result, name);
  assert.deepEqual(
    [result.experiment_hash, result.time_ps.total, result.events],
    [hash, Number(total), Number(events)],
    name,
  );
}

async function checkAll(words: string[], count: number, hasKept: boolean): Promise<void> {
  const engine = new Engine();
  let found = 0;
  let blocks = 0;
  let ms = 0;
  for await (const each of nativeAnswers(words)) {
    const start = performance.now();
    const answer = engine.answer(each.request);
    ms += performance.now() - start;
    assert.ok(Buffer.compare(answer, each.answer) === 0, `${each.name}: ${difference(answer, each.answer)}`);
    if (hasKept) checkKept(each);
    blocks += blockSizeOf(answer) > 0 ? 1 : 0;
    ++found;
  }
  assert.equal(found, count);
  assert.ok(blocks > count / 2, `${blocks} of ${count} have a run block`);
  console.log(
    `${words.join(" ")}: ${found} equal, ${blocks} with a run block, ${Math.round(ms)} ms, ` +
      `${Math.round(engine.memory() / 2 ** 20)} MiB`,
  );
}

/** Returns what ringside-cli prints of an experiment whose name has its arguments, without times of this machine. */
function printed(name: string): unknown {
  const [experiment, ...settings] = [...name.matchAll(/"([^"]*)"|(\S+)/g)].map(
    match => match[1] ?? match[2]!,
  );
  const words = ["run", experiment!, "--output", "json", ...settings.flatMap(each => ["--set", each])];
  const output = execFileSync(process.env["RINGSIDE_CLI"]!, words, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { wall_ns: _wall, threads: _threads, ...result } = JSON.parse(output);
  return result;
}

test("the result is what ringside-cli prints", async () => {
  const engine = new Engine();
  for await (const { name, request } of nativeAnswers(["experiments"])) {
    const [, , , ...words] = name.split(" ");
    assert.deepEqual(factsOf(engine.answer(request)).result, printed(words.join(" ")), name);
  }
});

test("the experiments of tests/golden", () => checkAll(["experiments"], 29, true));

test("the combinations of tests/golden", () => checkAll(["combinations"], 2792, true));

test("random experiments", () => checkAll(["random", "20", "300"], 300, false));
