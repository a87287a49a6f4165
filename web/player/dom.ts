// Makes elements. Texts are set as text: no markup is ever parsed.

type Attributes = { readonly [name: string]: string | number | boolean };

/** Makes an element; attributes that are false are left out, and those that are true are empty. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...content);
  return element;
}

/** Makes a table with a caption. The first cell of a row is its heading; columns of numbers are aligned at the right. */
export function makeTable(
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  numbersFrom = 1,
): HTMLTableElement {
  const cell = (name: "td" | "th", text: string, column: number, scope?: string) => {
    const attributes: Record<string, string> = {};
    if (scope !== undefined) attributes["scope"] = scope;
    if (column >= numbersFrom) attributes["class"] = "number";
    return make(name, attributes, text);
  };
  return make(
    "table",
    {},
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...headings.map((text, i) => cell("th", text, i, "col")))),
    make(
      "tbody",
      {},
      ...rows.map(row =>
        make("tr", {}, ...row.map((text, i) => (i === 0 ? cell("th", text, i, "row") : cell("td", text, i)))),
      ),
    ),
  );
}
