/** Idempotency keys: what a server recognises a repeated call by, also after the ledger that asked for it was rolled back. */
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import type { Effect } from "@/lib/engine/state";

type Call = Pick<Effect, "activation" | "call_id" | "effect">;

/**
 * Key of a new call. An approved call's key follows from its receipt alone, so a replayed approval repeats it. Any other key
 * follows from the run, the place of the call and everything that is called: one call has that place, and no other has that key.
 */
export const idempotencyKey = (run: string, { activation, call_id: callId, effect }: Call, receipt: Receipt | null): HexDigest =>
  receipt
    ? digestOf("idempotency", { nonce: receipt.payload.nonce, transition_digest: receipt.payload.transition_digest })
    : digestOf("idempotency", { run, activation, call_id: callId, effect });

/** Key that an effect's calls are sent with. */
export const sentKey = ({ idempotency_key: key, effect_id: id }: Pick<Effect, "idempotency_key" | "effect_id">): string => key ?? id;
