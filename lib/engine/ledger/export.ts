/** Run exports, verifiable with public keys alone. */
import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { jsonSchema, toPlainJson, type Json } from "@/lib/json";
import { coverageSchema, isCovered } from "@/lib/engine/ledger/checkpoint";
import { handoversSchema, isRetired, collectRetired, type Retired, type SignedHandover } from "@/lib/engine/ledger/handover";
import { findHeadFault, signedHeadSchema, type HeadFault } from "@/lib/engine/ledger/head-statement";
import { verifyDigest, type PublicKeys } from "@/lib/engine/ledger/signature";
import { verifyReplay, type ReplayVerification } from "@/lib/engine/verify/verify-replay";

const text = z.string();
const place = z.number().int();
const storedRecord = z.strictObject({ seq: place, body: text, digest: text, kid: text, signature: text });

/** Loose: the verifier names a changed record by number. */
const ledgerSchema = z.strictObject({
  workspace: text,
  run: text,
  records: z.array(storedRecord),
  cells: z.array(
    z.strictObject({
      seq: place,
      index: place,
      path: text,
      label: jsonSchema,
      commitment: text,
      opened: z.union([z.strictObject({ salt: text, value: jsonSchema }), z.enum(["unreadable", "shredded"]), z.null()]),
    }),
  ),
  head: z.strictObject({ version: place, digest: text }),
  /** Absent: nothing was shredded. */
  shreds: z.array(storedRecord).readonly().optional(),
  /** Absent: no decision was signed with a passkey. */
  passkeys: z.array(storedRecord).readonly().optional(),
  /** Absent: no signing key was replaced. */
  handovers: handoversSchema.readonly().optional(),
});

const contentSchema = z.strictObject({
  format: z.literal("countersign/export/v1"),
  ledger: ledgerSchema,
  /** kid -> raw Ed25519 key, base64url: every key that signed here. */
  public_keys: z.record(text, text),
  /** Executed version in full, as named by its hash. */
  published: jsonSchema,
  /** Inclusion of the last record in the log; absent without a covering checkpoint. */
  coverage: coverageSchema.optional(),
  /** Signed head: replaces the document signature in exports by the browser. */
  head_signed: signedHeadSchema.optional(),
});
export type ExportContent = z.infer<typeof contentSchema>;

export const exportSchema = contentSchema.extend({
  /** Over the digest of everything else; null without the signing key. */
  signature: z.strictObject({ kid: text, signature: text }).nullable(),
});
export type RunExport = z.infer<typeof exportSchema>;

const asJson = (value: unknown): Json => z.json().parse(JSON.parse(JSON.stringify(value)));

export const exportDigest = ({ format, ledger, public_keys, published, coverage, head_signed }: ExportContent): HexDigest =>
  digestOf("export", asJson({ format, ledger, public_keys, published, coverage, head_signed }));

export type ExportVerification =
  | ReplayVerification
  /** `checkpoint`: last record not covered. `export`: signature differs. */
  | { readonly ok: false; readonly seq: number; readonly reason: "checkpoint" | "export" }
  | ({ readonly ok: false } & HeadFault);

/** Returns whether a signature rules out truncation. */
export const isWhole = ({ ledger, signature, head_signed }: RunExport): boolean =>
  signature !== null || head_signed?.statement.version === ledger.records.length;

const isLastCovered = async ({ ledger, coverage }: RunExport, keys: PublicKeys, retired: Retired): Promise<boolean> => {
  const last = ledger.records.at(-1);
  if (!coverage) return true;
  if (isRetired(retired, coverage.signed.kid, coverage.signed.checkpoint.at)) return false;

  return last !== undefined && isCovered(coverage, ledger.workspace, { run: ledger.run, seq: last.seq, digest: last.digest }, keys);
};

/**
 * Verifies an export.
 * @param keys trusted: the export's own only prove consistency with itself
 * @param onProgress records verified
 * @param given hand-overs it may omit
 */
export const verifyExport = async (
  document: RunExport,
  keys: PublicKeys,
  onProgress?: (checked: number) => void,
  given: readonly SignedHandover[] = [],
): Promise<ExportVerification> => {
  const executed = () => digestOf("graph", document.published);
  const handovers = [...given, ...(document.ledger.handovers ?? [])];
  const verified = await verifyReplay({ ...document.ledger, handovers }, keys, { executed, ...(onProgress ? { onProgress } : {}) });
  if (!verified.ok) return verified;
  const retired = await collectRetired(handovers, keys);
  if (!(await isLastCovered(document, keys, retired))) return { ok: false, seq: document.ledger.records.length - 1, reason: "checkpoint" };
  const head = document.head_signed ? await findHeadFault(document.ledger, document.head_signed, { keys, retired }) : null;
  if (head) return { ok: false, ...head };
  if (!document.signature) return verified;
  const { kid, signature } = document.signature;
  const key = Object.hasOwn(keys, kid) ? keys[kid] : undefined;
  const signed = key !== undefined && (await verifyDigest(key, signature, exportDigest(document)));

  return signed ? verified : { ok: false, seq: document.ledger.records.length, reason: "export" };
};

const LIMITS = { maxBytes: 512 * 1_048_576, maxDepth: 128 };

/** Parses an export, or returns the schema fault. */
export const parseExport = (
  value: unknown,
): { readonly ok: true; readonly value: RunExport } | { readonly ok: false; readonly error: string } => {
  const plain = toPlainJson(value, LIMITS);
  if (!plain.ok) return { ok: false, error: plain.error };
  const parsed = exportSchema.safeParse(plain.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;

  return { ok: false, error: `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? ""}` };
};
