// Moves the cursor through the run. Nothing plays before the reader starts it.

/** Seconds in which a whole run is played at speed 1. */
const runSeconds = 8;

export interface Played {
  readonly end: number;
  /** The times at which a phase begins or ends, in order: the stops of a reader who wants no motion. */
  readonly stops: readonly number[];
  readonly cursor: () => number | undefined;
  readonly show: (ps: number) => void;
  readonly changed: () => void;
}

/** A part of the run that is played in a time of its own. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
  readonly loop: boolean;
}

export class Playback {
  speed = 1;
  private part: Part | undefined;
  private readonly played: Played;
  private frame = 0;
  private timer = 0;
  private last = 0;

  constructor(played: Played) {
    this.played = played;
  }

  get isPlaying(): boolean {
    return this.frame !== 0 || this.timer !== 0;
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  pause(): void {
    cancelAnimationFrame(this.frame);
    window.clearTimeout(this.timer);
    this.frame = this.timer = 0;
    this.part = undefined;
    this.played.changed();
  }

  /** Plays a part from its beginning. */
  playPart(part: Part): void {
    this.pause();
    this.part = part;
    this.played.show(part.from);
    this.play();
  }

  private get end(): number {
    return this.part?.to ?? this.played.end;
  }

  private play(): void {
    const at = this.played.cursor();
    if (at === undefined || at >= this.end) this.played.show(this.part?.from ?? 0);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.step();
    else {
      this.last = performance.now();
      this.frame = requestAnimationFrame(now => this.move(now));
    }
    this.played.changed();
  }

  private move(now: number): void {
    const elapsed = Math.max(0, now - this.last) / 1000;
    this.last = now;
    const { part, end } = this;
    const perSecond =
      part === undefined ? this.played.end / runSeconds : (part.to - part.from) / part.seconds;
    const ps = (this.played.cursor() ?? 0) + elapsed * this.speed * perSecond;
    const isOver = ps >= end;
    this.played.show(isOver && part?.loop === true ? part.from : Math.min(end, Math.round(ps)));
    if (isOver && part?.loop !== true) this.pause();
    else this.frame = requestAnimationFrame(next => this.move(next));
  }

  /** Shows a phase for a second, and the next one after it: nothing slides. */
  private step(): void {
    this.timer = window.setTimeout(() => {
      const at = this.played.cursor() ?? 0;
      const { end } = this;
      const next = Math.min(end, this.played.stops.find(stop => stop > at) ?? end);
      this.played.show(next);
      if (next >= end) this.pause();
      else this.step();
    }, 1000 / this.speed);
  }
}
