/** `npm run prose` fails where language got worse. `--tighten` lowers the limits. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { writeErr, writeOut } from "../terminal.mjs";
import { measure, MEASURES, type Figures, type Measure } from "./measures.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const limitsFile = path.join(import.meta.dirname, "limits.json");

type Limits = { readonly base: string; readonly limits: Partial<Figures> };

const names = Object.keys(MEASURES) as Measure[];
const isMoreBetter = (name: Measure): boolean => "more" in MEASURES[name];

const tighten = (name: Measure, figure: number, limit = figure): number =>
  isMoreBetter(name) ? Math.min(Math.max(figure, limit), MEASURES[name].goal) : Math.max(Math.min(figure, limit), MEASURES[name].goal);

const isWorse = (name: Measure, figure: number, limit: number | undefined): boolean =>
  limit === undefined || (isMoreBetter(name) ? figure < limit : figure > limit);

const { base, limits } = JSON.parse(fs.readFileSync(limitsFile, "utf8")) as Limits;
const figures = measure(root, base);
const worse = names.filter((name) => isWorse(name, figures[name], limits[name]));
const width = Math.max(...names.map((name) => name.length));
const row = (name: string, ...cells: readonly string[]): string =>
  [name.padEnd(width), ...cells.map((cell) => cell.padStart(9))].join("  ");

const table = [
  row("measure", "now", "limit", "goal"),
  ...names.map((name) => row(name, String(figures[name]), String(limits[name] ?? "none"), String(MEASURES[name].goal))),
];
writeOut(`${table.join("\n")}\n`);

if (process.argv.includes("--tighten")) {
  const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const next: Limits = {
    base: base === "" ? head : base,
    limits: Object.fromEntries(names.map((name) => [name, tighten(name, figures[name], limits[name])])),
  };
  fs.writeFileSync(limitsFile, `${JSON.stringify(next, null, 2)}\n`);
  writeOut("Wrote bin/prose/limits.json.\n");
} else if (worse.length > 0) {
  writeErr(`Worse than bin/prose/limits.json: ${worse.join("; ")}. Rewrite the new text.\n`);
  process.exitCode = 1;
}
