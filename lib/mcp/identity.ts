/** Identity of a server: its reported name and version, and its connection. Both are reviewed. */
import { z } from "zod";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import type { McpAccess } from "./access";
import type { McpTransport } from "./transport";

export const serverIdentitySchema = z.strictObject({ name: z.string().max(500), version: z.string().max(500) });
/** Reported by a server on connection. Not trusted, but a change is detected. */
export type ServerIdentity = z.infer<typeof serverIdentitySchema>;

/** `server` null: nothing valid was reported. `reached`: the digest of the transport. */
export const pinnedIdentitySchema = z.strictObject({ server: serverIdentitySchema.nullable(), reached: hexDigestSchema });
export type PinnedIdentity = z.infer<typeof pinnedIdentitySchema>;

const saidSchema = z.object({ name: z.string().max(500), version: z.string().max(500) });

/** Postgres keeps no NUL in a text. */
const NUL = "\u0000";

/** A server's reported identity, or null when it is invalid. */
export const identityOf = (said: unknown): ServerIdentity | null => {
  const parsed = saidSchema.safeParse(said);
  if (!parsed.success) return null;
  const { name, version } = parsed.data;

  return `${name}${version}`.includes(NUL) ? null : { name, version };
};

/** Digest of a server's connection, covering address, package, version, file, arguments and credentials. */
export const reachedDigest = (transport: McpTransport, access: McpAccess): HexDigest => digestOf("settings", { transport, access });

/** The digest under which an identity is reviewed. */
export const identityDigest = ({ server, reached }: PinnedIdentity): HexDigest => digestOf("settings", { server, reached });

export const IDENTITY_FIELDS = ["name", "version", "address"] as const;
export type IdentityField = (typeof IDENTITY_FIELDS)[number];

/** Fields that differ from the review. @param pinned `null`: not reviewed, so all fields differ */
export const identityDrift = (pinned: PinnedIdentity | null, now: PinnedIdentity): readonly IdentityField[] => {
  if (pinned === null) return IDENTITY_FIELDS;

  return IDENTITY_FIELDS.filter((field) =>
    field === "address" ? pinned.reached !== now.reached : pinned.server?.[field] !== now.server?.[field],
  );
};
