// What the colours and textures of the pictures mean.
import type { Colours, Fill } from "./colours";
import type { Words } from "./document";
import { make } from "./dom";
import { kernelName } from "./facts";
import type { Picture } from "./picture";

function entry(text: string, fill: Fill): HTMLElement {
  const scale = Math.max(1, window.devicePixelRatio);
  const swatch = make("canvas", { class: "swatch", "aria-hidden": "true" });
  swatch.width = Math.round(22 * scale);
  swatch.height = Math.round(12 * scale);
  const context = swatch.getContext("2d")!;
  context.fillStyle = fill.style;
  context.fillRect(0, 0, swatch.width, swatch.height);
  return make("li", {}, swatch, text);
}

/** Makes the legend of all pictures: roles or kernels, then the causes of the ribbon. */
export function makeLegend(pictures: readonly Picture[], words: Words, colours: Colours): HTMLElement {
  const rows: HTMLElement[] = [];
  const seen = new Set<string>();
  const add = (text: string, fill: Fill) => {
    if (!seen.has(text)) rows.push(entry(text, fill));
    seen.add(text);
  };
  for (const { model } of pictures) {
    const parts = new Set(model.rows(new Set(["0/gpu/0"])).map(row => row.kind));
    if (model.inCompany) {
      const kernels = new Set(
        model.rows(new Set(["0/gpu/0"])).flatMap(row => [...model.kernelsIn(row.gpu, row)]),
      );
      for (const kernel of [...kernels].sort((a, b) => a - b))
        add(kernelName(model, kernel), colours.kernel(kernel));
      continue;
    }
    if (parts.has("compute")) add("GEMM, compute stream", colours.role("gemm"));
    if (parts.has("reduce-scatter"))
      add(`${model.run.scatter}, communication stream`, colours.role("reduce-scatter"));
    if (parts.has("all-gather")) add("all-gather", colours.role("all-gather"));
    if (model.phases.some(phase => phase.role === "overlapped"))
      add("GEMM and collective at once", colours.overlapped());
    if (model.phases.some(phase => phase.role === "exposed"))
      add("collective without GEMM", colours.role("exposed"));
    if (parts.has("tracker")) add("tracker", colours.role("tracker"));
    if (parts.has("dma")) add("DMA", colours.role("dma"));
    if (parts.has("link-out")) add("link", colours.role("link"));
    if ((model.lastWave(0)?.empty.length ?? 0) > 0) add("empty slots of the last wave", colours.gap());
  }
  const causes = new Set<number>();
  for (const picture of pictures) {
    const { path } = picture.model.block;
    for (let i = 0; i < path.count; ++i) causes.add(path.cause[i]!);
  }
  const ribbon = [...causes]
    .sort((a, b) => a - b)
    .map(cause => entry(words.causes[cause] ?? String(cause), colours.cause(cause)));
  const legend = make(
    "div",
    { class: "legend" },
    make("ul", { "aria-label": "Colours of the rows" }, ...rows),
  );
  if (ribbon.length > 0)
    legend.append(
      make(
        "ul",
        { "aria-label": "Causes in the ribbon" },
        make("li", { class: "title" }, "The end waited for"),
        ...ribbon,
      ),
    );
  return legend;
}
