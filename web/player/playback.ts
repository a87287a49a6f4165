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

export class Playback {
  speed = 1;
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
    this.played.changed();
  }

  private play(): void {
    const at = this.played.cursor();
    if (at === undefined || at >= this.played.end) this.played.show(0);
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
    const ps = (this.played.cursor() ?? 0) + (elapsed * this.speed * this.played.end) / runSeconds;
    this.played.show(Math.min(this.played.end, Math.round(ps)));
    if (ps >= this.played.end) this.pause();
    else this.frame = requestAnimationFrame(next => this.move(next));
  }

  /** Shows a phase for a second, and the next one after it: nothing slides. */
  private step(): void {
    this.timer = window.setTimeout(() => {
      const at = this.played.cursor() ?? 0;
      const next = this.played.stops.find(stop => stop > at) ?? this.played.end;
      this.played.show(next);
      if (next >= this.played.end) this.pause();
      else this.step();
    }, 1000 / this.speed);
  }
}
