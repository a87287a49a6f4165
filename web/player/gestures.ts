// Pointer, wheel and touch: hover shows facts, drag pans, two fingers zoom, a tap or a click sets the cursor.
import type { Picture, Spot } from "./picture";

export interface Gestures {
  readonly hover: (spot: Spot | undefined) => void;
  readonly point: (spot: Spot) => void;
  /** Moves the visible range by a time. */
  readonly pan: (by: number) => void;
  /** Zooms by a factor (2: half as much time), with `at` staying where it is. */
  readonly zoom: (at: number, factor: number) => void;
}

const dragBegins = 4;

export function listenForPointers(picture: Picture, gestures: Gestures): void {
  const { root } = picture;
  const pointers = new Map<number, { x: number; y: number }>();
  let begin: { x: number; y: number; moved: boolean } | undefined;
  let spread = 0;

  const timeOfPixels = (pixels: number) =>
    picture.timeAtPoint(root.getBoundingClientRect().left + 1000 + pixels) -
    picture.timeAtPoint(root.getBoundingClientRect().left + 1000);

  root.addEventListener("pointerdown", event => {
    if (event.button !== 0 || picture.spotAt(event.clientX, event.clientY) === undefined) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    begin = { x: event.clientX, y: event.clientY, moved: pointers.size > 1 };
    const [first, second] = [...pointers.values()];
    spread = first !== undefined && second !== undefined ? Math.abs(first.x - second.x) : 0;
  });
  root.addEventListener("pointermove", event => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType !== "touch") gestures.hover(picture.spotAt(event.clientX, event.clientY));
      return;
    }
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [first, second] = [...pointers.values()];
    if (first !== undefined && second !== undefined) {
      const now = Math.abs(first.x - second.x);
      if (spread > 10 && now > 10) gestures.zoom(picture.timeAtPoint((first.x + second.x) / 2), now / spread);
      spread = now;
      return;
    }
    if (begin !== undefined && !begin.moved && Math.abs(event.clientX - begin.x) > dragBegins) {
      begin.moved = true;
      root.setPointerCapture(event.pointerId);
    }
    if (begin?.moved === true) gestures.pan(-timeOfPixels(event.clientX - before.x));
  });
  const release = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    const spot = picture.spotAt(event.clientX, event.clientY);
    if (event.type === "pointerup" && begin !== undefined && !begin.moved && spot !== undefined)
      gestures.point(spot);
    if (pointers.size === 0) begin = undefined;
  };
  root.addEventListener("pointerup", release);
  root.addEventListener("pointercancel", release);
  root.addEventListener("pointerleave", event => {
    if (event.pointerType !== "touch") gestures.hover(undefined);
  });
  root.addEventListener(
    "wheel",
    event => {
      // Without Ctrl and without the focus, the wheel scrolls the page.
      if (!event.ctrlKey && !root.contains(document.activeElement)) return;
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) gestures.pan(timeOfPixels(event.deltaX));
      else gestures.zoom(picture.timeAtPoint(event.clientX), 1.0015 ** -event.deltaY);
    },
    { passive: false },
  );
}
