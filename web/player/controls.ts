// The parameters that a reader of a live page can change (data/page/page_controls.h).

export interface Control {
  readonly path: string;
  readonly label: string;
  readonly meaning: string;
  readonly value: number | string;
  /** The value as people write it: "150 GB/s". */
  readonly text: string;
  readonly words?: readonly string[];
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
  readonly power?: boolean;
  readonly units?: readonly (readonly [word: string, factor: number])[];
}

/** Positions of a slider, from 0 to this. */
export const sliderSteps = 400;

/** Returns the value at a position: ratios are equal along the slider. The initial value has a position of its own. */
export function valueAtStep(control: Control, step: number): number {
  const least = control.least ?? 0;
  const most = control.most ?? 0;
  if (step === stepOf(control, Number(control.value))) return Number(control.value);
  const exact = least * (most / least) ** (step / sliderSteps);
  if (control.power === true) return Math.min(most, Math.max(least, 2 ** Math.round(Math.log2(exact))));
  // Three digits are as exact as a slider can be.
  const digit = 10 ** (Math.floor(Math.log10(exact)) - 2);
  const rounded =
    digit < 1 && control.whole === true
      ? Math.round(exact)
      : Number((Math.round(exact / digit) * digit).toPrecision(12));
  return Math.min(most, Math.max(least, rounded));
}

export function stepOf(control: Control, value: number): number {
  const least = control.least ?? 0;
  const most = control.most ?? 0;
  return most > least ? Math.round((Math.log(value / least) / Math.log(most / least)) * sliderSteps) : 0;
}

/** Returns the shortest exact text of a value: "300 GB/s". A document of an experiment reads it back. */
export function valueText(control: Control, value: number | string): string {
  if (typeof value === "string") return value;
  if (value === control.value) return control.text;
  let best = String(value);
  let chosen = "";
  for (const [word, factor] of control.units ?? []) {
    const text = String(value / factor);
    const isExact =
      value >= factor && /^\d+(\.\d{1,3})?$/.test(text) && Math.round(Number(text) * factor) === value;
    if (isExact && (chosen === "" || text.length < best.length)) {
      best = text;
      chosen = word;
    }
  }
  return chosen === "" ? best : best + (chosen.startsWith(":") ? "" : " ") + chosen;
}

type Document = { [key: string]: unknown };

/** Returns an experiment document with other values; "link.bandwidth" is the member "bandwidth" of "link". */
export function changedDocument(document: unknown, changes: ReadonlyMap<string, number | string>): Document {
  const changed = structuredClone(document) as Document;
  for (const [path, value] of changes) {
    const keys = path.split(".");
    let place = changed;
    for (const key of keys.slice(0, -1)) {
      const next = place[key];
      if (typeof next !== "object" || next === null) place[key] = {};
      place = place[key] as Document;
    }
    place[keys[keys.length - 1]!] = value;
  }
  return changed;
}

type Changes = ReadonlyMap<string, number | string>;

/** Returns the changes as settings: "link.bandwidth=300GB/s". */
export function settingsOf(controls: readonly Control[], changes: Changes): string[] {
  return [...changes].map(([path, value]) => {
    const control = controls.find(one => one.path === path);
    const text = control === undefined ? String(value) : valueText(control, value);
    return `${path}=${text.replace(/\s/g, "")}`;
  });
}

/** Returns the changes as arguments of the command line. */
export function settingsText(controls: readonly Control[], changes: Changes): string {
  return settingsOf(controls, changes)
    .map(setting => `--set ${/^[\w.=/:-]+$/.test(setting) ? setting : `'${setting}'`}`)
    .join(" ");
}

const crcTable = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i;
  for (let bit = 0; bit < 8; ++bit) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the CRC-32 of a text of ASCII as eight hex digits. */
export function checksum(text: string): string {
  let sum = 0xffffffff;
  for (let i = 0; i < text.length; ++i) sum = (sum >>> 8) ^ crcTable[(sum ^ text.charCodeAt(i)) & 255]!;
  return ((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

/** Returns the link text of an experiment (data/experiment/link_text.h). */
export async function linkText(document: unknown): Promise<string> {
  const { format: _format, version: _version, ...experiment } = document as Document;
  const scene = JSON.stringify({ format: "ringside-scene", version: 1, experiment });
  const stream = new Blob([scene]).stream().pipeThrough(new CompressionStream("deflate"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  const text = btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  return `ringside:1:${text}:${checksum(text)}`;
}
