// The document of a page (data/page/page_document.h), as far as the player reads it.

import type { ChoiceQuestion, NumberQuestion } from "./answers";
import type { Control } from "./controls";

export interface Headline {
  readonly title: string;
  readonly ps?: number;
  readonly ratio?: number;
  readonly role?: string;
  readonly remark?: string;
}

/** The slots that the last wave of a recorded GPU leaves empty. */
export interface LastWave {
  readonly slots: number;
  readonly start: number;
  readonly end: number;
  readonly empty: readonly (readonly [number, number])[];
}

/** The groups of a result that the player reads; `run --output json` prints all of it. */
export interface Result {
  readonly time_ps: { readonly [part: string]: number };
  readonly run_time_ps?: { readonly [part: string]: number };
  readonly attribution_ps?: { readonly [cause: string]: unknown };
  readonly experiment_hash: string;
}

export interface PageRun {
  readonly name: string;
  readonly link: string | null;
  readonly draft: unknown;
  readonly result: Result;
  readonly block: string | null;
  readonly formula?: string;
  /** The collective before the all-gather: "reduce-scatter" or "all-to-all". */
  readonly scatter: string;
  /** Whether the all-gather feeds the GEMM, as its first stage. */
  readonly feeds: boolean;
  readonly headlines: readonly Headline[];
  readonly lastWaves: readonly LastWave[];
  /** Names of the kernels, by number: own GEMM, own collective, copies of the companion. */
  readonly kernels: readonly string[];
  /** Of a live page. */
  readonly controls?: readonly Control[];
}

/** What the engine in a page answers for a run (data/page/run_facts.h). */
export type RunFacts = Pick<PageRun, "result" | "scatter" | "feeds" | "headlines" | "lastWaves" | "kernels">;

export interface Words {
  readonly lanes: readonly string[];
  readonly spans: readonly string[];
  readonly counters: readonly string[];
  readonly causes: readonly string[];
  readonly phases: readonly string[];
  readonly acts: readonly string[];
}

/** A step of a lesson (data/page/lesson_page.h). */
export interface LessonStep {
  readonly runs: readonly number[];
  readonly tried?: number;
  readonly pinned?: number;
  readonly at?: number;
  readonly from?: number;
  readonly to?: number;
  readonly gpu?: number;
  readonly play?: {
    readonly from: number;
    readonly to: number;
    readonly seconds: number;
    readonly loop: boolean;
  };
  readonly lane?: number;
  readonly highlight?: "ribbon" | "headlines";
  readonly holds?: boolean;
  readonly question?: ChoiceQuestion | NumberQuestion;
}

export interface PageDocument {
  readonly format: string;
  readonly version: number;
  readonly ringside: string;
  readonly engine: string;
  readonly title: string;
  readonly kind: "run" | "compare" | "lesson";
  readonly words: Words;
  readonly runs: readonly PageRun[];
  readonly lesson?: { readonly steps: readonly LessonStep[] };
  /** What the window showed when it wrote the page: times in ps. */
  readonly scene?: {
    readonly at?: number;
    readonly from?: number;
    readonly to?: number;
    readonly gpu?: number;
  };
}

const newestVersion = 1;

/** Reads the document of this page. Throws with a sentence for the reader. */
export function readDocument(): PageDocument {
  const element = document.getElementById("page");
  const page = JSON.parse(element?.textContent ?? "null") as PageDocument | null;
  if (page === null || page.format !== "ringside-page") throw new Error("This page has no run of Ringside.");
  if (page.version > newestVersion)
    throw new Error(`This page has version ${page.version}; its player reads ${newestVersion}.`);
  return page;
}

/** Returns the bytes of a run block: base64 of gzip, in a script element that no browser runs. */
export async function bytesOf(id: string): Promise<Uint8Array> {
  const text = document.getElementById(id)?.textContent ?? "";
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; ++i) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
