import type { LedgerRecord, SignedRecord } from "@/lib/engine/ledger/record";
import { listCallRules } from "@/lib/engine/approvals/rules";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import { recordDigest } from "@/lib/engine/ledger/chain";
import type { RunEvent } from "@/lib/engine/event";
import { encodeIdempotencyKey } from "@/lib/engine/idempotency-key";
import { forkIn, canFollow } from "@/lib/engine/ledger/lineage";
import { verifyDigest, verifyReceipt, type PublicKeys } from "@/lib/engine/ledger/signature";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";
import type { JsonObject } from "@/lib/json";

export type Scope = {
  readonly workspace: string;
  readonly run: string;
  readonly graph_hash: string;
  readonly policy_hash: string;
};

export type Evidence = Scope & { readonly records: readonly SignedRecord[] };

export type Intent = Extract<RunEvent, { type: "effect_intended" }>;

export type EffectClaim = {
  readonly effect_id: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly definition_digest: string;
  readonly idempotency_key: string;
  /** Null: none needed. */
  readonly receipt: Receipt | null;
};

export type AuthorityFault =
  | "chain_broken"
  | "simulated"
  | "intent_missing"
  | "intent_differs"
  | "receipt_missing"
  | "receipt_forged"
  | "receipt_differs"
  | "receipt_expired"
  | "receipt_unrecorded"
  /** The control plane's journal shows it used for another call. */
  | "receipt_spent";

const ownRecords = (evidence: Evidence): readonly SignedRecord[] => evidence.records.filter(({ record }) => record.run === evidence.run);

/** Verifies the record's signature against `keys`. */
export const verifyRecord = async (signed: SignedRecord, keys: PublicKeys): Promise<boolean> => {
  const key = Object.hasOwn(keys, signed.kid) ? keys[signed.kid] : undefined;

  return key !== undefined && recordDigest(signed.record) === signed.digest && verifyDigest(key, signed.signature, signed.digest);
};

const chainHolds = async (evidence: Evidence, keys: PublicKeys): Promise<boolean> => {
  let parent: string = GENESIS_PARENT;
  let run: string | null = null;
  for (const [seq, signed] of evidence.records.entries()) {
    const { record } = signed;
    const holds =
      record.seq === seq &&
      record.parent === parent &&
      record.workspace === evidence.workspace &&
      canFollow(record, run) &&
      (record.run !== evidence.run || record.graph_hash === evidence.graph_hash) &&
      (await verifyRecord(signed, keys));
    if (!holds) return false;
    parent = signed.digest;
    run = record.run;
  }

  return run === evidence.run;
};

/**
 * Returns what the receipt fails to cover, or null.
 * @param at ms since 1970
 */
export const findReceiptFault = async (
  evidence: Scope,
  claim: EffectClaim,
  approvalId: string,
  at: number,
  keys: PublicKeys,
): Promise<AuthorityFault | null> => {
  if (!claim.receipt) return "receipt_missing";
  const { payload } = claim.receipt;
  if (!(await verifyReceipt(keys, claim.receipt))) return "receipt_forged";
  if (at >= payload.expires_at) return "receipt_expired";
  const { effect } = payload;
  const covers =
    payload.approval_id === approvalId &&
    payload.workspace === evidence.workspace &&
    payload.run === evidence.run &&
    payload.graph_hash === evidence.graph_hash &&
    payload.policy_hash === evidence.policy_hash &&
    effect?.server === claim.server &&
    effect.tool === claim.tool &&
    effect.definition_digest === claim.definition_digest &&
    effect.arguments_digest === computeArgumentsDigest(claim.arguments);

  return covers ? null : "receipt_differs";
};

/** Returns how claim and intent differ, or null. */
export const findIntentFault = (intent: Intent, claim: EffectClaim): AuthorityFault | null => {
  const same =
    intent.effect_id === claim.effect_id &&
    intent.effect.server === claim.server &&
    intent.effect.tool === claim.tool &&
    intent.effect.definition_digest === claim.definition_digest &&
    intent.effect.arguments_digest === computeArgumentsDigest(claim.arguments) &&
    encodeIdempotencyKey(intent) === claim.idempotency_key;
  if (!same) return "intent_differs";
  if (intent.approval_id !== null) return null;
  if (claim.receipt) return "receipt_differs";

  // Irreversible effects need a receipt whatever the record says.
  return intent.effect_class === "irreversible" ? "receipt_missing" : null;
};

/** Returns whether the receipt names each workspace rule that applies. @param first has the run's rules @param record the intent's */
export const obeysRules = (first: readonly RunEvent[], record: LedgerRecord, intent: Intent, claim: EffectClaim): boolean => {
  const start = first.findLast((event) => event.type === "run_started");
  const call = {
    ...intent.effect,
    graphs: start ? [start.graph_id] : [],
    effect: intent.effect_class,
    label: record.writes.find(({ path }) => path === `$arguments.${intent.effect_id}`)?.label ?? null,
    args: claim.arguments,
  };

  return listCallRules(start ?? null, call).every(({ id }) => claim.receipt?.payload.rules?.includes(id) === true);
};

const isRecorded = (evidence: Evidence, receipt: Receipt | null): boolean =>
  ownRecords(evidence).some(({ record }) =>
    record.control.some(
      (event) => event.type === "gate_resolved" && event.outcome === "approved" && event.receipt?.signature === receipt?.signature,
    ),
  );

const usedElsewhere = (evidence: Evidence, claim: EffectClaim, approvalId: string): boolean =>
  ownRecords(evidence).some(({ record }) =>
    record.control.some(
      (event) => event.type === "effect_intended" && event.approval_id === approvalId && event.effect_id !== claim.effect_id,
    ),
  );

/**
 * Returns the first objection, or null.
 * @param at ms since 1970
 */
export const findAuthorityFault = async (
  evidence: Evidence,
  claim: EffectClaim,
  at: number,
  keys: PublicKeys,
): Promise<AuthorityFault | null> => {
  if (!(await chainHolds(evidence, keys))) return "chain_broken";
  const own = ownRecords(evidence);
  if (own.some(({ record }) => forkIn(record)?.effects === "simulate")) return "simulated";
  const intents = own.flatMap(({ record }) =>
    record.control.flatMap((event) =>
      event.type === "effect_intended" && event.effect_id === claim.effect_id && record.policy_hash === evidence.policy_hash
        ? [{ intent: event, intending: record }]
        : [],
    ),
  );
  const { intent, intending } = intents.at(-1) ?? {};
  const settled = own.some(({ record }) =>
    record.control.some((event) => event.type === "effect_settled" && event.effect_id === claim.effect_id),
  );
  // Settled effects must not repeat.
  if (!intent || !intending || settled) return "intent_missing";
  const differs = findIntentFault(intent, claim);
  if (differs !== null) return differs;
  const started = evidence.records.flatMap((signed) => signed.record.control);
  if (!obeysRules(started, intending, intent, claim)) return claim.receipt ? "receipt_differs" : "receipt_missing";
  if (intent.approval_id === null) return null;
  if (usedElsewhere(evidence, claim, intent.approval_id)) return "receipt_differs";
  const fault = await findReceiptFault(evidence, claim, intent.approval_id, at, keys);
  if (fault !== null) return fault;

  return isRecorded(evidence, claim.receipt) ? null : "receipt_unrecorded";
};
