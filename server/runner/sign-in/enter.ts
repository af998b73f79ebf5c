import { computeEntryDigest, type Entry, type EntryRequest, type SignInAnswer, type SignInRefusal } from "@/lib/people/sign-in";
import { isFresh } from "@/lib/people/fresh-proof";
import { hashSetupToken } from "@/server/auth/setup-token";
import { deriveId } from "@/server/derived-id";
import { foundByAccount, joinByAccount, type SignedInAccount } from "@/server/runner/account-join";
import { Refused } from "@/server/runner/membership";
import { openSession, toRefused, type SignInDeps } from "@/server/runner/sign-in/outcome";
import { findSigningSession } from "@/server/runner/sign-in/signing-session";
import { getStandingIn } from "@/server/runner/sign-in/standing";
import { findAccountById } from "@/server/store/people/accounts";
import { findInviteWorkspace } from "@/server/store/people/invites";
import { findUserInSession } from "@/server/store/people/principals";
import { isAuthorityError } from "@/server/store/trust/authority";

type Gained = { readonly workspaceId: string };

const isMember = async ({ userId }: SignedInAccount, workspaceId: string): Promise<boolean> =>
  (await findAccountById(userId))?.workspaceIds.includes(workspaceId) === true;

/** After a crash, a request is answered again. */
const gainMembership = async (
  deps: SignInDeps,
  account: SignedInAccount,
  id: string,
  entry: Exclude<Entry, { by: "membership" }>,
): Promise<Gained | SignInRefusal> => {
  const workspaceId = entry.by === "invite" ? await findInviteWorkspace(hashSetupToken(entry.token)) : deriveId({ entry: id });
  if (workspaceId === null) return "link_invalid";
  if (await isMember(account, workspaceId)) return { workspaceId };
  if (entry.by === "invite") await joinByAccount(deps, workspaceId, account, hashSetupToken(entry.token));
  else if (entry.by === "creation" && deps.newWorkspaces !== "admins") return "denied";
  else {
    const setup = entry.by === "setup" ? hashSetupToken(entry.token) : null;
    await foundByAccount(deps, { workspaceId, name: entry.name, setup }, account);
  }

  return { workspaceId };
};

const toRefusal = (error: unknown): SignInRefusal => {
  if (error instanceof Refused) return error.code === "principal_not_allowed" ? "denied" : "link_invalid";
  if (isAuthorityError(error)) return "authority_mismatch";
  throw error;
};

const resolve = async (
  deps: SignInDeps,
  account: SignedInAccount,
  { id, into, provedAtMs }: { readonly id: string; readonly into: Entry; readonly provedAtMs: number | null },
): Promise<Gained | SignInRefusal> => {
  if (into.by === "membership") return { workspaceId: into.workspace };
  if (!isFresh(provedAtMs, deps.clock.now())) return "step_up_required";

  return gainMembership(deps, account, id, into).catch(toRefusal);
};

const enter = async (deps: SignInDeps, id: string, request: EntryRequest): Promise<SignInAnswer | SignInRefusal> => {
  const signing = await findSigningSession(deps, request, computeEntryDigest(id, request));
  if (signing === null) return "denied";
  const { workspaceId: from, providerSid } = signing;
  const asked = { workspaceId: from, userId: request.user, sessionId: request.session, atMs: deps.clock.now() };
  const { user, session } = await findUserInSession(deps.authority, asked);
  if (user === null || session === null) return "denied";
  const place = await resolve(deps, { userId: user.id, from }, { id, into: request.into, provedAtMs: session.provedAtMs });
  if (typeof place === "string") return place;
  const account = await findAccountById(user.id);
  if (account === null || !account.workspaceIds.includes(place.workspaceId)) return "not_member";
  const standing = await getStandingIn(deps, account, place.workspaceId);
  if (typeof standing === "string") return standing === "none" ? "not_member" : standing;

  // A proof counts in its own workspace.
  return openSession(deps, user.id, standing, request, null, providerSid);
};

export const enterWorkspace = async (deps: SignInDeps, id: string, request: EntryRequest): Promise<SignInAnswer> => {
  const answer = await enter(deps, id, request).catch((error: unknown) => {
    if (isAuthorityError(error)) return "authority_mismatch" as const;
    throw error;
  });

  return typeof answer === "string" ? toRefused(answer) : answer;
};
