/** Unlisted modules may not open values. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

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

const importers = (name: string, from: string): string[] =>
  having(new RegExp(`import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "[^"]*${from}"`, "u"));

const RUNS = "server/trpc/routers/runs";
const APPROVALS = "server/trpc/routers/approvals";

describe("a value is opened", () => {
  it("by one module for readers, and by the runner for its own work", () => {
    expect(having(/\.openCell\(/u).filter((file) => !/useMutation/u.test(SOURCES.get(file) ?? ""))).toEqual([
      "server/reading/open-cells.ts",
      // Compares a call with approved ones.
      "server/runner/history.ts",
      "server/runner/key-check.ts",
      "server/runner/load.ts",
      "server/runner/recall.ts",
    ]);
  });

  it("only as far as the reader may see, wherever readers are answered", () => {
    expect(importers("openCells", "/reading/open-cells")).toEqual([
      `${APPROVALS}/similar.ts`,
      "server/trpc/routers/facts/list.ts",
      `${RUNS}/progress.ts`,
      `${RUNS}/wire.ts`,
      "server/web/open-run.ts",
    ]);
  });

  it("without a reader only to find sealed cells, after a recorded reveal, and for these computations", () => {
    expect(importers("openEveryCell", "open-cells")).toEqual([
      "server/reading/sealed-cells.ts",
      `${RUNS}/open-cell.ts`,
      "server/web/open-run.ts",
    ]);
    // Recorded reveals, value counts, and commitment checks.
    expect(importers("openWholeRun", "open-run")).toEqual([
      "server/outside/reports.ts",
      `${RUNS}/verify-replay.ts`,
      "server/web/export-run.ts",
    ]);
    // Gates' redacted views and reviewers' comments.
    expect(importers("replayWhole", "open-run")).toEqual([
      `${APPROVALS}/desk.ts`,
      `${APPROVALS}/get.ts`,
      `${APPROVALS}/similar.ts`,
      `${APPROVALS}/summaries.ts`,
      // What every member may see, for a message's link.
      "server/web/open-reply.ts",
    ]);
    // For outside agents, and refused values.
    expect(importers("openVerifiedWholeRun", "open-run")).toEqual(["server/outside/open-run.ts", `${RUNS}/misfit.ts`]);
  });

  it("on the command line through the filter of values under review", () => {
    const readers = importers(String.raw`[a-z]\w*`, "runner/load").filter((file) => !file.startsWith("server/runner/"));
    expect(readers).toEqual(["server/cli/run-export.ts", "server/cli/run/drive.ts", "server/cli/state.ts"]);
    expect(importers("openOperatorLedger", "reading/operator-ledger")).toEqual(readers);
  });
});

it("the bytes of a file are opened for a reader of its cell, and for a model call", () => {
  expect(importers("openArtifact", "artifacts/open")).toEqual(["server/runner/model-files.ts", "server/web/artifacts.ts"]);
});

describe("a run opened with every value", () => {
  it("reaches outside agents through one projection", () => {
    expect(importers("projectMemory", "outside/project")).toEqual(["lib/outside/history.ts", "server/outside/answer.ts"]);
  });
});

describe("the vault key", () => {
  it("is used by these modules of the web process", () => {
    expect(importers("getWebVault", "web-vault")).toEqual([
      "server/api/deferred-start.ts",
      // An account's own start.
      "server/api/queued-run.ts",
      // These belong to no run, or are only sealed here.
      "server/artifacts/upload.ts",
      "server/outside/said.ts",
      "server/outside/tools/architect.ts",
      `${APPROVALS}/similar.ts`,
      "server/trpc/routers/architect/accept.ts",
      "server/trpc/routers/architect/change.ts",
      "server/trpc/routers/architect/draft.ts",
      "server/trpc/routers/architect/job.ts",
      "server/trpc/routers/facts/list.ts",
      "server/trpc/routers/mcp/console.ts",
      `${RUNS}/open-cell.ts`,
      `${RUNS}/progress.ts`,
      `${RUNS}/records.ts`,
      `${RUNS}/said.ts`,
      "server/trpc/routers/secrets/put.ts",
      "server/trpc/routers/webhooks/create.ts",
      "server/trpc/routers/webhooks/rotate-secret.ts",
      "server/web/artifacts.ts",
      "server/web/ask-sign-in.ts",
      "server/web/open-run.ts",
      "server/web/registry-command.ts",
      "server/web/submit-command.ts",
      "server/web/trigger-request.ts",
    ]);
  });

  it("and sealed rows are read by these store modules", () => {
    expect(having(/\bwrapped_key\b|\bwrappedKey\b/u).filter((file) => file.startsWith("server/store/"))).toEqual([
      "server/store/artifacts.ts",
      "server/store/ledger/cells-rotation.ts",
      "server/store/ledger/cells-shred.ts",
      "server/store/ledger/ledger.ts",
      "server/store/ledger/rows.ts",
      // Arguments of a call under way, for its progress.
      "server/store/mcp/call-progress.ts",
      "server/store/sql/append-records.ts",
      "server/store/trust/signed-samples.ts",
    ]);
    expect(importers("cellRow", "ledger/rows")).toEqual([
      "server/store/approvals/history.ts",
      "server/store/ledger/ledger.ts",
      "server/store/ledger/page.ts",
      "server/store/runs/facts.ts",
    ]);
  });
});

it("readers' clearance is compared in one place; other comparisons concern tools, editors or calls", () => {
  expect(importers("canBeShown", "approvals/policy")).toEqual([
    "lib/engine/approvals/policy-findings.ts",
    "lib/engine/decide/call-rules.ts",
    "lib/engine/decide/edit.ts",
    "lib/engine/decide/undo.ts",
    "lib/engine/labels/reading.ts",
    // A tool pin's label for answers, before their cell exists.
    `${RUNS}/progress.ts`,
  ]);
});
