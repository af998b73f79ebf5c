/** Who a server is: what it calls itself, and how it was reached. Both are part of what is reviewed. */
import { z } from "zod";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import type { McpAccess } from "./access";
import type { McpTransport } from "./transport";

export const serverIdentitySchema = z.strictObject({ name: z.string().max(500), version: z.string().max(500) });
/** As a server says it when it is connected to; nothing of it is believed, but a change of it is noticed. */
export type ServerIdentity = z.infer<typeof serverIdentitySchema>;

/** `server` null: it said nothing that could be kept. `reached`: the digest of the transport. */
export const pinnedIdentitySchema = z.strictObject({ server: serverIdentitySchema.nullable(), reached: hexDigestSchema });
export type PinnedIdentity = z.infer<typeof pinnedIdentitySchema>;

const saidSchema = z.object({ name: z.string().max(500), version: z.string().max(500) });

/** Postgres keeps no NUL in a text. */
const NUL = "\u0000";

/** What a server calls itself, or null when that is not of a form that could be kept. */
export const identityOf = (said: unknown): ServerIdentity | null => {
  const parsed = saidSchema.safeParse(said);
  if (!parsed.success) return null;
  const { name, version } = parsed.data;

  return `${name}${version}`.includes(NUL) ? null : { name, version };
};

/** The digest of how a server is reached: another address, package, version, file, argument or credential is another one. */
export const reachedDigest = (transport: McpTransport, access: McpAccess): HexDigest => digestOf("settings", { transport, access });

/** The digest under which an identity is reviewed. */
export const identityDigest = ({ server, reached }: PinnedIdentity): HexDigest => digestOf("settings", { server, reached });

export const IDENTITY_FIELDS = ["name", "version", "address"] as const;
export type IdentityField = (typeof IDENTITY_FIELDS)[number];

/** What of a server is not as it was reviewed. @param pinned `null`: nothing of it was, so that nothing of it is as reviewed */
export const identityDrift = (pinned: PinnedIdentity | null, now: PinnedIdentity): readonly IdentityField[] => {
  if (pinned === null) return IDENTITY_FIELDS;

  return IDENTITY_FIELDS.filter((field) =>
    field === "address" ? pinned.reached !== now.reached : pinned.server?.[field] !== now.server?.[field],
  );
};
