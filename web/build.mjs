// Builds the player: dist/page.js and dist/page.css, which are in git and which CMake compiles into Ringside.
//
//   node build.mjs           writes dist/
//   node build.mjs --check   writes nothing; exit code 1 if dist/ is not what the sources give
//   node build.mjs --tests   bundles tests/*.test.ts into dist-tests/, for node --test
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const mostBytes = 96_000;

if (process.argv.includes("--tests")) {
  const tests = readdirSync(join(root, "tests")).filter(name => name.endsWith(".test.ts"));
  buildSync({
    entryPoints: tests.map(name => join(root, "tests", name)),
    outdir: join(root, "dist-tests"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node18",
    packages: "external",
    logLevel: "warning",
  });
} else {
  const script = buildSync({
    entryPoints: [join(root, "player/main.ts")],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2021",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  }).outputFiles[0].text;
  const style = transformSync(readFileSync(join(root, "page.css"), "utf8"), {
    loader: "css",
    minify: true,
  }).code;
  if (script.length > mostBytes) {
    console.error(`dist/page.js: ${script.length} bytes; allowed: ${mostBytes}`);
    process.exit(1);
  }
  // Inside a <script>, the text would end the script or begin a comment.
  for (const mark of ["</script", "<!--"]) {
    if (script.toLowerCase().includes(mark)) {
      console.error(`dist/page.js: contains ${mark}, which ends a script of a page`);
      process.exit(1);
    }
  }
  let different = false;
  for (const [name, text] of [
    ["page.js", script],
    ["page.css", style],
  ]) {
    const path = join(root, "dist", name);
    if (!process.argv.includes("--check")) {
      writeFileSync(path, text);
      console.log(`dist/${name}: ${text.length} bytes`);
      continue;
    }
    if (readFileSync(path, "utf8") !== text) {
      console.error(
        `dist/${name} is not what the sources give: run "npm run build" in web/ and commit the file`,
      );
      different = true;
    }
  }
  process.exit(different ? 1 : 0);
}
