// Live pages in Chromium: the engine in the page gives the numbers of ringside-cli, and a page without WebAssembly says so.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { closeBrowser, open, openBrowser, output, writePage } from "./browser";

const quick = ["--set", "detail.level=interactive"];
const hasEngine = (() => {
  try {
    writePage("live", "t-nlg/fc-2/tp8", "--set", "policy=t3-mca", ...quick, "--live");
    return true;
  } catch {
    return false;
  }
})();
const options = hasEngine ? {} : { skip: "this build has no web engine (RINGSIDE_WEB_ENGINE)" };
let live = "";

before(async () => {
  if (hasEngine) live = writePage("live", "t-nlg/fc-2/tp8", "--set", "policy=t3-mca", ...quick, "--live");
  await openBrowser();
});
after(closeBrowser);

const said = (page: Page) => page.locator(".controls .said").innerText();

async function total(page: Page): Promise<string> {
  return (await page.locator(".headlines .value").first().innerText()).replace(/\s+/g, " ");
}

/** Moves the slider of a parameter to a position, as a drag that ends there, and waits for the answer. */
async function move(page: Page, path: string, step: number): Promise<void> {
  await page.locator(`[data-path="${path}"]`).evaluate((slider, to) => {
    (slider as HTMLInputElement).value = String(to);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }, step);
  await answered(page);
}

/** Waits until nothing is asked any more. */
async function answered(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector(".controls")!.getAttribute("aria-busy") === "false",
    undefined,
    { timeout: 30_000 },
  );
}

test("five positions of the link's bandwidth give the totals of ringside-cli", options, async () => {
  const { page, close } = await open(live);
  const recorded = await total(page);
  for (const step of [0, 90, 230, 310, 400]) {
    await move(page, "link.bandwidth", step);
    const text = await page.locator('[data-path="link.bandwidth"] + output').innerText();
    const printed = JSON.parse(
      output(
        "run",
        "t-nlg/fc-2/tp8",
        ...quick,
        "--set",
        "policy=t3-mca",
        "--set",
        `link.bandwidth=${text}`,
        "--output",
        "json",
      ),
    );
    const ps = printed.time_ps.total as number;
    assert.equal(await total(page), `${(ps / 1e9).toPrecision(4)} ms`, text);
  }
  await page.getByRole("button", { name: "Reset" }).click();
  assert.equal(await total(page), recorded);
  await close();
});

test("the newest of many requests is answered, and the changes can be copied", options, async () => {
  const { page, close } = await open(live);
  await page.locator('[data-path="link.bandwidth"]').evaluate(slider => {
    for (let i = 0; i <= 400; i += 10) {
      (slider as HTMLInputElement).value = String(i);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await answered(page);
  const answers = await page.evaluate(() => performance.getEntriesByName("ringside-answered").length);
  assert.ok(answers >= 1 && answers < 41, `${answers} answers to 42 requests`);
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.getByRole("button", { name: "Copy --set" }).click();
  assert.match(await said(page), /^--set link\.bandwidth=1\.2TB\/s$/);
  await page.getByRole("button", { name: "Copy Link Text" }).click();
  await page.waitForFunction(() => document.querySelector(".said")!.textContent!.startsWith("ringside:1:"));
  const [, , packed] = (await said(page)).split(":");
  const scene = JSON.parse(inflateSync(Buffer.from(packed!, "base64url")).toString());
  assert.equal(scene.experiment.link.bandwidth, 1.2e12);
  assert.equal(scene.experiment.policy.preset, "t3-mca");
  await close();
});

test("a refused value is said, and the last run stays", options, async () => {
  const { page, close } = await open(
    writePage(
      "refused",
      "t-nlg/fc-2/tp8",
      "--set",
      "policy=t3-mca",
      ...quick,
      "--live",
      "--controls",
      "parallel.tp",
    ),
  );
  const before = await total(page);
  await page.locator('[data-path="parallel.tp"]').evaluate(slider => {
    (slider as HTMLInputElement).value = "150";
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await page.waitForFunction(() => document.querySelector(".said")!.textContent!.includes("parallel.tp"));
  assert.equal(await total(page), before);
  await close();
});

test(
  "under a policy that forbids WebAssembly the page shows the recorded run and says so",
  options,
  async () => {
    const forbidden = live.replace(".html", "-forbidden.html");
    writeFileSync(forbidden, readFileSync(live, "utf8").replace(" &#39;wasm-unsafe-eval&#39;", ""));
    const { page } = await open(forbidden);
    const before = await total(page);
    await page.locator('[data-path="link.bandwidth"]').evaluate(slider => {
      (slider as HTMLInputElement).value = "300";
      slider.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await page.waitForFunction(() =>
      /does not run the engine/.test(document.querySelector(".said")!.textContent!),
    );
    assert.equal(await total(page), before);
    assert.ok(await page.locator('[data-path="link.bandwidth"]').isDisabled());
    await page.context().close();
  },
);

/** Returns what the reader sees of the headlines, run by run: class and texts of each part. */
function headlines(page: Page): Promise<string[][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".headlines")].map(list =>
      [...list.querySelectorAll("*")].map(one => `${one.tagName} ${one.className}: ${one.textContent}`),
    ),
  );
}

async function choose(page: Page, label: string, word: string): Promise<void> {
  await page.getByLabel(label).selectOption(word);
  await answered(page);
}

test("headlines of an answer are those of a recorded page", options, async () => {
  const recorded = writePage("chosen", "t-nlg/fc-2/tp8", "--set", "policy=chunked", ...quick);
  const { page: kept, close: closeKept } = await open(recorded);
  const { page, close } = await open(live);
  await choose(page, "Policy", "chunked");
  assert.deepEqual(await headlines(page), await headlines(kept));
  assert.match(await said(page), /^With policy\.preset=chunked: /);
  await close();
  await closeKept();
});

test("a bound has headlines and no picture, and the recorded run comes back", options, async () => {
  const { page, close } = await open(live);
  await choose(page, "Policy", "ideal-overlap");
  assert.match(await said(page), /^With policy\.preset=ideal-overlap: /);
  assert.ok(!(await page.locator(".picture").isVisible()), "no picture of another run");
  await page.getByRole("button", { name: "Reset" }).click();
  assert.ok(await page.locator(".picture").isVisible());
  await close();
});

test("in a comparison the headlines of a bound change with those of the runs", options, async () => {
  const { page, close } = await open(
    writePage("live-bound", "t-nlg/fc-2/tp8", "--policies", "t3,ideal-overlap", ...quick, "--live"),
  );
  const before = await headlines(page);
  await move(page, "link.bandwidth", 350);
  const after = await headlines(page);
  assert.notEqual(after[0], before[0]);
  assert.notEqual(after[1], before[1]);
  await page.getByRole("button", { name: "Reset" }).click();
  assert.deepEqual(await headlines(page), before);
  await close();
});
