import { computeIdentityDigest } from "@/lib/engine/ledger/settings-digests";
import type { Identity } from "@/lib/people/identity";
import type { SignInAnswer, SignInRefusal, SignInRequest } from "@/lib/people/sign-in";
import { nameOf, findObjection, getVerifiedEmail, type Claims } from "@/server/auth/oidc-claims";
import { log } from "@/server/log";
import { joinByIdentity } from "@/server/runner/membership";
import { admitNewcomer, syncByToken } from "@/server/runner/sign-in/directory";
import type { VerifiedToken } from "@/server/runner/sign-in/id-token";
import { openSession, toRefused, type SignInDeps } from "@/server/runner/sign-in/outcome";
import type { Place } from "@/server/runner/sign-in/standing";
import { findAccountByEmail, findAccountById, readSessionVersion, type Account } from "@/server/store/people/accounts";
import { isAuthorityError } from "@/server/store/trust/authority";
import { findIdentity } from "@/server/store/people/identities";
import { findWorkspaceInviting } from "@/server/store/people/invites";
import { isDemo, findUserPrincipal } from "@/server/store/people/principals";

const identityOf = ({ iss: issuer, sub: subject }: Claims): Identity => ({ issuer, subject });

const join = async (deps: SignInDeps, { claims, payload, digest }: VerifiedToken): Promise<{ readonly userId: string } | SignInRefusal> => {
  const email = getVerifiedEmail(claims);
  if (email === null) return "email_unverified";
  const workspaceId = await findWorkspaceInviting(email, new Date(deps.clock.now()));
  const id = deps.clock.id();
  const newcomer = { id, name: nameOf(claims, email), identity: identityOf(claims) };
  const joining = { ...newcomer, invite: { email }, passwordHash: null };
  if (workspaceId !== null && (await joinByIdentity(deps, { workspaceId, ...joining }))) return { userId: id };
  const known = await findAccountByEmail(email);
  // The account may be another person's: its password holder has to link both.
  if (known) return known.passwordHash ? "email_known" : "unknown";

  return (await admitNewcomer(deps, { ...newcomer, email }, { claims: payload, token: digest })) ? { userId: id } : "unknown";
};

const admitIn = async (
  deps: SignInDeps,
  { claims, payload, digest }: VerifiedToken,
  account: Account,
  workspaceId: string,
): Promise<Place | SignInRefusal> => {
  const { authority } = deps;
  const { id } = account;
  const identity = identityOf(claims);
  try {
    const demo = await isDemo(authority, workspaceId);
    const readLinked = () => findIdentity(identity);
    const linked = await authority.confirm(workspaceId, "identities", id, readLinked, (user) =>
      user === id ? computeIdentityDigest(identity) : null,
    );
    if (linked !== id) return "unknown";
    const refusal = demo ? null : await syncByToken(deps, workspaceId, id, { claims: payload, token: digest });
    if (refusal) return refusal;

    const sessionVersion = await readSessionVersion(workspaceId, id);

    return sessionVersion !== null && (await findUserPrincipal(authority, workspaceId, id))
      ? { workspaceId, demo, sessionVersion }
      : "disabled";
  } catch (error) {
    if (isAuthorityError(error)) return "authority_mismatch";
    throw error;
  }
};

/** The token's groups count in all workspaces. */
const admit = async (deps: SignInDeps, token: VerifiedToken, account: Account): Promise<Place | SignInRefusal> => {
  const outcomes: (Place | SignInRefusal)[] = [];
  for (const id of account.workspaceIds) outcomes.push(await admitIn(deps, token, account, id));

  return outcomes.find((outcome) => typeof outcome === "object") ?? outcomes[0] ?? "unknown";
};

type Named = { readonly userId: string; readonly place: Place; readonly claims: Claims };

const findNamed = async (deps: SignInDeps, token: VerifiedToken): Promise<Named | SignInRefusal> => {
  const { claims, rules } = token;
  const linked = await findIdentity(identityOf(claims));
  const objection = findObjection(claims, rules, linked !== null);
  if (objection) return objection;
  const found = linked === null ? await join(deps, token) : { userId: linked };
  if (typeof found === "string") return found;
  const account = await findAccountById(found.userId);
  const place = account === null ? "unknown" : await admit(deps, token, account);

  return typeof place === "string" ? place : { userId: found.userId, place, claims };
};

export const signInWithIdentity = async (
  deps: SignInDeps,
  { token, ...session }: Extract<SignInRequest, { type: "identity" }>,
): Promise<SignInAnswer> => {
  const verified = await deps.verifyIdToken?.(token);
  const named = verified ? await findNamed(deps, verified) : "token_invalid";
  if (typeof named === "string") {
    log().warn({ code: named }, "sign-in by the identity provider was denied");

    return toRefused(named);
  }
  const { userId, place, claims } = named;

  return openSession(deps, userId, place, session, claims.auth_time === undefined ? null : claims.auth_time * 1_000, claims.sid ?? "");
};
