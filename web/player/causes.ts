// The time of a run by cause: sums along its critical path.
import type { Path } from "./block";
import { type Edges, timeAt, type View } from "./columns";

export class Causes {
  readonly path: Path;
  readonly kinds: number;
  /** The sums before each step, step by step. */
  private readonly sums: Float64Array;

  constructor(path: Path, kinds: number) {
    this.path = path;
    this.kinds = kinds;
    this.sums = new Float64Array((path.count + 1) * kinds);
    for (let i = 0; i < path.count; ++i) {
      for (let cause = 0; cause < kinds; ++cause)
        this.sums[(i + 1) * kinds + cause] = this.sums[i * kinds + cause]!;
      const start = i > 0 ? path.end[i - 1]! : 0;
      const cause = path.cause[i]!;
      if (cause < kinds) this.sums[(i + 1) * kinds + cause]! += path.end[i]! - start;
    }
  }

  /** Returns the step of the path at a time; -1 after its end. */
  stepAt(ps: number): number {
    let low = 0;
    let high = this.path.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.path.end[middle]! > ps) high = middle;
      else low = middle + 1;
    }
    return low < this.path.count ? low : -1;
  }

  startOf(step: number): number {
    return step > 0 ? this.path.end[step - 1]! : 0;
  }

  /** Adds to `times` the time of each cause until `ps`, times `sign`. */
  private addUntil(ps: number, sign: number, times: Float64Array): void {
    const step = ps <= 0 ? 0 : this.stepAt(ps);
    const at = step < 0 ? this.path.count : step;
    for (let cause = 0; cause < this.kinds; ++cause)
      times[cause]! += sign * this.sums[at * this.kinds + cause]!;
    if (step < 0 || ps <= 0) return;
    const cause = this.path.cause[step]!;
    if (cause < this.kinds) times[cause]! += sign * (ps - this.startOf(step));
  }

  between(from: number, to: number): Float64Array {
    const times = new Float64Array(this.kinds);
    this.addUntil(to, 1, times);
    this.addUntil(from, -1, times);
    return times;
  }

  /** Returns the time of each cause in every pixel column, column by column. A pixel shorter than a picosecond has the
   * cause at its time. */
  columns(edges: Edges, view: View): Float64Array {
    const { times } = edges;
    const count = Math.max(0, times.length - 1);
    const columns = new Float64Array(count * this.kinds);
    let step = this.stepAt(Math.max(0, times[0]!));
    if (step < 0) step = this.path.count;
    for (let i = 0; i < count; ++i) {
      const to = times[i + 1]!;
      let isEmpty = true;
      for (let at = times[i]!; step < this.path.count && at < to; ) {
        const ends = this.path.end[step]!;
        const cause = this.path.cause[step]!;
        const until = Math.min(ends, to);
        if (until > at && cause < this.kinds) {
          columns[i * this.kinds + cause]! += until - at;
          isEmpty = false;
        }
        at = Math.max(at, until);
        if (ends <= to) ++step;
      }
      if (!isEmpty) continue;
      const middle = this.stepAt(timeAt(view, edges.first + i + 0.5));
      const cause = middle >= 0 ? this.path.cause[middle]! : this.kinds;
      if (cause < this.kinds) columns[i * this.kinds + cause] = 1;
    }
    return columns;
  }
}
