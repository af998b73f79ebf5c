import { beforeAll, describe, expect, it } from "vitest";
import { findAuthorityFault, findIntentFault, type EffectClaim, type Evidence } from "@/lib/engine/authority";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord, SignedRecord } from "@/lib/engine/ledger/record";
import { atGate, decideAs, intent, REVIEWER, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { chainOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";

let key: TestKey;
let run: TestRun;
let records: LedgerRecord[];
let evidence: Evidence;
let claim: EffectClaim;

const evidenceOf = (chain: readonly SignedRecord[]): Evidence => {
  const { workspace, run: id, graphHash, policyHash } = run.state();

  return { workspace, run: id, graph_hash: graphHash, policy_hash: policyHash, records: chain };
};

const receiptIn = (chain: readonly SignedRecord[]) =>
  chain
    .flatMap(({ record }) => record.control.flatMap((event) => (event.type === "gate_resolved" && event.receipt ? [event.receipt] : [])))
    .at(-1) ?? null;

beforeAll(async () => {
  key = await newKey("k1");
  run = atGate();
  decideAs(run, user(REVIEWER));
  run.work(intent("crm", "update", { plan: "team" }));
  records = run.records().map(({ record }) => record);
  const chain = await chainOf(records, key);
  evidence = evidenceOf(chain);
  const effect = Object.values(run.state().effects).at(-1);
  claim = {
    effect_id: effect?.effect_id ?? "",
    server: "crm",
    tool: "update",
    arguments: { plan: "team" },
    definition_digest: "b".repeat(64),
    idempotency_key: effect?.idempotency_key ?? "",
    receipt: receiptIn(chain),
  };
});

const fault = (change: { evidence?: Evidence; claim?: Partial<EffectClaim>; at?: number; keys?: Record<string, string> } = {}) =>
  findAuthorityFault(change.evidence ?? evidence, { ...claim, ...change.claim }, change.at ?? run.now(), change.keys ?? getKeys(key));

const rewritten = async (change: (event: RunEvent) => RunEvent | readonly RunEvent[]): Promise<Evidence> =>
  evidenceOf(
    await chainOf(
      records.map((record) => ({ ...record, control: record.control.flatMap(change) })),
      key,
    ),
  );

describe("checks before an effect", () => {
  it("pass for exactly the approved value", async () => {
    expect(await fault()).toBeNull();
  });

  it("fail for a receipt that does not name a workspace rule which applies", async () => {
    const under = (effect: "write" | "irreversible") => {
      const rules = [{ id: uuid(90), when: { effect }, needs: { groups: [], people: [], count: 1 } }];

      return rewritten((event) => (event.type === "run_started" ? { ...event, rules } : event));
    };
    expect(await fault({ evidence: await under("irreversible") })).toBeNull();
    expect(await fault({ evidence: await under("write") })).toBe("receipt_differs");
  });

  it.each<[string, () => Partial<Evidence>]>([
    ["another run", () => ({ run: uuid(99) })],
    ["another workspace", () => ({ workspace: uuid(99) })],
    ["another graph", () => ({ graph_hash: "0".repeat(64) })],
    ["a record left out", () => ({ records: evidence.records.toSpliced(2, 1) })],
    [
      "a changed record",
      () => ({ records: evidence.records.map((signed, seq) => (seq === 2 ? { ...signed, record: { ...signed.record, at: 1 } } : signed)) }),
    ],
    ["no records", () => ({ records: [] })],
  ])("fail when %s", async (_what, change) => {
    expect(await fault({ evidence: { ...evidence, ...change() } })).toBe("chain_broken");
  });

  it("fail when a signed record of another history takes a place, or another run follows without a fork", async () => {
    const later = records.map((record, seq) => (seq === 2 ? { ...record, at: record.at + 1 } : record));
    const other = (await chainOf(later, key))[2];
    if (!other) throw new Error("no such record");
    expect(await fault({ evidence: { ...evidence, records: evidence.records.with(2, other) } })).toBe("chain_broken");
    const [first, ...rest] = records;
    if (!first) throw new Error("no record");
    const chain = await chainOf([first, ...rest.map((record) => ({ ...record, run: uuid(99) }))], key);
    expect(await fault({ evidence: { ...evidenceOf(chain), run: uuid(99) } })).toBe("chain_broken");
  });

  it("fail for an intent older than a policy change", async () => {
    expect(await fault({ evidence: { ...evidence, policy_hash: "0".repeat(64) } })).toBe("intent_missing");
  });

  it("fail for a foreign key", async () => {
    const other = await newKey("k1");
    expect(await fault({ keys: getKeys(other) })).toBe("chain_broken");
    expect(await fault({ keys: {} })).toBe("chain_broken");
  });

  it("fail for an effect without intent or with an outcome", async () => {
    expect(await fault({ claim: { effect_id: uuid(99) } })).toBe("intent_missing");
    const settled = await rewritten((event) =>
      event.type === "effect_intended" && event.effect_id === claim.effect_id
        ? [event, { type: "effect_settled", effect_id: claim.effect_id, outcome: "ok", simulated: false }]
        : event,
    );
    expect(await fault({ evidence: settled, claim: { receipt: receiptIn(settled.records) } })).toBe("intent_missing");
  });

  it.each<[string, Partial<EffectClaim>]>([
    ["tool", { tool: "erase" }],
    ["server", { server: "docs" }],
    ["definition", { definition_digest: "0".repeat(64) }],
    ["arguments", { arguments: { plan: "enterprise" } }],
    ["idempotency key", { idempotency_key: "0".repeat(64) }],
    ["arguments, by one more", { arguments: { plan: "team", admin: true } }],
  ])("fail for another %s than intended", async (_what, change) => {
    expect(await fault({ claim: change })).toBe("intent_differs");
  });

  it("fail for another effect of the same call", () => {
    const intended = records.flatMap(({ control }) => control.filter((event) => event.type === "effect_intended")).at(-1);
    if (!intended) throw new Error("no intent");
    expect(findIntentFault(intended, claim)).toBeNull();
    expect(findIntentFault(intended, { ...claim, effect_id: uuid(99) })).toBe("intent_differs");
  });

  it("fail for a missing, forged, expired or foreign receipt", async () => {
    const { receipt } = claim;
    if (!receipt) throw new Error("the run has no receipt");
    expect(await fault({ claim: { receipt: null } })).toBe("receipt_missing");
    expect(
      await fault({ claim: { receipt: { ...receipt, payload: { ...receipt.payload, expires_at: receipt.payload.expires_at + 1 } } } }),
    ).toBe("receipt_forged");
    expect(await fault({ claim: { receipt: { ...receipt, kid: "constructor" } } })).toBe("receipt_forged");
    expect(await fault({ claim: { receipt: { ...receipt, signature: "A" } } })).toBe("receipt_forged");
    expect(await fault({ at: receipt.payload.expires_at })).toBe("receipt_expired");
    const elsewhere = await rewritten((event) =>
      event.type === "effect_intended" && event.approval_id !== null ? { ...event, approval_id: uuid(98) } : event,
    );
    expect(await fault({ evidence: elsewhere, claim: { receipt: receiptIn(elsewhere.records) } })).toBe("receipt_differs");
  });

  it("fail for a receipt that is not in the ledger or named by another effect too", async () => {
    const unrecorded = await rewritten((event) => (event.type === "gate_resolved" ? { ...event, receipt: null } : event));
    expect(await fault({ evidence: unrecorded })).toBe("receipt_unrecorded");
    const rejected = await rewritten((event) => (event.type === "gate_resolved" ? { ...event, outcome: "rejected" } : event));
    expect(await fault({ evidence: rejected, claim: { receipt: receiptIn(rejected.records) } })).toBe("receipt_unrecorded");
    const twice = await rewritten((event) =>
      event.type === "effect_intended" && event.effect_id === claim.effect_id ? [{ ...event, effect_id: uuid(97) }, event] : event,
    );
    expect(await fault({ evidence: twice, claim: { receipt: receiptIn(twice.records) } })).toBe("receipt_differs");
  });

  it("pass without a receipt where none is needed, never for irreversible effects", async () => {
    const free = await rewritten((event) => (event.type === "effect_intended" ? { ...event, approval_id: null } : event));
    expect(await fault({ evidence: free, claim: { receipt: null } })).toBeNull();
    expect(await fault({ evidence: free })).toBe("receipt_differs");
    const final = await rewritten((event) =>
      event.type === "effect_intended" ? { ...event, approval_id: null, effect_class: "irreversible" } : event,
    );
    expect(await fault({ evidence: final, claim: { receipt: null } })).toBe("receipt_missing");
  });
});
