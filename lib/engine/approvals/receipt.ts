/** Signed single-use approval of one transition, until expiry. */
import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { toolNameSchema } from "@/lib/graph/tool-ref";

export const effectDigestSchema = z.strictObject({
  server: idSchema,
  tool: toolNameSchema,
  definition_digest: hexDigestSchema,
  arguments_digest: hexDigestSchema,
});

/** More than a quorum: with named approvers, some may not count. */
const MOST_REVIEWERS = 200;

export const receiptPayloadSchema = z.strictObject({
  v: z.literal(1),
  workspace: uuidSchema,
  run: uuidSchema,
  approval_id: uuidSchema,
  transition_digest: hexDigestSchema,
  graph_hash: hexDigestSchema,
  policy_hash: hexDigestSchema,
  effect: effectDigestSchema.nullable(),
  reviewers: z
    .array(z.strictObject({ user: uuidSchema, view_digest: hexDigestSchema, at: z.number().int() }))
    .min(1)
    .max(MOST_REVIEWERS),
  /** Workspace rules that the approval obeyed. */
  rules: z.array(uuidSchema).min(1).exactOptional(),
  nonce: uuidSchema,
  issued_at: z.number().int(),
  /** ms since 1970. */
  expires_at: z.number().int(),
});
export type ReceiptPayload = z.infer<typeof receiptPayloadSchema>;

/** `signature`: Ed25519 over `encodeWithDomain("receipt", payload)`, base64url. */
export const receiptSchema = z.strictObject({ payload: receiptPayloadSchema, kid: z.string().max(64), signature: z.string().max(128) });
export type Receipt = z.infer<typeof receiptSchema>;
