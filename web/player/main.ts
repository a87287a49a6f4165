// The player of Ringside's web pages.
import { checkLanes, readBlock } from "./block";
import { bytesOf, type PageDocument, type PageRun, readDocument } from "./document";
import { make } from "./dom";
import { startLesson } from "./lesson";
import { isLive, Live } from "./live";
import { Model } from "./model";
import { Picture } from "./picture";
import { Player, type ShownRun, sentenceOf } from "./player";

async function shownRun(page: PageDocument, run: PageRun): Promise<ShownRun> {
  if (run.block === null) return { run, picture: undefined, place: null };
  if (typeof DecompressionStream === "undefined")
    throw new Error(
      "This browser cannot unpack the run. The texts and numbers are complete; a newer browser also plays the run.",
    );
  const model = new Model(run, readBlock(await bytesOf(run.block)));
  const picture = new Picture(model, page.words.causes.length, sentenceOf(run));
  const place = document.querySelector(`[data-picture="${run.block.replace("run-", "")}"]`);
  return { run, picture, place };
}

/** Decodes what is not on the screen yet. Throws if it is damaged. */
async function checkLater(runs: readonly ShownRun[]): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 50));
  for (const { picture } of runs) if (picture !== undefined) checkLanes(picture.model.block);
}

async function startRuns(page: PageDocument, root: HTMLElement): Promise<void> {
  if (page.runs.every(run => run.block === null)) return;
  const runs = await Promise.all(page.runs.map(run => shownRun(page, run)));
  root.replaceChildren();
  const player = new Player(page, root);
  if (isLive()) {
    const live = new Live(page, () => player);
    live.offer(runs);
    root.append(live.element);
  }
  player.showRuns(runs, page.scene ?? {});
  await checkLater(runs);
}

async function start(): Promise<void> {
  const root = document.getElementById("player");
  if (root === null) return;
  const fail = (error: unknown) => {
    for (const part of document.querySelectorAll(".picture, .bar, .after")) part.remove();
    root.replaceChildren(
      make("p", { class: "problem", role: "alert" }, error instanceof Error ? error.message : String(error)),
    );
  };
  try {
    const page = readDocument();
    if (page.lesson === undefined) return await startRuns(page, root);
    await startLesson(page, root, {
      load: async index => {
        const run = await shownRun(page, page.runs[index]!);
        checkLater([run]).catch(fail);
        return run;
      },
      fail,
    });
  } catch (error) {
    fail(error);
  }
}

void start();
