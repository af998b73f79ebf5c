/** Idempotency keys: let a server recognise a repeated call, even after a rollback of the ledger. */
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import type { Effect } from "@/lib/engine/state";

type Call = Pick<Effect, "activation" | "call_id" | "effect">;

/**
 * Returns the key of a new call: from the receipt alone if approved, so a replayed approval repeats it; else from run, place and content.
 */
export const computeIdempotencyKey = (run: string, { activation, call_id: callId, effect }: Call, receipt: Receipt | null): HexDigest =>
  receipt
    ? digestOf("idempotency", { nonce: receipt.payload.nonce, transition_digest: receipt.payload.transition_digest })
    : digestOf("idempotency", { run, activation, call_id: callId, effect });

export const encodeIdempotencyKey = ({ idempotency_key: key, effect_id: id }: Pick<Effect, "idempotency_key" | "effect_id">): string =>
  key ?? id;
