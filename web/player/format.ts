// Numbers as people read them: the same texts as data/document/readable_number.

const noBreakSpace = "\u00a0";

const timeUnits: readonly (readonly [number, string])[] = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"],
];
const byteUnits: readonly (readonly [number, string])[] = [
  [1e15, "PB"],
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
  [1, "B"],
];

/** Returns the first unit, from the largest, that is not larger than `magnitude`; the smallest if all are larger. */
function unitFor(
  units: readonly (readonly [number, string])[],
  magnitude: number,
): readonly [number, string] {
  return units.find(([size]) => magnitude >= size) ?? units[units.length - 1]!;
}

/** Returns a number with this many decimals; halves round away from zero. */
export function decimals(value: number, count: number): string {
  const text = Math.abs(value).toFixed(count);
  return value < 0 && Number(text) !== 0 ? `-${text}` : text;
}

function inUnit(quantity: number, units: readonly (readonly [number, string])[], digits: number): string {
  const [size, name] = unitFor(units, Math.abs(quantity));
  const value = quantity / size;
  const whole = Math.abs(value) < 1 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
  return decimals(value, size === 1 ? 0 : Math.max(0, digits - whole)) + noBreakSpace + name;
}

/** Returns "1.234 ms": a time in the unit that keeps the number between 1 and 1000. */
export function timeText(ps: number, digits = 4): string {
  return ps === 0 ? `0${noBreakSpace}ns` : inUnit(ps, timeUnits, digits);
}

/** Returns "2 033 057 445 ps": all picoseconds. */
export function exactText(ps: number): string {
  return `${countText(ps)}${noBreakSpace}ps`;
}

/** Returns the time of a running clock. `scale` decides the unit and the decimals, so that the text keeps its width. */
export function steadyText(ps: number, scale: number): string {
  const [size, name] = unitFor(timeUnits, Math.max(scale, 1));
  const value = scale / size;
  const whole = value < 1 ? 1 : Math.floor(Math.log10(value)) + 1;
  return decimals(ps / size, size === 1 ? 0 : Math.max(1, 5 - whole)) + noBreakSpace + name;
}

export function bytesText(bytes: number): string {
  return inUnit(bytes, byteUnits, 3);
}

export function percentText(fraction: number): string {
  return `${decimals(100 * fraction, 0)}${noBreakSpace}%`;
}

/** Returns "48 213", grouped by no-break spaces. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, noBreakSpace);
}

/** Returns round times in a range, at most `most` + 1, all in one unit and with as many decimals as they need. */
export function timeTicks(from: number, to: number, most: number): { ps: number; text: string }[] {
  let power = 1;
  let step = 1;
  search: for (; ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      step = power * factor;
      if (Math.floor((to - from) / step) <= Math.max(1, most)) break search;
    }
  }
  const [size, name] = unitFor(timeUnits, Math.max(to, 1));
  const places = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  const ticks: { ps: number; text: string }[] = [];
  for (let ps = Math.ceil(from / step) * step; ps <= to; ps += step)
    ticks.push({ ps, text: ps === 0 ? "0" : decimals(ps / size, places) + noBreakSpace + name });
  return ticks;
}
