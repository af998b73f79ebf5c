/** Verifies receipts by the trust anchor alone. */
import { z } from "zod";
import { isRetired } from "@/lib/engine/ledger/handover";
import { receiptSchema, type Receipt, type ReceiptPayload } from "@/lib/engine/approvals/receipt";
import { verifyReceipt } from "@/lib/engine/ledger/signature";
import { getKeys, getRetired, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { JsonObject } from "@/lib/json";
import { IDEMPOTENCY_KEY, RECEIPT } from "@/lib/mcp/meta";
import { err, ok, type Result } from "@/lib/result";

export const WRITE_FAULTS = {
  receipt_missing: "A change needs a receipt of its approval.",
  receipt_malformed: "The receipt is not of the expected form.",
  receipt_forged: "The receipt's signature is not valid under a known key.",
  receipt_other_effect: "The receipt is for another call.",
  receipt_expired: "The receipt has expired.",
  receipt_used: "The receipt was used for another call already.",
  key_missing: "A change needs an idempotency key.",
  key_reused: "The idempotency key was used for another change.",
  customer_unknown: "There is no such customer.",
} as const;
export type WriteFault = keyof typeof WRITE_FAULTS;

export type Authority = { readonly effectKey: string; readonly argumentsDigest: HexDigest; readonly receipt: ReceiptPayload };

const effectKeySchema = z.string().min(1).max(200);

const isGenuine = async (anchor: TrustAnchor, receipt: Receipt): Promise<boolean> =>
  (await verifyReceipt(getKeys(anchor), receipt)) && !isRetired(getRetired(anchor), receipt.kid, receipt.payload.issued_at);

/** Checks form, signature and binding; the write does the rest. */
export const readAuthority = async (
  anchor: TrustAnchor | null,
  server: string,
  tool: string,
  received: JsonObject,
  meta: Readonly<Record<string, unknown>>,
): Promise<Result<Authority, WriteFault>> => {
  if (meta[RECEIPT] === undefined) return err("receipt_missing");
  const receipt = receiptSchema.safeParse(meta[RECEIPT]);
  if (!receipt.success) return err("receipt_malformed");
  if (!anchor || !(await isGenuine(anchor, receipt.data))) return err("receipt_forged");

  const argumentsDigest = digestOf("arguments", received);
  const { effect } = receipt.data.payload;
  if (effect?.server !== server || effect.tool !== tool || effect.arguments_digest !== argumentsDigest) return err("receipt_other_effect");
  const effectKey = effectKeySchema.safeParse(meta[IDEMPOTENCY_KEY]);
  if (!effectKey.success) return err("key_missing");

  return ok({ effectKey: effectKey.data, argumentsDigest, receipt: receipt.data.payload });
};
