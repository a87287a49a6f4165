// The head of a picture: the named phases of the run, the ribbon of causes and the axis of time.
import type { Causes } from "./causes";
import type { Colours, Fill } from "./colours";
import { edgesOf, type View, xOf } from "./columns";
import { timeTicks } from "./format";
import type { Phase } from "./model";

/** Heights of the strips, in CSS pixels. */
export interface HeadLayout {
  readonly before: number;
  readonly phases: number;
  readonly ribbon: number;
  readonly axis: number;
}

export function headHeight(layout: HeadLayout): number {
  return layout.before + layout.phases + layout.ribbon + layout.axis + 4;
}

/** Returns the device pixels of the axis' ticks, with their texts. */
export function ticksOf(
  view: View,
  end: number,
  scale: number,
  textScale: number,
): { x: number; text: string }[] {
  const most = Math.max(1, Math.floor(view.width / (86 * scale * textScale)));
  return timeTicks(view.from, Math.min(view.to, end), most).map(({ ps, text }) => ({
    x: Math.floor(xOf(view, ps)),
    text,
  }));
}

export class HeadPainter {
  private readonly context: CanvasRenderingContext2D;
  private readonly colours: Colours;
  private readonly view: View;
  private readonly scale: number;
  private readonly textScale: number;

  constructor(
    context: CanvasRenderingContext2D,
    colours: Colours,
    view: View,
    scale: number,
    textScale: number,
  ) {
    this.context = context;
    this.colours = colours;
    this.view = view;
    this.scale = scale;
    this.textScale = textScale;
  }

  draw(
    layout: HeadLayout,
    before: readonly Phase[],
    phases: readonly Phase[],
    causes: Causes | undefined,
    ticks: readonly { x: number; text: string }[],
  ): void {
    const { scale } = this;
    this.outlines(before, Math.round(layout.before * scale));
    this.phases(phases, Math.round(layout.before * scale), Math.round(layout.phases * scale));
    const ribbon = Math.round((layout.before + layout.phases + 2) * scale);
    if (causes !== undefined && layout.ribbon > 0)
      this.ribbon(causes, ribbon, Math.round(layout.ribbon * scale));
    this.axis(
      ticks,
      Math.round((layout.before + layout.phases + layout.ribbon + 4) * scale),
      Math.round(layout.axis * scale),
    );
  }

  private fillOf(role: Phase["role"]): Fill {
    return role === "overlapped" ? this.colours.overlapped() : this.colours.role(role);
  }

  /** Outlines the phases of the recorded run. */
  private outlines(phases: readonly Phase[], height: number): void {
    const { context, view, scale } = this;
    const thick = Math.max(1, Math.round(scale));
    for (const phase of phases) {
      const left = Math.max(0, Math.floor(xOf(view, phase.start)));
      const right = Math.min(view.width, Math.ceil(xOf(view, phase.end)));
      if (right - left < 2 * thick) continue;
      context.strokeStyle = this.fillOf(phase.role).plain;
      context.lineWidth = thick;
      context.strokeRect(left + thick / 2, thick / 2, right - left - thick, height - 3 * thick);
    }
  }

  private phases(phases: readonly Phase[], top: number, height: number): void {
    const { context, view, scale } = this;
    context.font = `${Math.round(11.5 * scale * this.textScale)}px ${this.colours.of("font")}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const phase of phases) {
      const left = Math.max(0, Math.floor(xOf(view, phase.start)));
      const right = Math.min(view.width, Math.ceil(xOf(view, phase.end)));
      if (right <= left) continue;
      const fill = this.fillOf(phase.role);
      context.fillStyle = fill.style;
      context.fillRect(left, top, right - left, height);
      const room = phase.role === "overlapped" ? 60 * scale : 10 * scale;
      const text = [phase.label, phase.brief].find(
        one => context.measureText(one).width + room <= right - left,
      );
      if (text === undefined) continue;
      const middle = (left + right) / 2;
      if (fill.style !== fill.plain) {
        const wide = context.measureText(text).width + 12 * scale;
        context.fillStyle = fill.plain;
        context.fillRect(middle - wide / 2, top, wide, height);
      }
      context.fillStyle = fill.ink;
      context.fillText(text, middle, top + height / 2 + scale * 0.5);
    }
  }

  /** Stacks the causes of each column in a fixed order, so that the area of a cause is its time at every zoom. */
  private ribbon(causes: Causes, top: number, height: number): void {
    const { context, view } = this;
    const end = causes.path.count > 0 ? causes.path.end[causes.path.count - 1]! : 0;
    const edges = edgesOf(view, 0, end);
    const count = edges.times.length - 1;
    if (count <= 0) return;
    const columns = causes.columns(edges, view);
    const { kinds } = causes;
    const foots = new Int32Array(count * (kinds + 1));
    const isThere = new Uint8Array(kinds);
    for (let i = 0; i < count; ++i) {
      let total = 0;
      for (let cause = 0; cause < kinds; ++cause) {
        const time = columns[i * kinds + cause]!;
        total += time;
        if (time > 0) isThere[cause] = 1;
      }
      let sum = 0;
      for (let cause = 0; cause < kinds; ++cause) {
        sum += columns[i * kinds + cause]!;
        foots[i * (kinds + 1) + cause + 1] = total > 0 ? Math.round((sum / total) * height) : 0;
      }
    }
    for (let cause = 0; cause < kinds; ++cause) {
      if (isThere[cause] === 0) continue;
      context.fillStyle = this.colours.cause(cause).style;
      context.beginPath();
      let from = 0;
      let head = foots[cause]!;
      let foot = foots[cause + 1]!;
      for (let i = 1; i <= count; ++i) {
        const at = i * (kinds + 1) + cause;
        if (i < count && foots[at] === head && foots[at + 1] === foot) continue;
        if (foot > head) context.rect(edges.first + from, top + head, i - from, foot - head);
        from = i;
        head = foots[at] ?? 0;
        foot = foots[at + 1] ?? 0;
      }
      context.fill();
    }
  }

  private axis(ticks: readonly { x: number; text: string }[], top: number, height: number): void {
    const { context, view, scale } = this;
    context.font = `${Math.round(11 * scale * this.textScale)}px ${this.colours.of("font")}`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    let free = 0;
    for (const { x, text } of ticks) {
      context.fillStyle = this.colours.of("line");
      context.fillRect(
        x,
        top + height - Math.round(5 * scale),
        Math.max(1, Math.round(scale)),
        Math.round(5 * scale),
      );
      const wide = context.measureText(text).width;
      // The text stands at its tick, and within the picture.
      const left = Math.min(Math.max(0, x - wide / 2), view.width - wide);
      if (left < free) continue;
      context.fillStyle = this.colours.of("ink-soft");
      context.fillText(text, left, top + height / 2 - 2 * scale);
      free = left + wide + 8 * scale;
    }
  }
}
