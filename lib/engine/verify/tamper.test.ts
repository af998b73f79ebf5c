import { beforeAll, describe, expect, it } from "vitest";
import { changedPart, TAMPER_KINDS } from "@/lib/engine/verify/tamper";
import { LEDGER_TAMPER_KINDS, tamperLedger } from "@/lib/engine/verify/tamper-ledger";
import { tamperWorkspace } from "@/lib/engine/verify/tamper-workspace";
import { keysOf } from "@/lib/engine/testing/ledger";
import { LEDGER_FOUND_BY, placeOf, WORKSPACE_FOUND_BY } from "@/lib/engine/testing/tampered";
import { OTHER_RUN, RUN, signedCheckpoint, testWorkspace, type TestWorkspace } from "@/lib/engine/testing/workspace";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { verifyWorkspaceExport } from "@/lib/engine/verify/verify-workspace-export";
import { parseWorkspaceText, workspaceText, type WorkspaceExport } from "@/lib/engine/ledger/workspace-export";

let world: TestWorkspace;
let before: string;

beforeAll(async () => {
  world = await testWorkspace();
  before = JSON.stringify([world.ledger, world.document]);
});

const judge = (document: WorkspaceExport) => verifyWorkspaceExport(document, keysOf(world.key), { kept: [world.kept] });

describe("a ledger that was tampered with", () => {
  it.each(LEDGER_TAMPER_KINDS.filter((kind) => kind !== "rollback"))("by %s is found at its first bad record", async (kind) => {
    const tampered = tamperLedger(kind, world.ledger);
    expect(tampered).not.toBeNull();
    if (!tampered) return;

    expect(await verifyLedger(tampered.document, keysOf(world.key))).toEqual({
      ok: false,
      seq: tampered.seq,
      reason: LEDGER_FOUND_BY[kind],
    });
    expect(tampered.before).not.toBe(tampered.after);
  });

  it("by going back in time, head and all, verifies by itself: what was remembered of it shows it", async () => {
    const tampered = tamperLedger("rollback", world.ledger);
    expect(tampered && (await verifyLedger(tampered.document, keysOf(world.key)))).toMatchObject({ ok: true });
    expect(tampered?.document.head.version).toBeLessThan(world.ledger.head.version);
  });
});

describe("a workspace", () => {
  it("as it was exported verifies, also when it went through its file, and against what was kept", async () => {
    const read = parseWorkspaceText(workspaceText(world.document));
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

  it.each(TAMPER_KINDS)("that was tampered with by %s is found out, and the first bad record is named", async (kind) => {
    const tampered = tamperWorkspace(kind, world.document);
    expect(tampered).not.toBeNull();
    if (!tampered) return;
    expect(await judge(tampered.document)).toMatchObject({ ok: false, reason: WORKSPACE_FOUND_BY[kind], ...placeOf(kind, tampered) });
  });

  it("that was rolled back verifies by itself: only what was kept elsewhere shows it, and says how far the log goes", async () => {
    const { document } = tamperWorkspace("rollback", world.document) ?? world;
    expect(await verifyWorkspaceExport(document, keysOf(world.key))).toMatchObject({ ok: true });
    expect(await judge(document)).toMatchObject({ reason: "log_shorter", logIntactTo: document.leaves.length });
  });

  it("whose run was deleted with its entries in the log is not what its own checkpoints count", async () => {
    const { document } = tamperWorkspace("deleted_run", world.document) ?? world;
    const leaves = document.leaves.filter(({ run }) => run !== RUN);
    expect(await verifyWorkspaceExport({ ...document, leaves }, keysOf(world.key))).toMatchObject({
      reason: "log_rewritten",
      run: null,
      logIntactTo: 0,
    });
  });

  it("whose log was written anew by somebody with the key is not what was kept, and is known to be intact up to a checkpoint", async () => {
    const { document, key } = world;
    const leaves = document.leaves.filter(({ run }) => run !== OTHER_RUN);
    const records = document.records.filter(({ run }) => run !== OTHER_RUN);
    const heads = document.heads.filter(({ run }) => run !== OTHER_RUN);
    const { at } = world.kept.checkpoint;
    const more = [...leaves, ...leaves.map((leaf) => ({ ...leaf, run: OTHER_RUN }))];
    const signed = await signedCheckpoint(key, document.workspace, leaves, leaves.length, at);
    const forged = { ...document, records, heads, leaves, checkpoints: [{ signed, proof: [] }] };

    expect(await verifyWorkspaceExport(forged, keysOf(key))).toMatchObject({ ok: true });
    expect(await judge(forged)).toMatchObject({ reason: "log_shorter" });
    expect(await judge({ ...forged, leaves: more })).toMatchObject({ ok: false });
  });

  it("with checkpoints that do not go on from each other, or are somebody else's, is not believed", async () => {
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

  it("whose head says more, or of which nothing is said, is not whole", async () => {
    const { document } = world;
    const [head, ...others] = document.heads;
    if (!head) throw new Error("there is a head");
    const longer = { ...head, version: head.version + 1 };

    expect(await judge({ ...document, heads: [longer, ...others] })).toMatchObject({ reason: "truncated", run: RUN, seq: head.version });
    expect(await judge({ ...document, heads: others })).toMatchObject({ reason: "truncated", run: RUN });
  });

  it("cut off as a file, or with less in it than it says, is no document", () => {
    const lines = workspaceText(world.document).split("\n");
    expect(parseWorkspaceText(lines.slice(0, -2).join("\n"))).toMatchObject({
      ok: false,
      error: expect.stringContaining("truncated") as string,
    });
    expect(parseWorkspaceText(lines.toSpliced(3, 1).join("\n"))).toMatchObject({ ok: false });
    expect(parseWorkspaceText(lines.with(3, "{}").join("\n"))).toMatchObject({ ok: false, error: "line 4: unknown format" });
    expect(parseWorkspaceText("")).toMatchObject({ ok: false });
  });
});

it("nothing that is tampered with is changed itself", () => {
  for (const kind of TAMPER_KINDS) tamperWorkspace(kind, world.document);
  for (const kind of LEDGER_TAMPER_KINDS) tamperLedger(kind, world.ledger);
  expect(JSON.stringify([world.ledger, world.document])).toBe(before);
});

it("what changed is shown with a little of what stands around it", () => {
  expect(changedPart(`${"x".repeat(100)}abc${"y".repeat(100)}`, `${"x".repeat(100)}aBc${"y".repeat(100)}`, 3)).toEqual({
    before: "…xxabcyy…",
    after: "…xxaBcyy…",
  });
});
