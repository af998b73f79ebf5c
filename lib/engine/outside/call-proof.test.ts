import { beforeAll, describe, expect, it } from "vitest";
import { verifyCallProof, type CallProof, type ProvenCall } from "@/lib/engine/outside/call-proof";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord, SignedRecord } from "@/lib/engine/ledger/record";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { atGate, decideAs, intent, REVIEWER, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { chainOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { ownRecord, getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { computeCommitment } from "@/lib/hash";
import { IDEMPOTENCY_KEY, RECEIPT } from "@/lib/mcp/meta";

type RunProof = Extract<CallProof, { kind: "run" }>;

let key: TestKey;
let run: TestRun;
let records: LedgerRecord[];
let proof: RunProof;
let call: ProvenCall;

const receiptIn = (chain: readonly SignedRecord[]) =>
  chain
    .flatMap(({ record }) => record.control.flatMap((event) => (event.type === "gate_resolved" && event.receipt ? [event.receipt] : [])))
    .at(-1) ?? null;

const isIntent = (event: RunEvent) => event.type === "effect_intended";

const proofAfter = async (change: (event: RunEvent) => RunEvent | readonly RunEvent[] = (event) => event): Promise<RunProof> => {
  const chain = await chainOf(
    records.map((record) => ({ ...record, control: record.control.flatMap(change) })),
    key,
  );
  const [first] = chain;
  const signed = chain.findLast(({ record }) => record.control.some(isIntent));
  if (!first || !signed) throw new Error("the run has no intent");

  return { kind: "run", first, intent: signed, receipt: receiptIn(chain) };
};

beforeAll(async () => {
  key = await newKey("k1");
  run = atGate();
  decideAs(run, user(REVIEWER));
  run.work(intent("crm", "update", { plan: "team" }));
  records = run.records().map(({ record }) => record);
  proof = await proofAfter();
  const effect = Object.values(run.state().effects).at(-1);
  call = {
    workspace: run.state().workspace,
    server: "crm",
    tool: "update",
    definitionDigest: "b".repeat(64),
    arguments: { plan: "team" },
    meta: { [IDEMPOTENCY_KEY]: effect?.idempotency_key ?? "", [RECEIPT]: proof.receipt },
  };
});

type Change = { proof?: CallProof | null; call?: Partial<ProvenCall>; at?: number; keys?: PublicKeys };

const verdict = (change: Change = {}) =>
  verifyCallProof(
    change.proof === undefined ? proof : change.proof,
    { ...call, ...change.call },
    change.at ?? run.now(),
    change.keys ?? getKeys(key),
  );

const fault = async (change: Change) => {
  const said = await verdict(change);

  return said.ok ? null : said.fault;
};

const withReceipt = (other: RunProof): Partial<ProvenCall> => ({
  meta: { ...call.meta, ...(other.receipt === null ? {} : { [RECEIPT]: other.receipt }) },
});

describe("the proof of a call", () => {
  it("allows exactly the intended and approved call, and names it", async () => {
    const effect = Object.values(run.state().effects).at(-1);
    expect(await verdict()).toEqual({ ok: true, id: `${proof.intent.digest}/${effect?.effect_id}`, mayRepeat: effect?.idempotent });
  });

  it("is required", async () => {
    expect(await fault({ proof: null })).toBe("proof_missing");
  });

  it.each<[string, () => Partial<ProvenCall>, string]>([
    ["another workspace", () => ({ workspace: uuid(99) }), "record_differs"],
    ["another server", () => ({ server: "docs" }), "intent_differs"],
    ["another tool", () => ({ tool: "erase" }), "intent_differs"],
    ["another definition", () => ({ definitionDigest: "0".repeat(64) }), "intent_differs"],
    ["other arguments", () => ({ arguments: { plan: "enterprise" } }), "intent_differs"],
    ["more arguments", () => ({ arguments: { plan: "team", admin: true } }), "intent_differs"],
    ["another idempotency key", () => ({ meta: { ...call.meta, [IDEMPOTENCY_KEY]: "0".repeat(64) } }), "intent_missing"],
    ["more metadata", () => ({ meta: { ...call.meta, more: 1 } }), "meta_differs"],
    ["no receipt in its metadata", () => ({ meta: { [IDEMPOTENCY_KEY]: call.meta[IDEMPOTENCY_KEY] ?? "" } }), "meta_differs"],
  ])("does not allow %s", async (_what, change, expected) => {
    expect(await fault({ call: change() })).toBe(expected);
  });

  it("verifies under the anchor's keys alone", async () => {
    expect(await fault({ keys: getKeys(await newKey("k1")) })).toBe("record_forged");
    expect(await fault({ keys: {} })).toBe("record_forged");
    expect(await fault({ proof: { ...proof, intent: { ...proof.intent, kid: "constructor" } } })).toBe("record_forged");
  });

  it("fails with a changed record", async () => {
    const changed = { ...proof.intent, record: { ...proof.intent.record, at: 1 } };
    expect(await fault({ proof: { ...proof, intent: changed } })).toBe("record_forged");
    const first = { ...proof.first, record: { ...proof.first.record, at: 1 } };
    expect(await fault({ proof: { ...proof, first } })).toBe("record_forged");
  });

  it("begins with the run's first record", async () => {
    expect(await fault({ proof: { ...proof, first: proof.intent } })).toBe("record_differs");
    const [other] = await chainOf([{ ...proof.first.record, run: uuid(98) }], key);
    expect(await fault({ proof: { ...proof, first: other ?? proof.first } })).toBe("record_differs");
  });

  it("allows nothing in a simulated run", async () => {
    const { run: id, graph_hash } = proof.first.record;
    const forked = (effects: "live" | "simulate"): RunEvent =>
      ({
        type: "run_forked",
        run: id,
        parent_run: uuid(97),
        parent_seq: 0,
        parent_head: "0".repeat(64),
        graph_hash,
        change: { type: "model", model: "scripted" },
        effects,
      }) as never;
    const [first] = await chainOf([{ ...proof.first.record, control: [forked("simulate")] }], key);
    expect(await fault({ proof: { ...proof, first: first ?? proof.first } })).toBe("simulated");
    const [live] = await chainOf([{ ...proof.first.record, control: [forked("live")] }], key);
    expect(await fault({ proof: { ...proof, first: live ?? proof.first } })).toBeNull();
  });

  it("rejects a refusal as an intent", async () => {
    const [refusal] = await chainOf([{ ...proof.intent.record, kind: "refusal" }], key);
    expect(await fault({ proof: { ...proof, intent: refusal ?? proof.intent } })).toBe("intent_missing");
  });

  it("needs the receipt named by the intent, genuine and unexpired", async () => {
    const { receipt } = proof;
    if (!receipt) throw new Error("the run has no receipt");
    expect(await fault({ proof: { ...proof, receipt: null } })).toBe("receipt_missing");
    const later = { ...receipt, payload: { ...receipt.payload, expires_at: receipt.payload.expires_at + 1 } };
    expect(await fault({ proof: { ...proof, receipt: later } })).toBe("receipt_forged");
    expect(await fault({ at: receipt.payload.expires_at })).toBe("receipt_expired");
  });

  it.each(["run", "approval_id", "graph_hash"] as const)("fails with a receipt for another %s", async (member) => {
    const other = await proofAfter((event) =>
      event.type === "gate_resolved" && event.receipt
        ? {
            ...event,
            receipt: {
              ...event.receipt,
              payload: { ...event.receipt.payload, [member]: member === "graph_hash" ? "0".repeat(64) : uuid(96) },
            },
          }
        : event,
    );
    expect(await fault({ proof: other, call: withReceipt(other) })).toBe("receipt_differs");
  });

  it.each<[string, string | undefined, string]>([
    ["the amount reached", "plan", "receipt_differs"],
    ["no rule that applies", undefined, "proven"],
  ])("needs a receipt that names the run's workspace rules: %s", async (_what, argument, expected) => {
    const amount = { argument: argument ?? "plan", from: 1 };
    const when = { effect: argument ? "write" : "irreversible", server: "crm", tool: "update", amount } as const;
    const rules = [{ id: uuid(90), when, needs: { groups: ["Finance"], people: [], count: 1 } }];
    const ruled = await proofAfter((event) => (event.type === "run_started" ? { ...event, rules } : event));
    const said = await verdict({ proof: ruled });
    expect(said.ok ? "proven" : said.fault).toBe(expected);
  });

  it("needs a receipt for irreversible effects", async () => {
    const final = await proofAfter((event) =>
      event.type === "effect_intended" ? { ...event, approval_id: null, effect_class: "irreversible" } : event,
    );
    const meta = { [IDEMPOTENCY_KEY]: call.meta[IDEMPOTENCY_KEY] ?? "" };
    expect(await fault({ proof: { ...final, receipt: null }, call: { meta } })).toBe("receipt_missing");
    const free = await proofAfter((event) => (event.type === "effect_intended" ? { ...event, approval_id: null } : event));
    expect(await fault({ proof: { ...free, receipt: null }, call: { meta } })).toBeNull();
    expect(await fault({ proof: free })).toBe("receipt_differs");
  });
});

describe("the proof of a console call", () => {
  const salt = "5".repeat(64);

  const consoleProof = async (change: Partial<LedgerRecord["control"][number]> = {}, refused = false): Promise<CallProof> => {
    const { workspace } = call;
    const after = computeCommitment(salt, { tool: call.tool, definition_digest: call.definitionDigest, arguments: call.arguments });
    const event = {
      type: "admin_changed",
      area: "mcp",
      subject: "crm",
      step: "console_called",
      before: null,
      after,
      ...change,
    } as RunEvent;
    const body = { kind: "mcp_step" };
    const kind = refused ? "refusal" : "transition";
    const asked = { id: uuid(80), workspace, at: run.now(), principal: user(REVIEWER, "admin"), body };
    const record: LedgerRecord = { ...ownRecord(asked, event, null), kind };
    const [signed] = await chainOf([record], key);
    if (!signed) throw new Error("nothing was signed");

    return { kind: "console", record: signed, salt };
  };
  const meta = { [IDEMPOTENCY_KEY]: uuid(81), "countersign/caller": "*sandbox" };

  it("allows exactly the recorded call, once", async () => {
    const said = await consoleProof();
    expect(await verdict({ proof: said, call: { meta } })).toMatchObject({ ok: true, mayRepeat: false });
  });

  it.each<[string, Partial<ProvenCall>, string]>([
    ["another workspace", { workspace: uuid(99) }, "record_differs"],
    ["another server", { server: "docs" }, "intent_differs"],
    ["another tool", { tool: "erase" }, "intent_differs"],
    ["another definition", { definitionDigest: "0".repeat(64) }, "intent_differs"],
    ["other arguments", { arguments: { plan: "enterprise" } }, "intent_differs"],
    ["a receipt", { meta: { ...meta, [RECEIPT]: {} } }, "meta_differs"],
  ])("does not allow %s", async (_what, change, expected) => {
    expect(await fault({ proof: await consoleProof(), call: { meta, ...change } })).toBe(expected);
  });

  it("fails with another salt, step, key, a refusal or a run's record", async () => {
    const said = await consoleProof();
    expect(await fault({ proof: { ...said, salt: "6".repeat(64) } as CallProof, call: { meta } })).toBe("intent_differs");
    expect(await fault({ proof: await consoleProof({ step: "console_answered" }), call: { meta } })).toBe("intent_missing");
    expect(await fault({ proof: await consoleProof({}, true), call: { meta } })).toBe("intent_missing");
    expect(await fault({ proof: { kind: "console", record: proof.intent, salt }, call: { meta } })).toBe("record_differs");
    expect(await fault({ proof: said, call: { meta }, keys: getKeys(await newKey("k1")) })).toBe("record_forged");
    expect(getWorkspaceLedgerId(call.workspace)).not.toBe(run.state().run);
  });
});
