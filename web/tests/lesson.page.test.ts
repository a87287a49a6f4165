// Lessons in Chromium: a whole lesson by keyboard, answers, runs of steps, and the site of all lessons.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, coloursOf, open, openBrowser, output, pages, settled, writePage } from "./browser";

let lesson = "";

before(async () => {
  lesson = writePage("lesson", "--lesson", "7");
  await openBrowser();
});
after(closeBrowser);

const heading = (page: Page) => page.locator(".step:visible h2").innerText();

async function runsOf(page: Page): Promise<string[]> {
  await settled(page);
  return page.locator(".run:visible h2").allInnerTexts();
}

test("a lesson is gone through by keyboard alone", async () => {
  const { page, close } = await open(lesson);
  assert.equal(await heading(page), "Step 1 of 6");
  assert.deepEqual(await runsOf(page), ["t-nlg/fc-2/tp16 t3"]);
  assert.ok(await page.locator(".frame").isVisible(), "the row of the step is framed");
  await page.keyboard.press("n");
  assert.equal(await heading(page), "Step 2 of 6");
  assert.ok(!(await page.locator(".step:visible .reveal").isVisible()), "the answer waits");
  // The heading has the focus: the next stop is the prediction.
  await page.keyboard.press("Tab");
  await page.keyboard.type("30 %");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".step:visible .verdict").innerText(), "Close: 4 points too high.");
  assert.match(await page.locator(".step:visible .reveal").innerText(), /Only 26\s%/);
  for (let i = 0; i < 2; ++i) await page.keyboard.press("n");
  assert.match(await page.locator(".step:visible .answer").innerText(), /waits behind the stores/);
  await page.keyboard.press("b");
  assert.equal(await heading(page), "Step 2 of 6");
  assert.ok(await page.locator(".step:visible .reveal").isVisible(), "an answer that was given stays");
  await close();
});

test("a step that holds shows the run before until it is answered", async () => {
  const { page, close } = await open(lesson, {}, "#step=4");
  assert.equal(await heading(page), "Step 4 of 6");
  assert.deepEqual(await runsOf(page), ["t-nlg/fc-2/tp16 t3"]);
  await page.getByRole("button", { name: "Check" }).click();
  assert.match(await page.locator(".step:visible .verdict").innerText(), /Predict first/);
  await page.getByRole("textbox", { name: "Your prediction" }).fill("1.1");
  await page.getByRole("button", { name: "Check" }).click();
  assert.equal(await page.locator(".step:visible .verdict").innerText(), "Close: 15\u00a0% too low.");
  await page.locator(".run:visible h2", { hasText: "t3-mca" }).waitFor();
  assert.match(await page.locator(".pinned").innerText(), /t3: 1\.366\sms; this run takes 72\.5\sµs less/);
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator(".run:visible h2").nth(2).waitFor();
  assert.deepEqual(await runsOf(page), [
    "t-nlg/fc-2/tp16 sequential",
    "t-nlg/fc-2/tp16 t3",
    "t-nlg/fc-2/tp16 t3-mca",
  ]);
  await close();
});

test("what happens after a task is shown beside the step's run", async () => {
  const { page, close } = await open(lesson, {}, "#step=6");
  assert.deepEqual(await runsOf(page), ["t-nlg/fc-2/tp16 t3"]);
  await page.getByText("What happens", { exact: true }).click();
  await page.locator(".run:visible h2").nth(1).waitFor();
  const runs = await runsOf(page);
  assert.equal(runs.length, 2);
  assert.match(runs[1]!, /queue off/);
  assert.ok((await coloursOf(page, ".run:not([hidden]) canvas.rows")).size > 4, "the picture is drawn");
  await close();
});

test("the link of a step opens it, and bad ones are ignored", async () => {
  for (const fragment of ["#step=0", "#step=7", "#step=x", "#step=999999"]) {
    const { page, close } = await open(lesson, {}, fragment);
    assert.equal(await heading(page), "Step 1 of 6", fragment);
    await close();
  }
  const { page, close } = await open(lesson, {}, "#step=3&at=50%25");
  assert.equal(await heading(page), "Step 3 of 6");
  assert.ok(Number.parseFloat(await page.locator(".clock").innerText()) > 0);
  await page.getByRole("button", { name: "Copy Link" }).click();
  await settled(page);
  await close();
});

test("without a script all texts are there, and the answers fold out", async () => {
  const { page, close } = await open(lesson, { javaScriptEnabled: false });
  assert.equal(await page.locator(".step:visible").count(), 6);
  assert.equal(await page.locator(".reveal[open]").count(), 0);
  await page.getByText("Answer", { exact: true }).first().click();
  assert.equal(await page.locator(".reveal[open]").count(), 1);
  await close();
});

test("a lesson fits a phone", async () => {
  const { page, close } = await open(lesson, { viewport: { width: 390, height: 844 } });
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press("n");
    await settled(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} px wide in ${await heading(page)}`);
  }
  await close();
});

test("the site of all lessons is taken from start to end", { timeout: 600_000 }, async () => {
  const folder = join(pages, "site");
  rmSync(folder, { recursive: true, force: true });
  output("page", "--lessons", "--out", folder);
  const server = createServer((request, response) => {
    const file = join(folder, request.url === "/" ? "index.html" : request.url!);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html" }).end(readFileSync(file));
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { page: index, close: closeIndex } = await open(root);
  const links = await index
    .locator("ol.site a")
    .evaluateAll(all => all.map(one => one.getAttribute("href")!));
  await closeIndex();
  assert.deepEqual(
    links,
    readdirSync(folder)
      .filter(name => name !== "index.html")
      .sort(),
  );
  for (const [i, link] of links.entries()) {
    const { page, close } = await open(root + link);
    const steps = await page.locator(".step").count();
    let shown = 1;
    for (let press = 0; press < 2 * steps; ++press) {
      await page.keyboard.press("n");
      await settled(page);
      shown = Number((await heading(page)).split(" ")[1]);
      assert.equal(await page.locator(".problem").count(), 0, `${link}, step ${shown}`);
    }
    assert.equal(shown, steps, link);
    const next = page.locator("nav a[rel=next]");
    if (i + 1 < links.length) assert.equal(await next.getAttribute("href"), links[i + 1]);
    else assert.equal(await next.count(), 0);
    await close();
  }
  server.close();
});
