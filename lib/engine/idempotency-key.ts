/** Keys by which servers recognise repeats, even after a ledger rollback. */
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import type { Effect } from "@/lib/engine/state";

type Call = Pick<Effect, "activation" | "call_id" | "effect">;

/** Computes a call's key, from the receipt alone if approved: replays repeat it. */
export const computeIdempotencyKey = (run: string, { activation, call_id: callId, effect }: Call, receipt: Receipt | null): HexDigest =>
  receipt
    ? digestOf("idempotency", { nonce: receipt.payload.nonce, transition_digest: receipt.payload.transition_digest })
    : digestOf("idempotency", { run, activation, call_id: callId, effect });

export const encodeIdempotencyKey = ({ idempotency_key: key, effect_id: id }: Pick<Effect, "idempotency_key" | "effect_id">): string =>
  key ?? id;
