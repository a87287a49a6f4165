// A live page: the reader changes parameters, the engine in the page simulates, and the timeline answers.
import { readBlock } from "./block";
import {
  type Control,
  changedDocument,
  linkText,
  settingsOf,
  settingsText,
  sliderSteps,
  stepOf,
  valueAtStep,
  valueText,
} from "./controls";
import { bytesOf, type Headline, type PageDocument, type PageRun, type RunFacts } from "./document";
import { make } from "./dom";
import { type Engine, engineOf } from "./engine";
import { countText, decimals, timeText } from "./format";
import { Model } from "./model";
import { Picture } from "./picture";
import { button, type Player, type ShownRun, sentenceOf } from "./player";

interface Problem {
  readonly path: string;
  readonly value: string;
  readonly text: string;
}

type Reply = RunFacts | { readonly problems: readonly Problem[] } | { readonly events: number };

/** A run that was simulated in the page. */
interface LiveRun {
  readonly run: PageRun;
  readonly picture: Picture | undefined;
}

const quickDetail = "interactive";

/** Returns the part of a headline that C++ writes for the recorded run (page_run.cpp). */
function headlineItem({ title, ps, ratio, role, remark }: Headline): HTMLElement {
  const text =
    ps !== undefined ? timeText(Math.abs(ps)) : ratio !== undefined ? `${decimals(ratio, 3)}\u00a0×` : "–";
  const [value, unit] = text.split("\u00a0");
  const number = make("span", { class: "value" }, value!);
  if (unit !== undefined) number.append("\u00a0", make("span", { class: "unit" }, unit));
  const item = make("dd", {}, number);
  if (remark) item.append(make("br"), make("span", { class: "remark" }, remark));
  return make("div", { class: role ?? "" }, make("dt", {}, title), item);
}

export class Live {
  private readonly page: PageDocument;
  private readonly box = make("section", { class: "controls", "aria-label": "Change the machine" });
  private readonly fields = make("div", { class: "fields" });
  private readonly said = make("p", { class: "said", role: "status" });
  private readonly reset: HTMLButtonElement;
  private readonly copies: readonly HTMLButtonElement[];
  private readonly player: () => Player | undefined;
  private readonly changes = new Map<string, number | string>();
  private engine: Promise<Engine> | undefined;
  private recorded: readonly ShownRun[] = [];
  /** The parts of the page that show the runs, by number; a lesson moves them. */
  private readonly sections = [...document.querySelectorAll<HTMLElement>(".run")];
  private readonly main = document.querySelector("main");
  private originals = new Map<Element, readonly Node[]>();
  private isAsking = false;
  /** What to ask next: whether the reader still drags; undefined: nothing. */
  private waiting: boolean | undefined;
  /** Counts the runs that are recorded: an answer about others comes too late. */
  private generation = 0;

  constructor(page: PageDocument, player: () => Player | undefined) {
    this.page = page;
    this.player = player;
    this.reset = button("Reset", "Show the recorded run again", () => this.undo());
    this.copies = [
      button("Copy --set", "Copy the changes as arguments of ringside-cli", () => {
        void this.copy(Promise.resolve(settingsText(this.controls, this.changes)));
      }),
      button("Copy Link Text", "Copy a text that Ringside opens with File ▸ Open Link", () => {
        void this.copy(linkText(changedDocument(this.recorded[0]!.run.draft, this.changes)));
      }),
    ];
    this.box.append(
      make("h2", {}, "What if?"),
      this.fields,
      make("p", { class: "answers" }, this.reset, ...this.copies),
      this.said,
    );
  }

  get element(): HTMLElement {
    return this.box;
  }

  /** Those that have one value in all runs: the others are what the runs compare. */
  private get controls(): readonly Control[] {
    const [first] = this.recorded;
    const isSame = ({ path, value }: Control) =>
      this.recorded.every(({ run }) => run.controls?.some(one => one.path === path && one.value === value));
    return first?.run.controls?.filter(isSame) ?? [];
  }

  /** Offers the controls of runs that the page has recorded. */
  offer(runs: readonly ShownRun[]): void {
    this.restore();
    ++this.generation;
    this.recorded = runs;
    this.changes.clear();
    this.waiting = undefined;
    this.box.hidden = this.controls.length === 0;
    this.fields.replaceChildren(...this.controls.map(control => this.field(control)));
    this.say("");
    this.showState();
  }

  private field(control: Control): HTMLElement {
    const shown = make("output", {}, control.text);
    const set = (value: number | string, isDragged: boolean) => {
      if (value === control.value) this.changes.delete(control.path);
      else this.changes.set(control.path, value);
      shown.textContent = valueText(control, value);
      this.ask(isDragged);
    };
    if (control.words !== undefined) {
      const choice = make("select", {});
      for (const word of control.words) {
        const option = make("option", { value: word }, word);
        option.selected = word === control.value;
        choice.append(option);
      }
      choice.addEventListener("change", () => set(choice.value, false));
      return make("label", { title: control.meaning }, make("span", {}, control.label), choice);
    }
    const slider = make("input", {
      type: "range",
      min: 0,
      max: sliderSteps,
      value: stepOf(control, Number(control.value)),
      "data-path": control.path,
    });
    const value = () => valueAtStep(control, Number(slider.value));
    const tell = () => slider.setAttribute("aria-valuetext", valueText(control, value()));
    slider.addEventListener("input", () => {
      tell();
      set(value(), true);
    });
    slider.addEventListener("change", () => set(value(), false));
    tell();
    return make("label", { title: control.meaning }, make("span", {}, control.label), slider, shown);
  }

  // Asking.

  private ask(isDragged: boolean): void {
    this.waiting = isDragged;
    this.showState();
    if (!this.isAsking) void this.work();
  }

  /** One request at a time; of those that come meanwhile, the newest. */
  private async work(): Promise<void> {
    this.isAsking = true;
    this.box.setAttribute("aria-busy", "true");
    try {
      while (this.waiting !== undefined) {
        const isDragged = this.waiting;
        this.waiting = undefined;
        if (this.changes.size === 0) this.showRecorded();
        else await this.simulate(isDragged);
      }
    } catch (error) {
      this.waiting = undefined;
      this.sayFailure(error);
    } finally {
      this.isAsking = false;
      this.box.setAttribute("aria-busy", "false");
    }
  }

  private start(): Promise<Engine> {
    this.engine ??= bytesOf("engine").then(engineOf);
    return this.engine;
  }

  private async simulate(isDragged: boolean): Promise<void> {
    const { generation, recorded } = this;
    if (this.engine === undefined) this.say("Starting the engine…");
    const engine = await this.start();
    performance.mark("ringside-asked");
    const changes = new Map(this.changes);
    if (isDragged) changes.set("detail.level", quickDetail);
    const runs: LiveRun[] = [];
    for (const { run } of recorded) {
      const document = changedDocument(run.draft, changes);
      const { json, block } = await engine.ask(JSON.stringify(document));
      if (generation !== this.generation) return;
      const reply = JSON.parse(json) as Reply;
      if (!("result" in reply)) {
        this.refuse(reply);
        return;
      }
      runs.push(this.liveRun(run, reply, block));
    }
    this.show(runs);
    this.say(this.sentence(runs, isDragged));
    performance.measure("ringside-answered", "ringside-asked");
  }

  private liveRun(run: PageRun, facts: RunFacts, block: Uint8Array): LiveRun {
    const changed: PageRun = { ...run, ...facts, name: `${run.name} with ${this.changesText()}` };
    if (block.length === 0) return { run: changed, picture: undefined };
    const before = this.recorded.find(one => one.run === run)?.picture?.model.phases ?? [];
    const model = new Model(changed, readBlock(block));
    return {
      run: changed,
      picture: new Picture(model, this.page.words.causes.length, sentenceOf(changed), before),
    };
  }

  /** Returns the changes for people: "link.bandwidth=300GB/s, policy.preset=t3". */
  private changesText(): string {
    return settingsOf(this.controls, this.changes).join(", ");
  }

  private sentence(runs: readonly LiveRun[], isDragged: boolean): string {
    const parts = runs.flatMap(({ run }, i) => {
      const own = run.headlines[0]?.ps;
      const old = this.recorded[i]?.run.headlines[0]?.ps;
      if (own === undefined || old === undefined) return [];
      const name = runs.length > 1 ? `${this.recorded[i]!.run.name}: ` : "";
      const difference = own - old;
      const words =
        difference === 0
          ? "as long as recorded"
          : `${timeText(Math.abs(difference), 3)} ${difference < 0 ? "less" : "more"} than the recorded ${timeText(old)}`;
      return [`${name}${timeText(own)}, ${words}`];
    });
    const detail = isDragged ? ", at interactive detail" : "";
    return `With ${this.changesText()}: ${parts.join("; ")}${detail}.`;
  }

  private refuse(reply: Exclude<Reply, RunFacts>): void {
    if ("events" in reply) {
      const command = `ringside-cli run FILE ${settingsText(this.controls, this.changes)}`;
      this.say(
        `This run has about ${countText(Math.round(reply.events / 1e6))} million events, too many for a page. Save the experiment's document below as FILE and run: ${command}`,
      );
      return;
    }
    this.say(
      reply.problems
        .map(({ path, value, text }) => [path, value, text].filter(part => part !== "").join(": "))
        .join(". "),
    );
  }

  private sayFailure(error: unknown): void {
    this.engine = undefined;
    for (const field of this.fields.querySelectorAll<HTMLInputElement>("input, select"))
      field.disabled = true;
    const why = error instanceof Error ? error.message : String(error);
    this.say(
      `This browser does not run the engine in the page, so the page shows the recorded run. (${why})`,
    );
    this.showRecorded();
  }

  // Showing.

  private show(runs: readonly LiveRun[]): void {
    const end = Math.max(0, ...this.recorded.map(({ picture }) => picture?.end ?? 0));
    const shown = runs.map(({ run, picture }, i) => ({ run, picture, place: this.recorded[i]!.place }));
    runs.forEach(({ run }, i) => {
      const section = this.sections[this.page.runs.indexOf(this.recorded[i]!.run)];
      this.replace(section?.querySelector("h2"), [run.name]);
      this.replace(section?.querySelector(".headlines"), run.headlines.map(headlineItem));
    });
    // A bound is a formula, and has no picture.
    const hasPicture = shown.some(({ picture }) => picture !== undefined);
    this.main?.classList.toggle("no-picture", !hasPicture);
    this.main?.classList.add("changed");
    if (hasPicture) this.player()?.replaceRuns(shown, end);
  }

  /** Replaces what an element of a recorded run has. */
  private replace(element: Element | null | undefined, content: readonly (Node | string)[]): void {
    if (element == null) return;
    if (!this.originals.has(element)) this.originals.set(element, [...element.childNodes]);
    element.replaceChildren(...content);
  }

  /** Puts back what the recorded runs have. */
  private restore(): void {
    for (const [element, nodes] of this.originals) element.replaceChildren(...nodes);
    this.originals = new Map();
    this.main?.classList.remove("no-picture", "changed");
  }

  private showRecorded(): void {
    this.restore();
    if (this.recorded.some(({ picture }) => picture !== undefined))
      this.player()?.replaceRuns(this.recorded, 0);
  }

  private undo(): void {
    const { recorded } = this;
    this.offer(recorded);
    this.showRecorded();
  }

  private showState(): void {
    const isChanged = this.changes.size > 0;
    for (const element of [this.reset, ...this.copies]) element.disabled = !isChanged;
  }

  private say(text: string): void {
    this.said.textContent = text;
  }

  private async copy(text: Promise<string>): Promise<void> {
    try {
      const copied = await text;
      if (navigator.clipboard === undefined) this.say(copied);
      else
        await navigator.clipboard.writeText(copied).then(
          () => this.say("Copied."),
          () => this.say(copied),
        );
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Returns whether the page has the engine. */
export function isLive(): boolean {
  return document.getElementById("engine") !== null;
}
