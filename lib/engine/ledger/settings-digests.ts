/** The digests of rows that hand out authority. A record of the workspace's own ledger names the one in force. */
import type { PolicySettings } from "@/lib/approval-policy/command";
import type { Standing } from "@/lib/people/command";
import type { Identity } from "@/lib/people/identity";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { TokenLimits } from "@/lib/outside/token-limits";

export const memberDigest = ({ role, auditor }: Standing, isDisabled: boolean): HexDigest =>
  digestOf("settings", { role, auditor, disabled: isDisabled });

/** @param passwordHash argon2id; null: the person has no password */
export const passwordDigest = (passwordHash: string | null): HexDigest | null =>
  passwordHash === null ? null : digestOf("settings", { password_hash: passwordHash });

/** Of the identity at a provider that a person signs in with. */
export const identityDigest = ({ issuer, subject }: Identity): HexDigest => digestOf("settings", { issuer, subject });

/** Of a session that is over. One that is open is on no record. */
export const SESSION_ENDED: HexDigest = digestOf("settings", { session: "ended" });

/** Of the version that a person's cookies have to name; null: no record has raised it. */
export const sessionVersionDigest = (version: number): HexDigest | null =>
  version === 1 ? null : digestOf("settings", { session_version: version });

export const workspaceDigest = ({ demo }: { readonly demo: boolean }): HexDigest => digestOf("settings", { demo });

export const policyDigest = ({ approvals, request }: PolicySettings): HexDigest =>
  digestOf("settings", { approvals, request: request && { id: request.id, by: request.by } });

export type InviteSettings = Standing & { readonly email: string; readonly hash: string };

export const inviteDigest = ({ role, auditor, email, hash }: InviteSettings): HexDigest =>
  digestOf("settings", { role, auditor, email, hash });

export type VersionSettings = { readonly graphId: string; readonly number: number; readonly authorId: string };

export const versionDigest = ({ graphId, number, authorId }: VersionSettings): HexDigest =>
  digestOf("settings", { graph: graphId, number, author: authorId });

export type RequestSettings = {
  readonly graphId: string;
  readonly revision: number;
  readonly hash: string;
  readonly baseHash: string | null;
  readonly requestedBy: string;
  /** The ids of everybody who took part in the draft and so may not answer, in any order. */
  readonly involved: readonly string[];
};

/** Of a version that waits for a second person. */
export const requestDigest = ({ graphId, revision, hash, baseHash, requestedBy, involved }: RequestSettings): HexDigest =>
  digestOf("settings", { graph: graphId, revision, hash, base: baseHash, requested_by: requestedBy, involved: involved.toSorted() });

export type TokenSettings = {
  readonly hash: string;
  /** Null: made before agents signed, so the digest has none either. */
  readonly publicKey: string | null;
  readonly ownerId: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  /** Null: all graphs of the workspace. */
  readonly graphs: readonly string[] | null;
  readonly integrity: string;
  readonly strictErrors: boolean;
  readonly singleBlock: boolean;
  /** Null: made before tokens had any, so the digest has none either. */
  readonly limits: TokenLimits | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly isRevoked: boolean;
};

export const tokenDigest = (token: TokenSettings): HexDigest =>
  digestOf("settings", {
    hash: token.hash,
    owner: token.ownerId,
    audience: token.audience,
    scopes: [...token.scopes],
    graphs: token.graphs && [...token.graphs],
    integrity: token.integrity,
    strict_errors: token.strictErrors,
    single_block: token.singleBlock,
    expires_at: token.expiresAt,
    revoked: token.isRevoked,
    ...(token.limits ? { limits: { ...token.limits } } : {}),
    ...(token.publicKey === null ? {} : { public_key: token.publicKey }),
  });
