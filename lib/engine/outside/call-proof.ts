/** Signed records that authorize a call. */
import { z } from "zod";
import { findIntentFault, findReceiptFault, obeysRules, verifyRecord, type AuthorityFault, type Intent } from "@/lib/engine/authority";
import type { AdminChanged } from "@/lib/engine/events/workspace";
import { encodeIdempotencyKey } from "@/lib/engine/idempotency-key";
import { forkIn } from "@/lib/engine/ledger/lineage";
import { receiptSchema } from "@/lib/engine/approvals/receipt";
import { signedRecordSchema, type LedgerRecord } from "@/lib/engine/ledger/record";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { computeCommitment, hexDigestSchema } from "@/lib/hash";
import { toCanonicalJson, type JsonObject } from "@/lib/json";
import { IDEMPOTENCY_KEY, RECEIPT } from "@/lib/mcp/meta";

export const callProofSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("run"),
    /** The run's own first record; tells whether it is simulated. */
    first: signedRecordSchema,
    intent: signedRecordSchema,
    receipt: receiptSchema.nullable(),
  }),
  z.strictObject({ kind: z.literal("console"), record: signedRecordSchema, salt: hexDigestSchema }),
]);
export type CallProof = z.infer<typeof callProofSchema>;
type ProofOf<K extends CallProof["kind"]> = Extract<CallProof, { kind: K }>;

export type ProvenCall = {
  readonly workspace: string;
  readonly server: string;
  readonly tool: string;
  readonly definitionDigest: string;
  readonly arguments: JsonObject;
  readonly meta: JsonObject;
};

export const CALL_PROOF_FAULTS = [
  "proof_missing",
  "proof_spent",
  "record_forged",
  "record_differs",
  "meta_differs",
  "simulated",
  "intent_missing",
  "intent_differs",
  "receipt_missing",
  "receipt_forged",
  "receipt_differs",
  "receipt_expired",
] as const;
export type CallProofFault = (typeof CALL_PROOF_FAULTS)[number];

/** `mayRepeat`: covers repeats after no answer. */
export type CallProofVerdict =
  | { readonly ok: true; readonly id: string; readonly mayRepeat: boolean }
  | { readonly ok: false; readonly fault: CallProofFault };

const refused = (fault: CallProofFault): CallProofVerdict => ({ ok: false, fault });

const metadataOf = (intent: Intent, receipt: ProofOf<"run">["receipt"]): JsonObject => ({
  [IDEMPOTENCY_KEY]: encodeIdempotencyKey(intent),
  ...(receipt === null ? {} : { [RECEIPT]: receipt }),
});

const beginsRun = (record: LedgerRecord): boolean => {
  const forked = forkIn(record);

  return forked ? forked.run === record.run : record.seq === 0 && record.parent === GENESIS_PARENT;
};

const faultOf = (fault: AuthorityFault): CallProofFault => CALL_PROOF_FAULTS.find((known) => known === fault) ?? "record_differs";

const verifyRunProof = async (proof: ProofOf<"run">, call: ProvenCall, at: number, keys: PublicKeys): Promise<CallProofVerdict> => {
  const { first, intent: signed, receipt } = proof;
  const { record } = signed;
  const isOfRun = [first, signed].every((one) => one.record.workspace === call.workspace && one.record.run === record.run);
  if (!isOfRun || !beginsRun(first.record)) return refused("record_differs");
  if (!(await verifyRecord(first, keys)) || !(await verifyRecord(signed, keys))) return refused("record_forged");
  if (forkIn(first.record)?.effects === "simulate") return refused("simulated");
  const intents = record.kind === "transition" ? record.control.filter((event) => event.type === "effect_intended") : [];
  // The idempotency key selects among a record's effects.
  const intent = intents.find((each) => encodeIdempotencyKey(each) === call.meta[IDEMPOTENCY_KEY]);
  if (!intent) return refused("intent_missing");
  const claim = {
    effect_id: intent.effect_id,
    server: call.server,
    tool: call.tool,
    arguments: call.arguments,
    definition_digest: call.definitionDigest,
    idempotency_key: encodeIdempotencyKey(intent),
    receipt,
  };
  const differs = findIntentFault(intent, claim);
  if (differs !== null) return refused(faultOf(differs));
  if (!obeysRules(first.record.control, record, intent, claim)) return refused(receipt ? "receipt_differs" : "receipt_missing");
  const fault = intent.approval_id === null ? null : await findReceiptFault(record, claim, intent.approval_id, at, keys);
  if (fault !== null) return refused(faultOf(fault));
  if (toCanonicalJson(call.meta) !== toCanonicalJson(metadataOf(intent, receipt))) return refused("meta_differs");

  return { ok: true, id: `${signed.digest}/${intent.effect_id}`, mayRepeat: intent.idempotent };
};

const isConsoleStep = (event: LedgerRecord["control"][number]): event is Extract<typeof event, AdminChanged> =>
  event.type === "admin_changed" && event.area === "mcp" && event.step === "console_called";

const verifyConsoleProof = async (
  { record: signed, salt }: ProofOf<"console">,
  call: ProvenCall,
  keys: PublicKeys,
): Promise<CallProofVerdict> => {
  const { record } = signed;
  if (record.workspace !== call.workspace || record.run !== getWorkspaceLedgerId(call.workspace)) return refused("record_differs");
  if (!(await verifyRecord(signed, keys))) return refused("record_forged");
  const step = record.kind === "transition" ? record.control.find(isConsoleStep) : undefined;
  if (!step) return refused("intent_missing");
  const said = computeCommitment(salt, { tool: call.tool, definition_digest: call.definitionDigest, arguments: call.arguments });
  if (step.subject !== call.server || step.after !== said) return refused("intent_differs");
  // Receipts never authorize test calls.
  if (Object.hasOwn(call.meta, RECEIPT)) return refused("meta_differs");

  return { ok: true, id: signed.digest, mayRepeat: false };
};

/**
 * Verifies that records allow exactly this call.
 * @param at ms since 1970
 */
export const verifyCallProof = async (
  proof: CallProof | null,
  call: ProvenCall,
  at: number,
  keys: PublicKeys,
): Promise<CallProofVerdict> => {
  if (proof === null) return refused("proof_missing");

  return proof.kind === "run" ? verifyRunProof(proof, call, at, keys) : verifyConsoleProof(proof, call, keys);
};
