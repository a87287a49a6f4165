// The part of the page's address that says what is seen: #at=1.2ms&from=20%25&to=30%25&gpu=3. What is unknown or bad is
// ignored: links are typed by hand, cut by mail programs and written by later versions.

export interface Place {
  readonly at?: number;
  readonly from?: number;
  readonly to?: number;
  readonly gpu?: number;
  readonly step?: number;
}

const units: { readonly [name: string]: number } = {
  ps: 1,
  ns: 1e3,
  us: 1e6,
  µs: 1e6,
  μs: 1e6,
  ms: 1e9,
  s: 1e12,
};

/** Returns the picoseconds of "1.2ms" or of "20%" of a run that ends at `end`; undefined for any other text and for times
 * outside the run. */
export function momentOf(text: string, end: number): number | undefined {
  const match = /^\s*(\d{1,18}(?:\.\d{1,18})?)\s*(%|[a-zµμ]{1,2})\s*$/.exec(text);
  if (match === null) return undefined;
  const factor = match[2] === "%" ? end / 100 : units[match[2]!];
  if (factor === undefined) return undefined;
  const ps = Math.round(Number(match[1]) * factor);
  return ps <= end ? ps : undefined;
}

function wholeOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** Reads a fragment, with or without its "#". A range needs both ends, the first before the second. */
export function readFragment(fragment: string, end: number): Place {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const moment = (key: string) => momentOf(values.get(key) ?? "", end);
  const place: { -readonly [key in keyof Place]: number } = {};
  const at = moment("at");
  if (at !== undefined) place.at = at;
  const from = moment("from");
  const to = moment("to");
  if (from !== undefined && to !== undefined && from < to) {
    place.from = from;
    place.to = to;
  }
  const gpu = wholeOf(values.get("gpu"));
  if (gpu !== undefined) place.gpu = gpu;
  const step = wholeOf(values.get("step"));
  if (step !== undefined) place.step = step;
  return place;
}

/** Writes a fragment whose times are exact. */
export function writeFragment(place: Place): string {
  const parts: string[] = [];
  for (const key of ["at", "from", "to"] as const) {
    if (place[key] !== undefined) parts.push(`${key}=${place[key]}ps`);
  }
  for (const key of ["gpu", "step"] as const) {
    if (place[key] !== undefined) parts.push(`${key}=${place[key]}`);
  }
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}
