import type { PolicySettings } from "@/lib/approval-policy/command";
import type { Standing } from "@/lib/people/command";
import type { DirectoryUser } from "@/lib/people/directory-user";
import type { Identity } from "@/lib/people/identity";
import type { Variables } from "@/lib/environments/variables";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { OauthGrant } from "@/lib/outside/oauth-grant";
import type { TokenLimits } from "@/lib/outside/token-limits";

export const computeMemberDigest = ({ role, auditor }: Standing, isDisabled: boolean): HexDigest =>
  digestOf("settings", { role, auditor, disabled: isDisabled });

export const computePasswordDigest = (passwordHash: string | null): HexDigest | null =>
  passwordHash === null ? null : digestOf("settings", { password_hash: passwordHash });

export const computeIdentityDigest = ({ issuer, subject }: Identity): HexDigest => digestOf("settings", { issuer, subject });

export const computeDirectoryUserDigest = (user: DirectoryUser): HexDigest => digestOf("settings", { directory_user: { ...user } });

export const SESSION_ENDED: HexDigest = digestOf("settings", { session: "ended" });

/** Returns the digest of the version that session cookies must name; null: never raised. */
export const computeSessionVersionDigest = (version: number): HexDigest | null =>
  version === 1 ? null : digestOf("settings", { session_version: version });

export const computeWorkspaceDigest = ({ demo }: { readonly demo: boolean }): HexDigest => digestOf("settings", { demo });

export const computePolicyDigest = ({ approvals, request }: PolicySettings): HexDigest =>
  digestOf("settings", { approvals, request: request && { id: request.id, by: request.by } });

export const computeVariablesDigest = (variables: Variables): HexDigest => digestOf("settings", { variables: { ...variables } });

export type InviteSettings = Standing & { readonly email: string; readonly hash: string };

export const computeInviteDigest = ({ role, auditor, email, hash }: InviteSettings): HexDigest =>
  digestOf("settings", { role, auditor, email, hash });

export type VersionSettings = { readonly graphId: string; readonly number: number; readonly authorId: string };

export const computeVersionDigest = ({ graphId, number, authorId }: VersionSettings): HexDigest =>
  digestOf("settings", { graph: graphId, number, author: authorId });

export type RequestSettings = {
  readonly graphId: string;
  readonly revision: number;
  readonly hash: string;
  readonly baseHash: string | null;
  readonly requestedBy: string;
  readonly involved: readonly string[];
};

export const requestDigest = ({ graphId, revision, hash, baseHash, requestedBy, involved }: RequestSettings): HexDigest =>
  digestOf("settings", { graph: graphId, revision, hash, base: baseHash, requested_by: requestedBy, involved: involved.toSorted() });

export type TokenSettings = {
  readonly hash: string;
  /** Null: before agent signatures; not digested. */
  readonly publicKey: string | null;
  readonly ownerId: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly graphs: readonly string[] | null;
  readonly environments?: readonly string[];
  readonly integrity: string;
  readonly strictErrors: boolean;
  readonly singleBlock: boolean;
  /** Null: before token limits; not digested. */
  readonly limits: TokenLimits | null;
  /** Null: made by hand; not digested. */
  readonly oauth: OauthGrant | null;
  readonly expiresAt: number;
  readonly isRevoked: boolean;
};

export const computeTokenDigest = (token: TokenSettings): HexDigest =>
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
    ...(token.environments?.length ? { environments: [...token.environments] } : {}),
    ...(token.limits ? { limits: { ...token.limits } } : {}),
    ...(token.publicKey === null ? {} : { public_key: token.publicKey }),
    ...(token.oauth ? { oauth: { ...token.oauth } } : {}),
  });
