// The keys of the page, which are those of the window. A list of them is shown by "?".

export interface KeyAction {
  /** KeyboardEvent.key, as text; letters in lower case. */
  readonly keys: readonly string[];
  /** The keys as the list shows them. */
  readonly shown: string;
  readonly what: string;
  readonly act: () => void;
  /** Only while Ctrl is held. */
  readonly ctrl?: boolean;
}

/** Returns whether an element takes the keys that a reader types. */
function takesKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return true;
  const presses = key === " " || key === "Enter";
  return presses && ["BUTTON", "A", "SUMMARY"].includes(target.tagName);
}

export function listenForKeys(actions: readonly KeyAction[]): void {
  document.addEventListener("keydown", event => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.defaultPrevented || event.altKey || event.metaKey || takesKeys(event.target, key)) return;
    const action = actions.find(one => one.keys.includes(key) && (one.ctrl ?? false) === event.ctrlKey);
    // An open dialog has the keys to itself: Escape closes it.
    if (action === undefined || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    action.act();
  });
}
