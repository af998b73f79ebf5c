import { z } from "zod";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import type { McpAccess } from "./access";
import type { McpTransport } from "./transport";

export const serverIdentitySchema = z.strictObject({ name: z.string().max(500), version: z.string().max(500) });
/** Watched but not believed. */
export type ServerIdentity = z.infer<typeof serverIdentitySchema>;

/** `server` null: nothing storable. `reached`: transport digest. */
export const pinnedIdentitySchema = z.strictObject({ server: serverIdentitySchema.nullable(), reached: hexDigestSchema });
export type PinnedIdentity = z.infer<typeof pinnedIdentitySchema>;

const saidSchema = z.object({ name: z.string().max(500), version: z.string().max(500) });

/** Postgres rejects NUL in text. */
const NUL = "\u0000";

export const toIdentity = (said: unknown): ServerIdentity | null => {
  const parsed = saidSchema.safeParse(said);
  if (!parsed.success) return null;
  const { name, version } = parsed.data;

  return `${name}${version}`.includes(NUL) ? null : { name, version };
};

export const computeReachedDigest = (transport: McpTransport, access: McpAccess): HexDigest => digestOf("settings", { transport, access });

/** Hashes an identity for review. */
export const computeIdentityDigest = ({ server, reached }: PinnedIdentity): HexDigest => digestOf("settings", { server, reached });

export const IDENTITY_FIELDS = ["name", "version", "address"] as const;
export type IdentityField = (typeof IDENTITY_FIELDS)[number];

/** Lists changed fields; all if unreviewed (null). */
export const findIdentityDrift = (pinned: PinnedIdentity | null, now: PinnedIdentity): readonly IdentityField[] => {
  if (pinned === null) return IDENTITY_FIELDS;

  return IDENTITY_FIELDS.filter((field) =>
    field === "address" ? pinned.reached !== now.reached : pinned.server?.[field] !== now.server?.[field],
  );
};
