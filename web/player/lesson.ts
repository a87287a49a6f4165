// A lesson on a page: one step at a time, beside its runs. The page has the texts; the answers fold out when the reader
// has predicted or given up. Nothing is sent or stored.
import { judgeChoice, judgeNumber, type Verdict } from "./answers";
import type { LessonStep, PageDocument } from "./document";
import { make } from "./dom";
import { timeText } from "./format";
import { readFragment } from "./fragment";
import { type KeyAction, listenForKeys } from "./keys";
import { isLive, Live } from "./live";
import { button, Player, presenterWidth, type ShownRun } from "./player";

export interface LessonRuns {
  /** Returns a run of the page by its number. */
  readonly load: (index: number) => Promise<ShownRun>;
  readonly fail: (error: unknown) => void;
}

/** What the reader has done in a step. */
interface Progress {
  revealed: boolean;
  tried: boolean;
}

class Lesson {
  private readonly page: PageDocument;
  private readonly root: HTMLElement;
  private readonly runs: LessonRuns;
  private readonly steps: readonly LessonStep[];
  private readonly articles: readonly HTMLElement[];
  /** The parts of the page that show the runs, by number; they are moved. */
  private readonly sections: readonly HTMLElement[];
  private readonly progress: Progress[];
  private readonly loaded = new Map<number, Promise<ShownRun>>();
  private readonly pinned = make("p", { class: "pinned", hidden: true });
  private readonly main: HTMLElement;
  private readonly back: HTMLButtonElement;
  private readonly next: HTMLButtonElement;
  private readonly live: Live | undefined;
  private player: Player | undefined;
  private current = 0;
  /** The runs that are shown; a step that is left meanwhile does not show its runs any more. */
  private wanted = "";

  constructor(page: PageDocument, root: HTMLElement, runs: LessonRuns) {
    this.page = page;
    this.root = root;
    this.runs = runs;
    this.steps = page.lesson?.steps ?? [];
    this.articles = [...document.querySelectorAll<HTMLElement>(".step")];
    this.sections = [...document.querySelectorAll<HTMLElement>(".run")];
    this.progress = this.steps.map(() => ({ revealed: false, tried: false }));
    this.main = document.querySelector("main") ?? document.body;
    this.back = button("Back", "Go to the step before (B)", () => this.goTo(this.current - 1));
    this.next = button("Next", "Show the answer, then go to the next step (N)", () => this.advance());
    this.next.classList.add("primary");
    for (const [i, article] of this.articles.entries()) this.prepare(article, i);
    document
      .querySelector(".steps")
      ?.append(make("div", { class: "turn", role: "group", "aria-label": "Steps" }, this.back, this.next));
    root.replaceChildren(this.pinned);
    if (isLive()) {
      this.live = new Live(page, () => this.player);
      root.append(this.live.element);
    }
    window.addEventListener("hashchange", () => this.openFragment());
    listenForKeys(this.keys);
  }

  async start(): Promise<void> {
    const { step } = readFragment(location.hash, 1);
    this.current = this.indexOf(step) ?? 0;
    this.showTexts();
    await this.showRuns();
    // Without a run there is no player that makes the text of a projector larger.
    if (this.player === undefined)
      document.documentElement.classList.toggle("presenter", window.innerWidth >= presenterWidth);
    // A step without a run never draws.
    performance.mark("ringside-drawn");
  }

  private get keys(): KeyAction[] {
    return [
      {
        keys: ["n"],
        shown: "N",
        what: "show the answer, then go to the next step",
        act: () => this.advance(),
      },
      { keys: ["b"], shown: "B", what: "go to the step before", act: () => this.goTo(this.current - 1) },
    ];
  }

  private indexOf(step: number | undefined): number | undefined {
    return step !== undefined && step >= 1 && step <= this.steps.length ? step - 1 : undefined;
  }

  private openFragment(): void {
    const index = this.indexOf(readFragment(location.hash, 1).step);
    if (index !== undefined && index !== this.current) this.goTo(index);
  }

  // Texts and questions.

  private prepare(article: HTMLElement, index: number): void {
    const heading = article.querySelector("h2");
    heading?.setAttribute("tabindex", "-1");
    for (const words of article.querySelectorAll<HTMLElement>("[data-lane], [data-part]")) {
      const lane = words.dataset["lane"];
      const point = button("", "Show it in the picture", () =>
        this.highlight(lane === undefined ? undefined : Number(lane), words.dataset["part"]),
      );
      point.classList.add("part");
      point.append(...words.childNodes);
      words.replaceWith(point);
    }
    const step = this.steps[index];
    if (step?.play !== undefined) {
      const { from, to, seconds, loop } = step.play;
      const play = button("▶ Play this part", "Play the part of the run that the step is about", () =>
        this.player?.playPart(from, to, seconds, loop),
      );
      heading?.after(make("p", {}, play));
    }
    if (step?.question !== undefined) this.prepareQuestion(article, index);
    const then = article.querySelector<HTMLDetailsElement>(".then");
    if (step?.tried !== undefined && then !== null)
      then.addEventListener("toggle", () => {
        this.progress[index]!.tried = then.open;
        void this.showRuns();
      });
  }

  private prepareQuestion(article: HTMLElement, index: number): void {
    const question = this.steps[index]!.question!;
    const box = article.querySelector<HTMLElement>(".question");
    const reveal = article.querySelector<HTMLDetailsElement>(".reveal");
    if (box === null || reveal === null) return;
    reveal.hidden = true;
    const verdict = make("p", { class: "verdict", role: "status" });
    const form = make("form", {});
    const asked = box.querySelector("p");
    let judge: () => Verdict | undefined;
    if ("right" in question) {
      const options = [...box.querySelectorAll("li")].map((item, i) => {
        const radio = make("input", { type: "radio", name: `choice-${index}`, value: i });
        return make("label", {}, radio, make("span", {}, ...item.childNodes));
      });
      box.querySelector("ol")?.remove();
      const legend = make("legend", {}, ...(asked?.childNodes ?? []));
      asked?.remove();
      form.append(make("fieldset", {}, legend, ...options));
      judge = () => {
        const chosen = form.querySelector<HTMLInputElement>("input:checked");
        if (chosen === null) return undefined;
        return judgeChoice(question, Number(chosen.value));
      };
    } else {
      const field = make("input", { type: "text", autocomplete: "off", size: 12, id: `answer-${index}` });
      const label = make("label", { for: `answer-${index}` }, "Your prediction");
      box.querySelector(".unit")?.remove();
      form.append(make("p", {}, label, " ", field, ` ${question.unit}`));
      judge = () => (field.value.trim() === "" ? undefined : judgeNumber(question, field.value));
    }
    form.append(make("p", { class: "answers" }, make("button", { type: "submit" }, "Check")));
    form.addEventListener("submit", event => {
      event.preventDefault();
      const judged = judge();
      if (judged === undefined) {
        verdict.textContent = "Predict first: a guess is enough.";
        return;
      }
      verdict.textContent = judged.words;
      verdict.dataset["kind"] = judged.kind;
      this.reveal(index);
    });
    box.append(form, verdict);
  }

  private reveal(index: number): void {
    const article = this.articles[index];
    const progress = this.progress[index];
    if (article === undefined || progress === undefined || progress.revealed) return;
    progress.revealed = true;
    const details = article.querySelector<HTMLDetailsElement>(".reveal");
    if (details !== null) {
      details.hidden = false;
      details.open = true;
    }
    for (const input of article.querySelectorAll<HTMLInputElement>(".question input, .question button"))
      input.disabled = true;
    this.showTurn();
    void this.showRuns();
  }

  private asks(index: number): boolean {
    return this.steps[index]?.question !== undefined && !this.progress[index]!.revealed;
  }

  // Steps.

  private advance(): void {
    if (this.asks(this.current)) this.reveal(this.current);
    else this.goTo(this.current + 1);
  }

  private goTo(index: number): void {
    if (index < 0 || index >= this.steps.length) return;
    this.current = index;
    this.showTexts();
    void this.showRuns();
    const heading = this.articles[index]?.querySelector("h2");
    heading?.focus({ preventScroll: true });
    if (heading != null && heading.getBoundingClientRect().top < 0) heading.scrollIntoView();
  }

  private showTexts(): void {
    this.articles.forEach((article, i) => {
      article.hidden = i !== this.current;
    });
    this.showTurn();
  }

  private showTurn(): void {
    this.back.disabled = this.current === 0;
    const isLast = this.current + 1 === this.steps.length;
    const asks = this.asks(this.current);
    this.next.textContent = asks ? "Show the answer" : "Next";
    this.next.disabled = isLast && !asks;
  }

  /** Returns the step whose runs are shown: a step that holds shows those of the step before until it is answered. */
  private stepOfRuns(): number {
    let index = this.current;
    while (index > 0 && this.steps[index]?.holds === true && this.asks(index)) --index;
    return index;
  }

  // Runs.

  private async showRuns(): Promise<void> {
    const index = this.stepOfRuns();
    const step = this.steps[index];
    if (step === undefined) return;
    const tried = index === this.current && this.progress[index]?.tried === true ? step.tried : undefined;
    const numbers = tried === undefined || step.runs.includes(tried) ? step.runs : [...step.runs, tried];
    const wanted = `${index}: ${numbers.join()}`;
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    try {
      const runs = await Promise.all(numbers.map(number => this.load(number)));
      if (this.wanted === wanted) this.show(step, numbers, runs);
    } catch (error) {
      this.runs.fail(error);
    }
  }

  private load(number: number): Promise<ShownRun> {
    let run = this.loaded.get(number);
    if (run === undefined) {
      run = this.runs.load(number);
      this.loaded.set(number, run);
    }
    return run;
  }

  private show(step: LessonStep, numbers: readonly number[], runs: readonly ShownRun[]): void {
    const hasPicture = runs.some(({ picture }) => picture !== undefined);
    this.main.classList.toggle("no-run", numbers.length === 0);
    this.sections.forEach((section, i) => {
      section.hidden = !numbers.includes(i);
    });
    // Those of a comparison stand in its order.
    const after = document.getElementById("after");
    for (const number of numbers) after?.before(this.sections[number]!);
    this.showPinned(step, numbers);
    if (!hasPicture) return;
    if (this.player === undefined) {
      this.player = new Player(this.page, this.root, this.keys);
      this.player.placeOfPage = () => ({ step: this.current + 1 });
    }
    this.live?.offer(runs);
    this.player.showRuns(runs, step);
    this.highlightPart(step.highlight);
  }

  private highlight(lane: number | undefined, part: string | undefined): void {
    this.player?.frameLane(lane);
    this.highlightPart(part);
  }

  private highlightPart(part: string | undefined): void {
    this.main.classList.toggle("framed-ribbon", part === "ribbon");
    this.main.classList.toggle("framed-headlines", part === "headlines");
  }

  /** Compares the run with the one that an earlier step has pinned. */
  private showPinned(step: LessonStep, numbers: readonly number[]): void {
    const totalOf = (number: number) => this.page.runs[number]?.headlines[0]?.ps;
    const pinned = step.pinned === undefined ? undefined : totalOf(step.pinned);
    const own = numbers.length === 1 ? totalOf(numbers[0]!) : undefined;
    const isShown = pinned !== undefined && own !== undefined && step.pinned !== numbers[0];
    this.pinned.hidden = !isShown;
    if (!isShown) return;
    const difference = own - pinned;
    const comparison =
      difference === 0
        ? "this run takes as long"
        : `this run takes ${timeText(Math.abs(difference), 3)} ${difference < 0 ? "less" : "more"}`;
    this.pinned.textContent = `The run of before, ${this.page.runs[step.pinned!]!.name}: ${timeText(pinned)}; ${comparison}.`;
  }
}

export async function startLesson(page: PageDocument, root: HTMLElement, runs: LessonRuns): Promise<void> {
  await new Lesson(page, root, runs).start();
}
