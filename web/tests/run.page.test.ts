// Recorded pages in Chromium: what they say, how they look, how they are used.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { PageDocument } from "../player/document";
import { decimals, timeText } from "../player/format";
import { closeBrowser, coloursOf, open, openBrowser, output, settled, writePage } from "./browser";

const quick = ["--set", "detail.level=interactive"];
let single = "";
let several = "";

before(async () => {
  single = writePage("single", "t-nlg/fc-2/tp8", "--set", "policy=t3-mca", ...quick);
  several = writePage("several", "t-nlg/fc-2/tp8", "--policies", "sequential,t3,ideal-overlap", ...quick);
  await openBrowser();
});
after(closeBrowser);

function documentOf(page: Page): Promise<PageDocument> {
  return page.evaluate(() => JSON.parse(document.getElementById("page")!.textContent!));
}

/** Returns titles, values and remarks of the headlines as the reader sees them, run by run. */
function headlinesOf(page: Page): Promise<string[][][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".headlines")].map(list =>
      [...list.children].map(one => [
        one.querySelector("dt")!.textContent!,
        one.querySelector(".value")!.textContent!,
        one.querySelector(".remark")?.textContent ?? "",
      ]),
    ),
  );
}

/** Returns the golden experiments of the engine, as arguments of the command line. */
function goldenArguments(): string[][] {
  const lines = readFileSync("../tests/golden/experiments.txt", "utf8").split("\n");
  const words = (name: string) => [...name.matchAll(/"([^"]*)"|(\S+)/g)].map(match => match[1] ?? match[2]!);
  // Each line has hash, total, events and the experiment.
  return lines
    .filter(line => /^[0-9a-f]{64} /.test(line))
    .map(line => words(line.split(" ").slice(3).join(" ")))
    .map(([experiment, ...settings]) => [experiment!, ...settings.flatMap(one => ["--set", one])]);
}

test("numbers of a page are those of run, for the golden experiments", { timeout: 300_000 }, async () => {
  const golden = goldenArguments();
  assert.ok(golden.length >= 24, `${golden.length} golden experiments`);
  for (const [i, words] of golden.entries()) {
    const { page, close } = await open(writePage("golden", ...words));
    const printed = JSON.parse(output("run", ...words, "--output", "json"));
    delete printed.wall_ns;
    delete printed.threads;
    const text = readFileSync(new URL(page.url()), "utf8");
    const document = JSON.parse(/id="page">(.*?)<\/script>/s.exec(text)![1]!) as PageDocument;
    const run = document.runs[0]!;
    assert.deepEqual(run.result, printed, words.join(" "));
    const total = (printed.run_time_ps ?? printed.time_ps).total;
    assert.equal(run.headlines[0]!.ps, total, words.join(" "));
    const shown = (await headlinesOf(page))[0]!;
    run.headlines.forEach(({ title, ps, ratio, remark }, at) => {
      const value =
        ps !== undefined
          ? timeText(Math.abs(ps))
          : ratio !== undefined
            ? `${decimals(ratio, 3)}\u00a0×`
            : "–";
      assert.deepEqual(shown[at], [title, value, remark ?? ""], `${i}: ${words.join(" ")}`);
    });
    await close();
  }
});

test("facts of spans are the events of --trace", async () => {
  const path = single.replace(".html", ".json");
  output("run", "t-nlg/fc-2/tp8", "--set", "policy=t3-mca", ...quick, "--trace", path);
  const events = (JSON.parse(readFileSync(path, "utf8")).traceEvents ??
    JSON.parse(readFileSync(path, "utf8"))) as {
    name: string;
    ph: string;
    ts: number;
    dur: number;
  }[];
  const waves = events.filter(one => one.ph === "X" && /wave/i.test(one.name)).sort((a, b) => a.ts - b.ts);
  assert.ok(waves.length > 3);
  const { page, close } = await open(single);
  await page.getByRole("button", { name: "Exact" }).click();
  await page.locator(".names").focus();
  for (const wave of waves.slice(0, 5)) {
    await page.keyboard.press("Control+ArrowRight");
    const facts = await page.locator(".facts").innerText();
    const digits = (ps: number) => String(Math.round(ps)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u00a0");
    assert.ok(facts.includes(`${digits(wave.ts * 1e6)}\u00a0ps to`), `${facts} begins at ${wave.ts} us`);
    assert.ok(facts.includes(`takes ${digits(wave.dur * 1e6)}\u00a0ps`), `${facts} takes ${wave.dur} us`);
    assert.match(await page.locator("[role=status].spoken").innerText(), /GPU 0: wave \d+ of \d+/);
  }
  await close();
});

test("the page is used by keyboard alone", async () => {
  const { page, close } = await open(single);
  const clock = () => page.locator(".clock").innerText();
  const isShown = (selector: string) => page.locator(selector).isVisible();
  await page.keyboard.press("End");
  assert.equal(await clock(), timeText((await documentOf(page)).runs[0]!.headlines[0]!.ps!, 5));
  await page.keyboard.press(",");
  await page.keyboard.press("Home");
  assert.equal(Number.parseFloat(await clock()), 0);
  await page.keyboard.press(".");
  assert.ok(Number.parseFloat(await clock()) > 0);
  const axis = () =>
    page.evaluate(() => document.querySelector<HTMLCanvasElement>("canvas.head")!.toDataURL());
  const whole = await axis();
  for (const key of ["w", "s", "a", "d", "ArrowLeft", "ArrowRight"]) {
    await page.keyboard.press("w");
    await settled(page);
    const before = await axis();
    await page.keyboard.press(key);
    await settled(page);
    assert.notEqual(await axis(), before, `key ${key}`);
  }
  await page.keyboard.press("0");
  await settled(page);
  assert.equal(await axis(), whole);
  await page.keyboard.press("t");
  assert.ok(await isShown(".tables"));
  await page.keyboard.press("Escape");
  assert.ok(!(await isShown(".tables")));
  await page.keyboard.press("y");
  assert.match(await page.locator(".chain").innerText(), /Why the run is not further/);
  await page.keyboard.press("y");
  await page.keyboard.press("?");
  assert.ok(await isShown("dialog.keys"));
  await page.keyboard.press("Escape");
  assert.ok(!(await isShown("dialog.keys")));
  await page.keyboard.press("p");
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains("presenter")));
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.locator('[aria-selected="true"]').getAttribute("aria-label"), "GPU 0, open");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator('[aria-selected="true"]').getAttribute("aria-label"), "GPU 0, closed");
  await close();
});

test("the run plays when the reader starts it, and stops at its end", async () => {
  const { page, close } = await open(single);
  const time = async () => Number.parseFloat(await page.locator(".clock").innerText());
  await page.waitForTimeout(200);
  assert.equal(await time(), 0);
  await page.keyboard.press(" ");
  await page.waitForFunction(() => Number.parseFloat(document.querySelector(".clock")!.textContent!) > 0.05);
  await page.keyboard.press(" ");
  const paused = await time();
  await page.waitForTimeout(150);
  assert.equal(await time(), paused);
  await page.locator("select").selectOption("4");
  await page.keyboard.press(" ");
  await page.waitForFunction(
    () => document.querySelector(".bar button")!.textContent!.includes("Play"),
    null,
    {
      timeout: 30_000,
    },
  );
  assert.equal(
    await page.locator(".clock").innerText(),
    timeText((await documentOf(page)).runs[0]!.headlines[0]!.ps!, 5),
  );
  await close();
});

test("a reader who wants no motion sees a phase at a time", async () => {
  const { page, close } = await open(single, { reducedMotion: "reduce" });
  await page.locator("select").selectOption("4");
  const seen = new Set<string>();
  await page.exposeFunction("seen", (text: string) => seen.add(text));
  await page.evaluate(() => {
    const clock = document.querySelector(".clock")!;
    new MutationObserver(() =>
      (window as unknown as { seen: (text: string) => void }).seen(clock.textContent!),
    ).observe(clock, { childList: true });
  });
  await page.keyboard.press(" ");
  await page.waitForFunction(() => document.querySelector(".bar button")!.textContent!.includes("Play"));
  await page.waitForTimeout(50);
  assert.ok(seen.size >= 3 && seen.size <= 5, [...seen].join());
  await close();
});

test("names are in the accessibility tree", async () => {
  const { page, close } = await open(single);
  const image = page.getByRole("img", {
    name: /^Timeline of t-nlg\/fc-2\/tp8 t3-mca.*Total 2\.\d+.ms.*Speed-up/,
  });
  assert.equal(await image.count(), 1);
  const rows = page.getByRole("listbox", { name: "Rows of t-nlg/fc-2/tp8 t3-mca" });
  const names = await rows
    .getByRole("option")
    .evaluateAll(all => all.map(one => one.getAttribute("aria-label")));
  for (const name of [
    "GPU 0, open",
    "GPU 0: compute",
    "GPU 0: reduce-scatter",
    "GPU 0: DRAM",
    "GPU 7, closed",
  ])
    assert.ok(names.includes(name), `${name} in ${names.join(", ")}`);
  assert.equal(await page.getByRole("toolbar").count(), 1);
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
  await page.keyboard.press("t");
  for (const name of [
    /^Headlines/,
    "Phases",
    /^Time by cause/,
    /^Busy share/,
    /^Spans of GPU 0: compute, 1 to/,
  ])
    assert.ok((await page.getByRole("table", { name }).count()) > 0, String(name));
  await close();
});

test("tables have the exact numbers", async () => {
  const { page, close } = await open(single);
  await page.keyboard.press("t");
  const run = (await documentOf(page)).runs[0]!;
  const cells = await page.evaluate(() =>
    [...document.querySelectorAll(".tables tr")].map(row => [...row.children].map(cell => cell.textContent!)),
  );
  const numberOf = (text: string) => Number(text.replaceAll("\u00a0", ""));
  const cellOf = (title: string) => numberOf(cells.find(row => row[0] === title)![1]!);
  assert.equal(cellOf("Total"), run.headlines[0]!.ps);
  const causes = await page.evaluate(() => {
    const table = [...document.querySelectorAll("table")].find(one =>
      one.caption!.textContent!.startsWith("Time by cause"),
    )!;
    return [...table.tBodies[0]!.rows].map(row => row.cells[1]!.textContent!);
  });
  assert.equal(
    causes.reduce((sum, text) => sum + numberOf(text), 0),
    run.headlines[0]!.ps,
  );
  // Two hundred spans at a time.
  await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".names li")]
      .find(one => one.textContent!.includes("DMA blocks"))!
      .click(),
  );
  const count = () => page.locator(".spans tbody tr").count();
  assert.equal(await count(), 200);
  await page.getByRole("button", { name: "Next 200" }).click();
  assert.match(await page.locator(".spans caption").innerText(), /201 to 400|201 to \d+/);
  await close();
});

for (const { width, height } of [
  { width: 390, height: 844 },
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
]) {
  test(`at ${width} pixels the page is not blank, light is unlike dark, and nothing is wider than the window`, async () => {
    const drawn: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      for (const file of [single, several]) {
        const { page, close } = await open(file, { viewport: { width, height }, colorScheme });
        const colours = await coloursOf(page, "canvas.rows");
        // GEMM, reduce-scatter and all-gather are drawn in their colours.
        for (const colour of ["0,114,178", "230,159,0", "0,158,115"])
          assert.ok((colours.get(colour) ?? 0) > 100, `${colour} at ${width}, ${colorScheme}`);
        const [wide, inner] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          window.innerWidth,
        ]);
        assert.ok(wide! <= inner!, `${wide} pixels wide at ${width}`);
        const clipped = await page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>("h1, h2, dt, dd, .value, button, .names li, .facts")]
            .filter(
              one =>
                one.offsetParent !== null && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0,
            )
            .map(one => one.textContent),
        );
        assert.deepEqual(clipped, [], `clipped at ${width}`);
        const small = await page.evaluate(
          () =>
            [...document.querySelectorAll("button, select")].filter(one => {
              const box = one.getBoundingClientRect();
              return box.height > 0 && box.height < 44;
            }).length,
        );
        if (width <= 640) assert.equal(small, 0, "buttons that a finger misses");
        if (file === single) drawn.push((await page.screenshot()).toString("base64"));
        await close();
      }
    }
    assert.notEqual(drawn[0], drawn[1]);
  });
}

test("a tap shows facts, a drag pans, the wheel zooms only with Ctrl or the focus", async () => {
  const { page, close } = await open(single);
  const rows = (await page.locator("canvas.rows").boundingBox())!;
  const image = () =>
    page.evaluate(() => document.querySelector<HTMLCanvasElement>("canvas.head")!.toDataURL());
  await page.mouse.move(rows.x + 200, rows.y + 60);
  assert.match(await page.locator(".facts h2").innerText(), /^GPU 0: wave/);
  const whole = await image();
  await page.mouse.wheel(0, -300);
  await settled(page);
  assert.equal(await image(), whole);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.mouse.move(rows.x + 200, rows.y + 60);
  await page.mouse.click(rows.x + 200, rows.y + 60);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Control");
  await settled(page);
  const zoomed = await image();
  assert.notEqual(zoomed, whole);
  await page.mouse.move(rows.x + 400, rows.y + 60);
  await page.mouse.down();
  await page.mouse.move(rows.x + 300, rows.y + 60, { steps: 4 });
  await page.mouse.up();
  await settled(page);
  assert.notEqual(await image(), zoomed);
  await close();
});

test("an address opens time, range and GPU again", async () => {
  const { page, close } = await open(single, {}, "#at=0.5ms&from=20%25&to=30%25&gpu=3&nothing=1");
  assert.match(await page.locator(".clock").innerText(), /^0\.5000.ms$/);
  assert.ok((await page.locator('[aria-label="GPU 3: compute"]').count()) === 1);
  await close();
  const bad = await open(single, {}, "#at=soon&from=9&gpu=99999");
  assert.equal(Number.parseFloat(await bad.page.locator(".clock").innerText()), 0);
  await bad.close();
});

test("a comparison has a picture for each run on one clock, and a bound its formula", async () => {
  const { page, close } = await open(several);
  assert.equal(await page.locator(".picture").count(), 2);
  assert.match(
    await page.locator("main").innerText(),
    /A bound, computed by a formula: max\(GEMM, reduce-scatter\) \+ all-gather/,
  );
  await page.keyboard.press("End");
  const [first, second] = await page.locator(".bubble").allInnerTexts();
  assert.equal(first, second);
  await close();
});

test("without JavaScript the page has title, headlines and experiment", async () => {
  const { page, close } = await open(single, { javaScriptEnabled: false });
  const text = await page.locator("body").innerText();
  for (const part of [
    "t-nlg/fc-2/tp8 t3-mca",
    "T-NLG, Second feed-forward, 8 GPUs",
    "Total",
    "Speed-up",
    "About this run",
  ])
    assert.ok(text.includes(part), part);
  await close();
});

test("print is light, with phases and causes as tables and no buttons", async () => {
  const { page, close } = await open(single, { colorScheme: "dark" });
  const pdf = await page.pdf({ format: "A4", landscape: true });
  assert.ok(pdf.length > 20_000 && pdf.subarray(0, 5).toString() === "%PDF-");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.ok(!(await page.locator(".bar").isVisible()));
  assert.match(
    await page.locator(".printed").innerText(),
    /Phases[\s\S]*GEMM and reduce-scatter at once[\s\S]*Time by cause/,
  );
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--surface")),
    "#ffffff",
  );
  const canvas = await page.evaluate(() => {
    const one = document.querySelector<HTMLCanvasElement>("canvas.head")!;
    return one.width / one.clientWidth;
  });
  assert.ok(Math.abs(canvas - 2) < 0.01, `${canvas} pixels for a point`);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator(".printed").count(), 0);
  await close();
});

test("a web server can serve the page", async () => {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(readFileSync(single));
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { page, close } = await open(`http://127.0.0.1:${port}/run.html`);
  assert.ok((await coloursOf(page, "canvas.rows")).size > 4);
  await close();
  server.close();
});

test("a damaged run says so, and the numbers stay", async () => {
  const damaged = single.replace("single", "damaged");
  writeFileSync(damaged, readFileSync(single, "utf8").replace(/(id="run-0">.{2000}).{40}/, "$1"));
  const { page, close } = await open(damaged);
  assert.match(await page.locator("[role=alert]").innerText(), /./);
  assert.match(await page.locator(".headlines").innerText(), /Total/);
  await close();
});

test("names that look like markup stay texts", async () => {
  const hostile = [
    "</script><img src=x onerror=document.title='run'>",
    "<!-- <script>",
    "\"'`&amp;",
    "\u202ebidi\u2066 marks",
    "</title></style><svg onload=alert(1)>",
    "long ".repeat(2_000),
  ];
  for (const title of hostile) {
    const { page, close } = await open(
      writePage("hostile", "mega-gpt-2/op/tp4", ...quick, "--title", title, "--policies", "t3,sequential"),
    );
    assert.equal(await page.locator("h1").textContent(), title);
    assert.equal(await page.title(), title.trim().replace(/\s+/g, " "));
    assert.equal(await page.locator("img, svg").count(), 0);
    assert.equal(await page.locator("canvas.rows").count(), 2);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 1280, `${wide} px wide`);
    await close();
  }
});

test("the result can be saved as a file", async () => {
  const { page, close } = await open(single);
  await page.locator(".about summary").click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save Result" }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), "t-nlg-fc-2-tp8-t3-mca.json");
  const saved = JSON.parse(readFileSync((await download.path())!, "utf8"));
  assert.deepEqual(saved, (await documentOf(page)).runs[0]!.result);
  await close();
});
