/**
 * Lines of the journal: what the control plane remembers outside the database. Each line carries a checksum, so that a disk
 * that lies is told from a history that went backwards.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";

const count = z.number().int().min(0);

/** How far a ledger is: its number of records, and the digest of the last one. */
export const headSchema = z.strictObject({ version: count, digest: hexDigestSchema });
export type Head = z.infer<typeof headSchema>;

/** One use of a receipt. The same receipt is honoured again only for the same call: after a crash, or with an answer for the tool. */
export const spentReceiptSchema = z.strictObject({
  nonce: uuidSchema,
  run: uuidSchema,
  effect: uuidSchema,
  transition_digest: hexDigestSchema,
  arguments_digest: hexDigestSchema,
  idempotency_key: z.string().max(200),
  /** The receipt expires (ms since 1970). */
  expires_at: z.number().int(),
});
export type SpentReceipt = z.infer<typeof spentReceiptSchema>;

/** A checkpoint that this installation signed or accepted, with all that is needed to check that a longer log extends it. */
export const seenCheckpointSchema = z.strictObject({
  origin: uuidSchema,
  count,
  root: hexDigestSchema,
  peaks: z.array(hexDigestSchema).max(64),
});
export type SeenCheckpoint = z.infer<typeof seenCheckpointSchema>;

export const entrySchema = z.discriminatedUnion("type", [
  /** The first line of a file. `since`: what happened earlier (ms since 1970) is not known. */
  z.strictObject({ type: z.literal("opened"), v: z.literal(1), since: z.number().int() }),
  z.strictObject({ type: z.literal("head"), run: uuidSchema, ...headSchema.shape }),
  z.strictObject({ type: z.literal("spent"), ...spentReceiptSchema.shape }),
  z.strictObject({ type: z.literal("checkpoint"), ...seenCheckpointSchema.shape }),
  /** An operator's word that was carried out, by the id of its notice. */
  z.strictObject({ type: z.literal("noticed"), id: uuidSchema, kind: z.enum(["restored", "accepted"]) }),
  /** The process that wrote the file has ended and writes nothing more. */
  z.strictObject({ type: z.literal("closed") }),
]);
export type Entry = z.infer<typeof entrySchema>;

const CHECKSUM_CHARS = 16;
const checksumOf = (json: string): string => createHash("sha256").update(json).digest("hex").slice(0, CHECKSUM_CHARS);

export const entryLine = (entry: Entry): string => {
  const json = JSON.stringify(entry);

  return `${checksumOf(json)} ${json}\n`;
};

/** @returns null for a line that nobody wrote like this */
const parseLine = (line: string): Entry | null => {
  const json = line.slice(CHECKSUM_CHARS + 1);
  if (line !== `${checksumOf(json)} ${json}`) return null;
  try {
    return entrySchema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
};

export type ReadEntries = {
  readonly entries: readonly Entry[];
  /** Bytes up to the end of the last whole line. */
  readonly bytes: number;
  /** The last line was cut off in the middle, as a crash does it. */
  readonly isTorn: boolean;
  /** Numbers of other lines that cannot be read, from 1. */
  readonly unreadable: readonly number[];
};

/** Reads what a file holds; the end of a file that somebody is writing to may be torn. */
export const readEntries = (text: string): ReadEntries => {
  const end = text.lastIndexOf("\n") + 1;
  const lines = text.slice(0, end).split("\n").slice(0, -1);
  const parsed = lines.map(parseLine);
  const unreadable = parsed.flatMap((entry, index) => (entry ? [] : [index + 1]));
  const isLastBad = unreadable.at(-1) === lines.length && lines.length > 0;

  return {
    entries: parsed.filter((entry) => entry !== null),
    bytes: Buffer.byteLength(text.slice(0, end)),
    isTorn: end < text.length || isLastBad,
    unreadable: isLastBad ? unreadable.slice(0, -1) : unreadable,
  };
};
