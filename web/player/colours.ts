// The colours of the page, as its style sheet sets them for the reader's theme, and the textures of fills.

/** What a fill stands for. */
export type Role =
  | "gemm"
  | "reduce-scatter"
  | "all-gather"
  | "dma"
  | "link"
  | "tracker"
  | "exposed"
  | "neutral";

export type Texture = "plain" | "falling" | "rising" | "crossed" | "rows" | "dots";

type Rgb = readonly [number, number, number];

/** The style of each cause, in the order of engine::Cause; as in the window (ui/look/cause_style). */
const causeStyles: readonly (readonly [variable: string, texture: Texture])[] = [
  ["gemm", "plain"],
  ["latency", "plain"],
  ["memory", "plain"],
  ["slices", "plain"],
  ["exposed", "falling"],
  ["reduce-scatter", "crossed"],
  ["link", "plain"],
  ["tracker", "dots"],
  ["ink-faint", "rows"],
  ["dispatch", "rising"],
  ["copy-0", "crossed"],
];
const copyTextures: readonly Texture[] = ["falling", "rising", "rows", "crossed", "dots"];
const copyHues = 3;

function rgbOf(text: string): Rgb {
  const digits = text.trim().replace("#", "");
  const channel = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) || 0;
  return [channel(0), channel(2), channel(4)];
}

function hexOf([red, green, blue]: Rgb): string {
  return `#${[red, green, blue].map(channel => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}

function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  return [0, 1, 2].map(i => a[i]! + (b[i]! - a[i]!) * share) as unknown as Rgb;
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map(channel => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const dark: Rgb = [0x0c, 0x12, 0x18];
const white: Rgb = [255, 255, 255];

/** Returns black or white, whichever is easier to read on a colour. */
function inkOn(color: Rgb): Rgb {
  const on = luminance(color) + 0.05;
  return on / (luminance(dark) + 0.05) >= 1.05 / on ? dark : white;
}

/** A fill that a canvas can use, and a colour of text that can be read on it. */
export interface Fill {
  readonly style: string | CanvasPattern;
  readonly plain: string;
  readonly ink: string;
}

export class Colours {
  readonly isDark: boolean;
  /** Whether the system replaces the page's colours: blocks then have outlines in its colour of text. */
  readonly forced: boolean;
  private readonly style: CSSStyleDeclaration;
  private readonly scale: number;
  private readonly fills = new Map<string, Fill>();
  private readonly values = new Map<string, string>();

  /** `scale` is the number of device pixels of a CSS pixel. */
  constructor(scale: number) {
    this.style = getComputedStyle(document.documentElement);
    this.scale = scale;
    this.isDark = this.rgb("theme")[0] > 0;
    this.forced = matchMedia("(forced-colors: active)").matches;
  }

  private rgb(name: string): Rgb {
    return rgbOf(this.of(name));
  }

  /** Returns a colour of the style sheet by the name of its variable. */
  of(name: string): string {
    let value = this.values.get(name);
    if (value === undefined) {
      value = this.style.getPropertyValue(`--${name}`).trim();
      this.values.set(name, value);
    }
    return value;
  }

  /** Returns a colour mixed into the background. */
  faint(name: string, share: number): string {
    return hexOf(mixed(this.rgb("surface"), this.rgb(name), share));
  }

  private once(key: string, make: () => Fill): Fill {
    let fill = this.fills.get(key);
    if (fill === undefined) {
      fill = make();
      this.fills.set(key, fill);
    }
    return fill;
  }

  private shaded(color: Rgb): Rgb {
    return this.isDark ? mixed(color, white, 0.24) : mixed(color, [0, 0, 0], 0.17);
  }

  /** Returns the fill of a role; `shaded` is the tint that sets a block apart from its neighbours. */
  role(role: Role, shaded = false): Fill {
    return this.once(`${role}/${shaded}`, () => {
      const own = this.rgb(role === "neutral" ? "ink-faint" : role);
      const color = shaded ? this.shaded(own) : own;
      return { style: hexOf(color), plain: hexOf(color), ink: hexOf(inkOn(color)) };
    });
  }

  /** Returns the fill of a kernel where several share a row. */
  kernel(kernel: number, shaded = false): Fill {
    return this.once(`kernel/${kernel}/${shaded}`, () => {
      const copy = Math.max(0, kernel - 2);
      const name = kernel === 0 ? "gemm" : kernel === 1 ? "reduce-scatter" : `copy-${copy % copyHues}`;
      const texture =
        kernel === 0 ? "plain" : kernel === 1 ? "dots" : copyTextures[copy % copyTextures.length]!;
      const color = shaded ? this.shaded(this.rgb(name)) : this.rgb(name);
      return this.textured(color, mixed(color, inkOn(color), 0.55), texture, 6);
    });
  }

  /** Returns the fill of a cause in the ribbon. */
  cause(cause: number): Fill {
    return this.once(`cause/${cause}`, () => {
      const [name, texture] = causeStyles[cause] ?? ["ink-faint", "plain"];
      const color = this.rgb(name);
      return this.textured(color, mixed(color, inkOn(color), 0.45), texture, 6);
    });
  }

  /** Returns the fill of a slot that stays empty. */
  gap(): Fill {
    return this.once("gap", () => this.textured(this.rgb("stripe"), this.rgb("ink-faint"), "falling", 6));
  }

  /** Returns the fill of a time in which GEMM and collective run at once: the stripes of both. */
  overlapped(): Fill {
    return this.once("overlapped", () => {
      const color = this.rgb("gemm");
      const size = 12 * this.scale;
      const stripes = this.tile(size, context => {
        context.fillStyle = hexOf(color);
        context.fillRect(0, 0, size, size);
        context.strokeStyle = hexOf(this.rgb("reduce-scatter"));
        context.lineWidth = size / 3;
        this.diagonals(context, size, 1, size);
      });
      return { style: stripes, plain: hexOf(color), ink: hexOf(inkOn(color)) };
    });
  }

  private textured(color: Rgb, ink: Rgb, texture: Texture, spacing: number): Fill {
    const plain = hexOf(color);
    const readable = hexOf(inkOn(color));
    if (texture === "plain") return { style: plain, plain, ink: readable };
    const size = Math.max(4, Math.round(spacing * this.scale));
    const style = this.tile(size, context => {
      context.fillStyle = plain;
      context.fillRect(0, 0, size, size);
      context.strokeStyle = context.fillStyle = hexOf(ink);
      context.lineWidth = Math.max(1, size * 0.18);
      if (texture === "falling" || texture === "crossed") this.diagonals(context, size, -1, size);
      if (texture === "rising" || texture === "crossed") this.diagonals(context, size, 1, size);
      if (texture === "rows") {
        for (const row of [0.25, 0.75]) context.fillRect(0, row * size, size, Math.max(1, size * 0.18));
      }
      if (texture === "dots") {
        const dot = Math.max(1, size * 0.3);
        for (const place of [0.25, 0.75])
          context.fillRect(place * size - dot / 2, place * size - dot / 2, dot, dot);
      }
    });
    return { style, plain, ink: readable };
  }

  /** Strokes diagonals that meet at the edges of a tile. */
  private diagonals(context: CanvasRenderingContext2D, size: number, slope: number, spacing: number): void {
    context.beginPath();
    for (let at = -2 * size; at <= 3 * size; at += spacing) {
      context.moveTo(at, slope > 0 ? 2 * size : -size);
      context.lineTo(at + 3 * size, slope > 0 ? -size : 2 * size);
    }
    context.stroke();
  }

  private tile(size: number, draw: (context: CanvasRenderingContext2D) => void): CanvasPattern {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const context = canvas.getContext("2d")!;
    draw(context);
    return context.createPattern(canvas, "repeat")!;
  }
}
