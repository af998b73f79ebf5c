/** Where values are opened, and what may be computed from all of them: a module that is not listed here has no way to a value. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** What runs in the product, by its path: no tests, and nothing that only they use. */
const SOURCES: ReadonlyMap<string, string> = new Map(
  ["app", "bin", "components", "lib", "server"].flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file.split(path.sep).join("/")}`)
      .filter((file) => /\.tsx?$/u.test(file) && !/\.test\.tsx?$|\/(?:testing|conformance|holes|generated)\/|\/testing\.ts$/u.test(file))
      .map((file) => [file, fs.readFileSync(path.join(ROOT, file), "utf8")] as const),
  ),
);

const having = (pattern: RegExp): string[] => [...SOURCES].flatMap(([file, text]) => (pattern.test(text) ? [file] : [])).toSorted();

/** The modules that import this, from a module whose path ends so. */
const importers = (name: string, from: string): string[] =>
  having(new RegExp(`import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "[^"]*${from}"`, "u"));

const RUNS = "server/trpc/routers/runs";
const APPROVALS = "server/trpc/routers/approvals";

describe("a value is opened", () => {
  it("by one module for readers, and by the runner for its own work", () => {
    expect(having(/\.openCell\(/u).filter((file) => !/useMutation/u.test(SOURCES.get(file) ?? ""))).toEqual([
      "server/reading/open-cells.ts",
      "server/runner/key-check.ts",
      "server/runner/load.ts",
      "server/runner/recall.ts",
    ]);
  });

  it("as far as the rule lets its reader see, wherever a reader is answered", () => {
    expect(importers("openCells", "/reading/open-cells")).toEqual([`${RUNS}/progress.ts`, `${RUNS}/wire.ts`, "server/web/opened-run.ts"]);
  });

  it("without a reader only to tell what is sealed, after the record of an opening, and for what these compute", () => {
    expect(importers("openEveryCell", "open-cells")).toEqual([
      "server/reading/sealed-cells.ts",
      `${RUNS}/open-cell.ts`,
      "server/web/opened-run.ts",
    ]);
    // Its values that were opened on record; and the number of values, and whether they are what was committed to.
    expect(importers("wholeRun", "opened-run")).toEqual([
      "server/outside/reports.ts",
      `${RUNS}/verify-replay.ts`,
      "server/web/export-run.ts",
    ]);
    // The redacted view of a gate, and what reviewers wrote in a case.
    expect(importers("replayWhole", "opened-run")).toEqual([`${APPROVALS}/desk.ts`, `${APPROVALS}/get.ts`]);
    // The projection for outside agents.
    expect(importers("verifiedWhole", "opened-run")).toEqual(["server/outside/opened.ts"]);
  });

  it("on the command line by what leaves out what is under review", () => {
    const readers = [...importers("openLedger", "runner/load"), ...importers("loadRun", "runner/load")].filter(
      (file) => !file.startsWith("server/runner/"),
    );
    expect(readers.toSorted()).toEqual(["server/cli/export.ts", "server/cli/run/drive.ts"]);
    expect(importers("operatorLedger", "reading/operator-ledger")).toEqual(readers.toSorted());
  });
});

describe("what has seen every value", () => {
  it("is told to outside agents by one projection", () => {
    expect(importers("projectMemory", "outside/project")).toEqual(["lib/outside/history.ts", "server/outside/answer.ts"]);
  });
});

describe("the key that opens values", () => {
  it("is asked for by these modules of the web process", () => {
    expect(importers("webVault", "web-vault")).toEqual([
      // Jobs of the architect, calls of the console, secrets, webhooks, sign-ins and commands belong to no run, or are only sealed here.
      "server/outside/tools/architect.ts",
      "server/trpc/routers/architect/accept.ts",
      "server/trpc/routers/architect/change.ts",
      "server/trpc/routers/architect/draft.ts",
      "server/trpc/routers/architect/job.ts",
      "server/trpc/routers/mcp/console.ts",
      `${RUNS}/open-cell.ts`,
      `${RUNS}/progress.ts`,
      `${RUNS}/records.ts`,
      "server/trpc/routers/secrets/put.ts",
      "server/trpc/routers/webhooks/create.ts",
      "server/trpc/routers/webhooks/rotate-secret.ts",
      "server/web/ask-sign-in.ts",
      "server/web/opened-run.ts",
      "server/web/registry-command.ts",
      "server/web/submit-command.ts",
    ]);
  });

  it("and sealed rows are read by these modules of the store", () => {
    expect(having(/\bwrapped_key\b|\bwrappedKey: true/u).filter((file) => file.startsWith("server/store/"))).toEqual([
      "server/store/ledger/cells-rotation.ts",
      "server/store/ledger/cells-shred.ts",
      "server/store/ledger/ledger.ts",
      "server/store/ledger/page.ts",
      // The arguments of a call under way, for its progress.
      "server/store/mcp/call-progress.ts",
      "server/store/runs/facts.ts",
      "server/store/sql/append-records.ts",
      "server/store/trust/signed-samples.ts",
    ]);
  });
});

it("a reader's clearance is compared in one place; others compare what a tool, an editor or a call may have", () => {
  expect(importers("mayBeShown", "approvals/policy")).toEqual([
    "lib/engine/approvals/policy-findings.ts",
    "lib/engine/decide/call-rules.ts",
    "lib/engine/decide/edit.ts",
    "lib/engine/decide/undo.ts",
    "lib/engine/labels/reading.ts",
    // What a tool's pin says of its answers, before there is a cell of them.
    `${RUNS}/progress.ts`,
  ]);
});
