/** The signed outcome of an approval: it authorizes exactly one transition, once, until it expires. */
import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { toolNameSchema } from "@/lib/graph/tool-ref";

/** An effect by digest: what is called, in which definition, with exactly which arguments. */
export const effectDigestSchema = z.strictObject({
  server: idSchema,
  tool: toolNameSchema,
  definition_digest: hexDigestSchema,
  arguments_digest: hexDigestSchema,
});

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
    .max(10),
  nonce: uuidSchema,
  issued_at: z.number().int(),
  /** After this moment (ms since 1970) nobody honours it. */
  expires_at: z.number().int(),
});
export type ReceiptPayload = z.infer<typeof receiptPayloadSchema>;

/** `signature` is Ed25519 over `domainBytes("receipt", payload)`, base64url. */
export const receiptSchema = z.strictObject({ payload: receiptPayloadSchema, kid: z.string().max(64), signature: z.string().max(128) });
export type Receipt = z.infer<typeof receiptSchema>;
