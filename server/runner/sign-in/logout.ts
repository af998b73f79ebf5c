import { computeIdentityDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { SignInAnswer, SignInRequest } from "@/lib/people/sign-in";
import { log } from "@/server/log";
import { createAdminStepSigner, ENGINE } from "@/server/runner/admin-ledger";
import { endSessionsOf } from "@/server/runner/ended-sessions";
import type { LogoutClaims } from "@/server/runner/sign-in/logout-token";
import { toRefused, type SignInDeps } from "@/server/runner/sign-in/outcome";
import { findAccountById, listProviderSessions, listUsersInProviderSession } from "@/server/store/people/accounts";
import { findIdentity } from "@/server/store/people/identities";
import { endSessions } from "@/server/store/people/session-endings";
import { appendOwnRecords } from "@/server/store/runs/attempts";

const listUsers = async ({ issuer, subject, sid }: LogoutClaims): Promise<readonly string[]> => {
  if (subject === null) return sid === null ? [] : listUsersInProviderSession(sid);
  const user = await findIdentity({ issuer, subject });

  return user === null ? [] : [user];
};

const endIn = async (deps: SignInDeps, workspaceId: string, userId: string, { issuer, subject, sid }: LogoutClaims): Promise<void> => {
  await appendOwnRecords(workspaceId, async (client) => {
    const authority = await deps.authority.read(workspaceId, client);
    const linked = digestInForce(authority, "identities", userId);
    if (linked === null || (subject !== null && linked !== computeIdentityDigest({ issuer, subject }))) return [];
    const at = deps.clock.now();
    const also = [];
    for (const session of await listProviderSessions(client, { workspaceId, userId, sid })) {
      const ending = { userId, session, keep: null };
      const ended = await endSessionsOf(client, authority, ending, at);
      if (typeof ended !== "string") also.push(...ended);
      await endSessions(client, workspaceId, ending, at);
    }
    const step = { area: "people", subject: userId, step: "signed_out_by_provider", before: null, after: null, by: ENGINE } as const;

    return also.length === 0 ? [] : [createAdminStepSigner(deps, workspaceId, { ...step, also })];
  });
};

export const signOutByProvider = async (
  deps: SignInDeps,
  request: string,
  { token }: Extract<SignInRequest, { type: "logout" }>,
): Promise<SignInAnswer> => {
  const claims = await deps.verifyLogoutToken?.(token, request);
  if (!claims) {
    log().warn({ code: "token_invalid" }, "a logout token was denied");

    return toRefused("token_invalid");
  }
  for (const user of await listUsers(claims)) {
    for (const workspaceId of (await findAccountById(user))?.workspaceIds ?? []) await endIn(deps, workspaceId, user, claims);
  }

  return { status: "signed_out" };
};
