// Opens pages in Chromium, as a reader would, and fails a test on any message or request that a page makes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

export const cli = process.env["RINGSIDE_CLI"]!;
export const pages = process.env["RINGSIDE_WEB_PAGES"]!;

export function output(...words: string[]): string {
  return execFileSync(cli, words, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Writes a page with ringside-cli and returns its path. */
export function writePage(name: string, ...words: string[]): string {
  const path = join(pages, `${name}.html`);
  output("page", ...words, "--out", path);
  return path;
}

let browser: Browser | undefined;

export async function openBrowser(): Promise<void> {
  browser = await chromium.launch({
    executablePath: process.env["RINGSIDE_CHROMIUM"]!,
    args: ["--no-sandbox"],
  });
}

export async function closeBrowser(): Promise<void> {
  await browser?.close();
}

export interface Opened {
  readonly page: Page;
  /** Closes the page. Fails if it wrote to the console, threw, or asked for anything but itself. */
  readonly close: () => Promise<void>;
}

/** Opens a file or an address and waits for the timeline. */
export async function open(
  target: string,
  options: BrowserContextOptions = {},
  fragment = "",
): Promise<Opened> {
  const address = (target.includes("://") ? target : pathToFileURL(target).href) + fragment;
  const context = await browser!.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", message => said.push(`console: ${message.text()}`));
  page.on("pageerror", error => said.push(`error: ${error.message}`));
  page.on("request", request => {
    // The program of a worker is part of the page.
    if (request.url().startsWith("blob:")) return;
    if (request.url().split("#")[0] !== address.split("#")[0]) said.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  if (options.javaScriptEnabled !== false)
    await page.waitForFunction(
      () =>
        performance.getEntriesByName("ringside-drawn").length > 0 ||
        document.querySelector(".problem, main:not(:has([data-picture]))") !== null,
    );
  return {
    page,
    close: async () => {
      await context.close();
      assert.deepEqual(said, [], address);
    },
  };
}

/** Returns the colours that a canvas of the page has, and how often. */
export async function coloursOf(page: Page, selector: string): Promise<Map<string, number>> {
  const counts = await page.evaluate(chosen => {
    const canvas = document.querySelector<HTMLCanvasElement>(chosen)!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const found: Record<string, number> = {};
    for (let i = 0; i < data.length; i += 4) {
      const color = `${data[i]},${data[i + 1]},${data[i + 2]}`;
      found[color] = (found[color] ?? 0) + 1;
    }
    return found;
  }, selector);
  return new Map(Object.entries(counts));
}

/** Waits until the page has drawn what it was asked for. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
