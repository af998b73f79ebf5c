import { beforeAll, describe, expect, it } from "vitest";
import { cutChangedPart, TAMPER_KINDS } from "@/lib/engine/verify/tamper";
import { LEDGER_TAMPER_KINDS, tamperLedger } from "@/lib/engine/verify/tamper-ledger";
import { tamperWorkspace } from "@/lib/engine/verify/tamper-workspace";
import { getKeys } from "@/lib/engine/testing/ledger";
import { LEDGER_FOUND_BY, placeOf, WORKSPACE_FOUND_BY } from "@/lib/engine/testing/tampered";
import { OTHER_RUN, RUN, signedCheckpoint, testWorkspace, type TestWorkspace } from "@/lib/engine/testing/workspace";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { verifyWorkspaceExport } from "@/lib/engine/verify/verify-workspace-export";
import { parseWorkspaceText, formatWorkspace, type WorkspaceExport } from "@/lib/engine/ledger/workspace-export";

let world: TestWorkspace;
let before: string;

beforeAll(async () => {
  world = await testWorkspace();
  before = JSON.stringify([world.ledger, world.document]);
});

const judge = (document: WorkspaceExport) => verifyWorkspaceExport(document, getKeys(world.key), { kept: [world.kept] });

describe("a tampered ledger", () => {
  it.each(LEDGER_TAMPER_KINDS.filter((kind) => kind !== "rollback"))("by %s is detected at its first bad record", async (kind) => {
    const tampered = tamperLedger(kind, world.ledger);
    expect(tampered).not.toBeNull();
    if (!tampered) return;

    expect(await verifyLedger(tampered.document, getKeys(world.key))).toEqual({
      ok: false,
      seq: tampered.seq,
      reason: LEDGER_FOUND_BY[kind],
    });
    expect(tampered.before).not.toBe(tampered.after);
  });

  it("that was rolled back with its head shows only against a remembered head", async () => {
    const tampered = tamperLedger("rollback", world.ledger);
    expect(tampered && (await verifyLedger(tampered.document, getKeys(world.key)))).toMatchObject({ ok: true });
    expect(tampered?.document.head.version).toBeLessThan(world.ledger.head.version);
  });
});

describe("a workspace", () => {
  it("verifies after export and file round trip, and against kept checkpoints", async () => {
    const read = parseWorkspaceText(formatWorkspace(world.document));
    expect(read).toEqual({ ok: true, value: world.document });

    expect(await judge(world.document)).toMatchObject({
      ok: true,
      runs: 3,
      records: world.document.records.length,
      counted: world.document.leaves.length,
      logged: 0,
      pending: 0,
      checkpoints: 3,
      kept: 1,
    });
  });

  it.each(TAMPER_KINDS)("tampered with by %s is detected, with the first bad record", async (kind) => {
    const tampered = tamperWorkspace(kind, world.document);
    expect(tampered).not.toBeNull();
    if (!tampered) return;
    expect(await judge(tampered.document)).toMatchObject({ ok: false, reason: WORKSPACE_FOUND_BY[kind], ...placeOf(kind, tampered) });
  });

  it("that was rolled back shows only against a kept checkpoint, which tells how far the log goes", async () => {
    const { document } = tamperWorkspace("rollback", world.document) ?? world;
    expect(await verifyWorkspaceExport(document, getKeys(world.key))).toMatchObject({ ok: true });
    expect(await judge(document)).toMatchObject({ reason: "log_shorter", logIntactTo: document.leaves.length });
  });

  it("without a run and its log entries does not match its own checkpoints", async () => {
    const { document } = tamperWorkspace("deleted_run", world.document) ?? world;
    const leaves = document.leaves.filter(({ run }) => run !== RUN);
    expect(await verifyWorkspaceExport({ ...document, leaves }, getKeys(world.key))).toMatchObject({
      reason: "log_rewritten",
      run: null,
      logIntactTo: 0,
    });
  });

  it("with a log rewritten by the key holder does not match the kept checkpoint, and is intact up to one", async () => {
    const { document, key } = world;
    const leaves = document.leaves.filter(({ run }) => run !== OTHER_RUN);
    const records = document.records.filter(({ run }) => run !== OTHER_RUN);
    const heads = document.heads.filter(({ run }) => run !== OTHER_RUN);
    const { at } = world.kept.checkpoint;
    const more = [...leaves, ...leaves.map((leaf) => ({ ...leaf, run: OTHER_RUN }))];
    const signed = await signedCheckpoint(key, document.workspace, leaves, leaves.length, at);
    const forged = { ...document, records, heads, leaves, checkpoints: [{ signed, proof: [] }] };

    expect(await verifyWorkspaceExport(forged, getKeys(key))).toMatchObject({ ok: true });
    expect(await judge(forged)).toMatchObject({ reason: "log_shorter" });
    expect(await judge({ ...forged, leaves: more })).toMatchObject({ ok: false });
  });

  it("with inconsistent or foreign checkpoints is rejected", async () => {
    const { document } = world;
    const [first, second, third] = document.checkpoints;
    if (!first || !second || !third) throw new Error("there are three");
    const withLast = (last: typeof third) => judge({ ...document, checkpoints: [first, second, last] });

    expect(await withLast({ ...third, proof: third.proof.slice(1) })).toMatchObject({ reason: "not_consistent" });
    expect(await withLast({ ...third, signed: { ...third.signed, kid: "k9" } })).toMatchObject({ reason: "checkpoint_key" });
    expect(await withLast({ ...third, signed: { ...third.signed, signature: first.signed.signature } })).toMatchObject({
      reason: "checkpoint_signature",
    });
  });

  it("with a too long or missing head is incomplete", async () => {
    const { document } = world;
    const [head, ...others] = document.heads;
    if (!head) throw new Error("there is a head");
    const longer = { ...head, version: head.version + 1 };

    expect(await judge({ ...document, heads: [longer, ...others] })).toMatchObject({ reason: "truncated", run: RUN, seq: head.version });
    expect(await judge({ ...document, heads: others })).toMatchObject({ reason: "truncated", run: RUN });
  });

  it("truncated as a file, or with wrong counts, is no document", () => {
    const lines = formatWorkspace(world.document).split("\n");
    expect(parseWorkspaceText(lines.slice(0, -2).join("\n"))).toMatchObject({
      ok: false,
      error: expect.stringContaining("truncated") as string,
    });
    expect(parseWorkspaceText(lines.toSpliced(3, 1).join("\n"))).toMatchObject({ ok: false });
    expect(parseWorkspaceText(lines.with(3, "{}").join("\n"))).toMatchObject({ ok: false, error: "line 4: unknown format" });
    expect(parseWorkspaceText("")).toMatchObject({ ok: false });
  });
});

it("tampering does not modify its input", () => {
  for (const kind of TAMPER_KINDS) tamperWorkspace(kind, world.document);
  for (const kind of LEDGER_TAMPER_KINDS) tamperLedger(kind, world.ledger);
  expect(JSON.stringify([world.ledger, world.document])).toBe(before);
});

it("shows changes with some context", () => {
  expect(cutChangedPart(`${"x".repeat(100)}abc${"y".repeat(100)}`, `${"x".repeat(100)}aBc${"y".repeat(100)}`, 3)).toEqual({
    before: "…xxabcyy…",
    after: "…xxaBcyy…",
  });
});
