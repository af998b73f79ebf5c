/** `npm run --silent sbom [-- FILE]`: CycloneDX JSON. */
import fs from "node:fs";
import { makeBom } from "./bom.ts";
import { wordsOf } from "./start/failure.ts";
import { ROOT } from "./start/settings.ts";
import { writeErr, writeOut } from "./terminal.mjs";

const file = process.argv[2];

try {
  const bom = makeBom(ROOT);
  const text = `${JSON.stringify(bom, null, 2)}\n`;

  if (file === undefined) writeOut(text);
  else {
    fs.writeFileSync(file, text);
    writeErr(`Wrote ${bom.components.length} components to ${file}\n`);
  }
} catch (error) {
  writeErr(`Cannot create the bill of materials (npm 10 or newer is needed): ${wordsOf(error)}\n`);
  process.exitCode = 1;
}
