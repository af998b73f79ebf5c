/** `npm run --silent sbom [-- FILE]`: writes the bill of materials as CycloneDX JSON to FILE or to standard output. */
import fs from "node:fs";
import { makeBom } from "./bom.ts";
import { ROOT } from "./start/settings.ts";
import { writeErr, writeOut } from "./terminal.mjs";

const file = process.argv[2];
const bom = makeBom(ROOT);
const text = `${JSON.stringify(bom, null, 2)}\n`;

if (file === undefined) writeOut(text);
else {
  fs.writeFileSync(file, text);
  writeErr(`Wrote ${bom.components.length} components to ${file}\n`);
}
