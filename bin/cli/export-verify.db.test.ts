import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { getAnchorFile } from "@/server/security/anchor-file";
import { loadSignerFromPem } from "@/server/security/keyring";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { whileMoving } from "@/server/runner/testing/recorded";
import { ask, drive } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { exportSchema, type RunExport } from "@/lib/engine/ledger/export";
import { workflowStateSchema } from "@/lib/engine/workflow-state";
import { recordSchema } from "@/lib/engine/ledger/record";
import { countersign, fileIn } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
const env = { COUNTERSIGN_HOME: home };
let desk: Desk;
let run: string;
let document: RunExport;
let kid: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, "keys", "signing.key"), desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  ({ kid } = loadSignerFromPem(desk.keys.pem));
  run = await startRun(desk, "compromised", "01-upgrade.txt");
  await drive(desk, run);
  await ask(desk, run, desk.people.reviewer, { kind: "comment", text: "So much?" });
  const { stdout } = await countersign(["export", run], env);
  document = exportSchema.parse(JSON.parse(stdout));
}, 120_000);
afterAll(() => desk.mcp.close());

type Verified = {
  ok: boolean;
  seq?: number;
  reason?: string;
  records?: number;
  warnings: string[];
  not_proved?: string[];
  message?: string;
};

const verify = async (content: unknown, ...more: string[]): Promise<{ code: number | null; said: Verified }> => {
  const file = fileIn(home, `${randomUUID()}.json`, content);
  const { code, stdout } = await countersign(["verify", file, ...more]);

  // Cast: the output is under test.
  return { code, said: JSON.parse(stdout) as Verified };
};

const changed = (change: (copy: RunExport) => void): RunExport => {
  const copy = structuredClone(document);
  change(copy);

  return copy;
};

describe("countersign export", () => {
  test("includes every record, every opened value, the keys and the version, in an owner-only file", async () => {
    const file = path.join(home, "export.json");
    const { code, stdout } = await countersign(["export", run, "--out", file], env);

    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const written = exportSchema.parse(JSON.parse(fs.readFileSync(file, "utf8")));
    expect(written).toEqual(document);
    expect(written.ledger.records.length).toBe(written.ledger.head.version);
    expect(written.ledger.cells.every((cell) => typeof cell.opened === "object" && cell.opened !== null)).toBe(true);
    expect(written.published).toEqual(desk.published);
    expect(written.signature?.kid).toBe(kid);
  });

  test("countersign state prints the same run as one document, although it moves on", async () => {
    const { code, stdout } = await whileMoving(desk, run, () => countersign(["state", run], env));
    const shown = workflowStateSchema.parse(JSON.parse(stdout));

    expect(code).toBe(0);
    expect(shown).toMatchObject({ run_id: run, goal: "Handle the mail", status: "waiting", waiting_for: "human_approval" });
    expect(Object.keys(shown.memory)).toContain("mail");
    expect(await countersign(["state", randomUUID()], env)).toMatchObject({ code: 1, stdout: "" });
  });

  test("reports an unknown run, an invalid id and a missing installation in one sentence", async () => {
    expect(await countersign(["export", randomUUID()], env)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("not found in this installation") as string,
    });
    expect(await countersign(["export", "run-1"], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not a run ID") as string,
    });
    expect(await countersign(["export", run])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no installation found") as string,
    });
  });
});

describe("countersign keys", () => {
  test("prints the installation's keys, which verify its exports", async () => {
    const { code, stdout } = await countersign(["keys"], env);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(document.public_keys);
    const verified = await verify(document, "--keys", fileIn(home, "public.json", stdout));
    expect(verified).toMatchObject({ code: 0, said: { ok: true, records: document.ledger.records.length, warnings: [] } });
  });

  test("reads the trust anchor, without a database or signing key", async () => {
    const elsewhere = path.join(home, "elsewhere");
    fs.mkdirSync(path.join(elsewhere, "keys"), { recursive: true });
    fs.copyFileSync(getAnchorFile(home), getAnchorFile(elsewhere));
    const { code, stdout, stderr } = await countersign(["keys"], { COUNTERSIGN_HOME: elsewhere });

    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual([kid]);
    expect(stderr).toBe("");
  });

  test("does not derive keys from a signing key without a trust anchor", async () => {
    const elsewhere = path.join(home, "without-anchor");
    fs.mkdirSync(path.join(elsewhere, "keys"), { recursive: true });
    fs.copyFileSync(path.join(home, "keys", "signing.key"), path.join(elsewhere, "keys", "signing.key"));

    expect(await countersign(["keys"], { COUNTERSIGN_HOME: elsewhere })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("no trust anchor") as string,
    });
  });
});

describe("countersign verify", () => {
  test("accepts a clean export, and says what it trusts and what is not proved", async () => {
    const { code, said } = await verify(document);

    expect(code).toBe(0);
    expect(said).toMatchObject({ ok: true, records: document.ledger.records.length });
    expect(said.warnings.join(" ")).toContain("--keys");
    expect(said.not_proved?.length).toBeGreaterThan(0);
  });

  test("fails at the first record when the given keys lack the signer", async () => {
    expect(await verify(document, "--keys", fileIn(home, "none.json", {}))).toMatchObject({
      code: 1,
      said: { ok: false, seq: 0, reason: "unknown_key" },
    });
  });

  const rebodied = (copy: RunExport, seq: number, change: (record: Record<string, unknown>) => void): void => {
    const stored = copy.ledger.records[seq]!;
    const record = JSON.parse(stored.body) as Record<string, unknown>;
    change(record);
    stored.body = JSON.stringify(record);
  };

  test.each<[string, (copy: RunExport) => void, number | "head", string]>([
    ["a record with a changed time", (copy) => rebodied(copy, 3, (record) => (record["at"] = 1)), 3, "hash"],
    ["a record with another signature", (copy) => (copy.ledger.records[2]!.signature = copy.ledger.records[1]!.signature), 2, "signature"],
    ["a missing record", (copy) => void copy.ledger.records.splice(4, 1), 4, "seq_gap"],
    ["two records swapped", (copy) => copy.ledger.records.splice(2, 2, copy.ledger.records[3]!, copy.ledger.records[2]!), 2, "seq_gap"],
    ["the last record cut off", (copy) => void copy.ledger.records.pop(), "head", "truncated"],
    ["a text that is not a record", (copy) => (copy.ledger.records[1]!.body = "{}"), 1, "malformed"],
    ["a missing key", (copy) => void delete copy.public_keys[kid], 0, "unknown_key"],
    ["another graph version", (copy) => (copy.published = { name: "Mine" }), 0, "graph"],
    ["another run's id", (copy) => (copy.ledger.run = randomUUID()), 0, "wrong_run"],
  ])("names %s with its number and reason", async (_what, change, seq, reason) => {
    const { code, said } = await verify(changed(change));

    expect(code).toBe(1);
    expect(said).toMatchObject({ ok: false, reason, seq: seq === "head" ? document.ledger.records.length - 1 : seq });
    expect(said.message).toBeTruthy();
  });

  test("names a changed value, a changed label and a missing value at the record that wrote them", async () => {
    const at = document.ledger.cells.findIndex((cell) => cell.path === "mail");
    const { seq } = document.ledger.cells[at]!;
    const value = changed((copy) => (copy.ledger.cells[at]!.opened = { salt: "00".repeat(32), value: "harmless" }));
    const label = changed((copy) => (copy.ledger.cells[at]!.label = { integrity: "trusted", confidentiality: "public", provenance: [] }));
    const gone = changed((copy) => void copy.ledger.cells.splice(at, 1));

    expect((await verify(value)).said).toMatchObject({ ok: false, seq, reason: "commitment" });
    expect((await verify(label)).said).toMatchObject({ ok: false, seq, reason: "cell_label" });
    expect((await verify(gone)).said).toMatchObject({ ok: false, seq, reason: "cell_missing" });
  });

  test("detects records cut off together with the head by the export signature, and warns without one", async () => {
    const cut = changed((copy) => {
      const last = copy.ledger.records.pop()!;
      copy.ledger.cells = copy.ledger.cells.filter((cell) => cell.seq !== last.seq);
      copy.ledger.head = { version: last.seq, digest: recordSchema.parse(JSON.parse(last.body)).parent };
    });
    const { code, said } = await verify(cut);
    expect(code).toBe(1);
    expect(said).toMatchObject({ ok: false, reason: "export" });

    const stripped = await verify({ ...cut, signature: null });
    expect(stripped.code).toBe(0);
    expect(stripped.said.warnings.join(" ")).toContain("removed from its end");
  });

  test.each([
    ["another document", { name: "x" }],
    ["text that is not JSON", "<html>"],
    ["a format of another version", { format: "countersign/export/v9" }],
  ])("rejects %s as not an export", async (_what, content) => {
    expect(await verify(content)).toMatchObject({ code: 1, said: { ok: false, reason: "not_an_export" } });
  });

  test("opens no connection, whatever the environment", async () => {
    const file = fileIn(home, "offline.json", document);
    const nowhere = { DATABASE_URL: "postgresql://user@192.0.2.1:1/none", COUNTERSIGN_HOME: "/nonexistent" };

    expect((await countersign(["verify", file], nowhere)).code).toBe(0);
  });
});
