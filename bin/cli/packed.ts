/** Command line of the built npm package. State belongs to the current folder. */
import fs from "node:fs/promises";
import path from "node:path";
import { runCommandLine } from "./process.ts";

// The bundle of this module is in `dist/cli`.
const built = import.meta.dirname;

await runCommandLine({
  root: path.resolve(built, "..", ".."),
  homeBase: process.cwd(),
  verifierHtml: () => fs.readFile(path.join(built, "countersign-verifier.html"), "utf8"),
  loadProgram: () => import("../../server/cli/main.ts"),
});
