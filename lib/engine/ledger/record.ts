import { z } from "zod";
import { labelSchema } from "@/lib/graph/label";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { eventSchema } from "@/lib/engine/events/catalogue";
import { principalSchema } from "@/lib/engine/principal";
import { refusalSchema } from "@/lib/refusal";

/**
 * Memory path, or an engine cell that no grant can name: `$goal`, `$constraints`, `$thread.<activation>.<attempt>`, `$reasoning` and `$compacted` beside it, `$arguments.<effect>`,
 * `$result.<effect>`, `$pending.<gate>`, `$history.<gate>`, `$viewing.<gate>`, `$asked.<gate>`, `$state.<gate>`, `$answer.<gate>`, `$attempt`, `$error`, `$reason`.
 */
const cellPathSchema = z.string().max(1_200);

export const cellWriteSchema = z.strictObject({ path: cellPathSchema, commitment: hexDigestSchema, label: labelSchema });
export type CellWrite = z.infer<typeof cellWriteSchema>;

export const recordSchema = z.strictObject({
  v: z.literal(1),
  workspace: uuidSchema,
  run: uuidSchema,
  seq: z.number().int().min(0),
  kind: z.enum(["transition", "refusal"]),
  /** ms since 1970, runner clock. */
  at: z.number().int(),
  principal: principalSchema,
  node: idSchema.nullable(),
  graph_hash: hexDigestSchema,
  policy_hash: hexDigestSchema,
  proposal_id: uuidSchema,
  proposal_kind: z.string().max(40),
  proposal_digest: hexDigestSchema,
  reads: z.array(z.strictObject({ key: cellPathSchema, seq: z.number().int() })),
  writes: z.array(cellWriteSchema),
  control: z.array(eventSchema),
  refusal: refusalSchema.nullable(),
  parent: hexDigestSchema,
});
export type LedgerRecord = z.infer<typeof recordSchema>;

/** `digest`: SHA-256 of `encodeWithDomain("record", record)`; Ed25519 over it, base64url. */
export const signedRecordSchema = z.strictObject({
  record: recordSchema,
  digest: hexDigestSchema,
  kid: z.string().max(64),
  signature: z.string().max(128),
});
export type SignedRecord = z.infer<typeof signedRecordSchema>;
