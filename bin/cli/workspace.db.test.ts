import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkpointFileSchema } from "@/lib/engine/ledger/checkpoint-file";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { TAMPER_KINDS } from "@/lib/engine/verify/tamper";
import { LEDGER_TAMPER_KINDS, tamperLedger } from "@/lib/engine/verify/tamper-ledger";
import { tamperWorkspace } from "@/lib/engine/verify/tamper-workspace";
import { exportSchema, type RunExport } from "@/lib/engine/ledger/export";
import { LEDGER_FOUND_BY, placeOf, WORKSPACE_FOUND_BY } from "@/lib/engine/testing/tampered";
import { parseWorkspaceText, formatWorkspace, type WorkspaceExport } from "@/lib/engine/ledger/workspace-export";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { countersign, fileIn, type Ended } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
let desk: Desk;
let run: RunExport;
let document: WorkspaceExport;
let earlier: SignedCheckpoint;
let kept: SignedCheckpoint;
let [keysFile, keptFile] = ["", ""];

const call = (...args: string[]): Promise<Ended> => countersign(args, { COUNTERSIGN_HOME: home });
const verify = async (content: unknown, name: string, ...options: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout } = await countersign(["verify", fileIn(home, name, content), "--keys", keysFile, ...options]);

  return { code, ...(JSON.parse(stdout) as object) };
};
const parsed = (text: string): WorkspaceExport => {
  const read = parseWorkspaceText(text);
  if (!read.ok) throw new Error(read.error);

  return read.value;
};
const finishedRun = async (): Promise<string> => {
  const id = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, id);

  return id;
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, "keys", "signing.key"), desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  const first = await finishedRun();
  const [before] = checkpointFileSchema.parse(JSON.parse((await call("checkpoint")).stdout)).checkpoints;
  if (!before) throw new Error("there is no first checkpoint");
  earlier = before.signed;
  await finishedRun();
  const { stdout } = await call("checkpoint");
  keptFile = fileIn(home, "kept.json", stdout);
  keysFile = fileIn(home, "keys.json", (await call("keys")).stdout);
  const [entry] = checkpointFileSchema.parse(JSON.parse(stdout)).checkpoints;
  if (!entry) throw new Error("there is no checkpoint");
  kept = entry.signed;
  run = exportSchema.parse(JSON.parse((await call("export", first)).stdout));
  document = parsed((await call("export", "--workspace")).stdout);
}, 120_000);
afterAll(() => desk.mcp.close());

describe("countersign export --workspace", () => {
  test("includes every record, the log, both checkpoints with their proof and the keys, but no values", async () => {
    const target = path.join(home, "workspace.jsonl");
    expect(await call("export", "--workspace", "--out", target)).toMatchObject({ code: 0, stdout: "" });
    const text = fs.readFileSync(target, "utf8");
    expect(parsed(text)).toEqual(document);
    expect(fs.statSync(target).mode & 0o777).toBe(0o600);
    expect(document.checkpoints.map(({ signed }) => signed)).toEqual([earlier, kept]);
    expect(kept.checkpoint.count).toBeGreaterThan(earlier.checkpoint.count);
    expect(document.checkpoints[1]?.proof).not.toEqual([]);
    expect(document.leaves).toHaveLength(document.records.length);
    for (const word of ["nordlicht", "maria", "upgrade"]) expect(text.toLowerCase()).not.toContain(word);
  });

  test("verifies offline, and says what is proved and what is not", async () => {
    const text = formatWorkspace(document);
    expect(await verify(text, "w.jsonl", "--kept", keptFile)).toMatchObject({
      code: 0,
      ok: true,
      records: document.records.length,
      counted: kept.checkpoint.count,
      kept: 1,
      warnings: [],
      not_proved: expect.arrayContaining([expect.stringContaining("second history")]) as string[],
    });
    expect((await verify(text, "w.jsonl"))["warnings"]).toEqual([expect.stringContaining("--kept")]);
    expect(await verify(text.slice(0, -40), "cut.jsonl")).toMatchObject({ code: 1, reason: "not_an_export" });
  });

  test("rejects an unknown workspace", async () => {
    expect(await call("export", "--workspace", "--id", desk.workspace)).toMatchObject({ code: 0 });
    expect(await call("export", "--workspace", "--id", "unknown")).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("countersign verify detects", () => {
  test.each(TAMPER_KINDS)("%s in a workspace, and names the first bad record", async (kind) => {
    const tampered = tamperWorkspace(kind, document);
    if (!tampered) throw new Error("there is too little in it");
    const result = await verify(formatWorkspace(tampered.document), `${kind}.jsonl`, "--kept", keptFile);

    expect(result).toMatchObject({ code: 1, ok: false, reason: WORKSPACE_FOUND_BY[kind], ...placeOf(kind, tampered) });
    expect(typeof result["message"]).toBe("string");
  });

  test.each(LEDGER_TAMPER_KINDS)("%s in a run, and names the first bad record", async (kind) => {
    const tampered = tamperLedger(kind, run.ledger);
    if (!tampered) throw new Error("there is too little in it");
    const changed = { ...run, ledger: tampered.document };
    const found = kind === "rollback" ? { reason: "checkpoint" } : { reason: LEDGER_FOUND_BY[kind], seq: tampered.seq };
    expect(await verify(changed, `${kind}.json`)).toMatchObject({ code: 1, ok: false, ...found });
    if (kind !== "rollback") return;
    // Without coverage the export signature fails.
    expect(await verify({ ...changed, coverage: undefined }, `${kind}.json`)).toMatchObject({ code: 1, ok: false, reason: "export" });
  });
});
