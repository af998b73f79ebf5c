/** Checksums tell disk corruption from a rolled back history. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";

const count = z.number().int().min(0);

/** Record count and the last digest. */
export const headSchema = z.strictObject({ version: count, digest: hexDigestSchema });
export type Head = z.infer<typeof headSchema>;

/** Reusable only for the same call. */
export const spentReceiptSchema = z.strictObject({
  nonce: uuidSchema,
  run: uuidSchema,
  effect: uuidSchema,
  transition_digest: hexDigestSchema,
  arguments_digest: hexDigestSchema,
  idempotency_key: z.string().max(200),
  /** ms since 1970 */
  expires_at: z.number().int(),
});
export type SpentReceipt = z.infer<typeof spentReceiptSchema>;

export const seenCheckpointSchema = z.strictObject({
  origin: uuidSchema,
  count,
  root: hexDigestSchema,
  peaks: z.array(hexDigestSchema).max(64),
});
export type SeenCheckpoint = z.infer<typeof seenCheckpointSchema>;

export const entrySchema = z.discriminatedUnion("type", [
  /** `since`: earlier events are unknown (ms since 1970). */
  z.strictObject({ type: z.literal("opened"), v: z.literal(1), since: z.number().int() }),
  z.strictObject({ type: z.literal("head"), run: uuidSchema, ...headSchema.shape }),
  z.strictObject({ type: z.literal("spent"), ...spentReceiptSchema.shape }),
  z.strictObject({ type: z.literal("checkpoint"), ...seenCheckpointSchema.shape }),
  z.strictObject({ type: z.literal("noticed"), id: uuidSchema, kind: z.enum(["restored", "accepted"]) }),
  z.strictObject({ type: z.literal("closed") }),
]);
export type Entry = z.infer<typeof entrySchema>;

const CHECKSUM_CHARS = 16;
const checksumOf = (json: string): string => createHash("sha256").update(json).digest("hex").slice(0, CHECKSUM_CHARS);

export const formatEntry = (entry: Entry): string => {
  const json = JSON.stringify(entry);

  return `${checksumOf(json)} ${json}\n`;
};

/** @returns null when malformed */
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
  /** Up to the last complete line. */
  readonly bytes: number;
  /** As by a crash. */
  readonly isTorn: boolean;
  /** Line numbers from 1. */
  readonly unreadable: readonly number[];
};

/** Parses a file, possibly still being written. */
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
