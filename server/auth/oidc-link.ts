import { AppError } from "@/lib/errors";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { systemClock } from "@/server/clock";
import { log } from "@/server/log";
import { takeLink } from "@/server/store/people/sessions";
import { submitCommand } from "@/server/web/submit-command";
import { claimsSchema, findObjection, type ClaimsDenial, type Rules } from "./oidc-claims";
import type { SignedIn } from "./signed-in";

export type LinkOutcome =
  | { readonly status: "linked" }
  | { readonly status: "refused"; readonly code: ClaimsDenial | "identity_known" | "failed" };

const codeOf = (error: unknown): "identity_known" | "failed" =>
  error instanceof AppError && error.refusal === "identity_known" ? "identity_known" : "failed";

const outcomeOf = async (profile: unknown, rules: Rules, { user, workspace, session }: SignedIn): Promise<LinkOutcome> => {
  const { data: claims } = claimsSchema.safeParse(profile);
  if (claims === undefined) return { status: "refused", code: "malformed" };
  const objection = findObjection(claims, rules, true);
  if (objection) return { status: "refused", code: objection };
  const body = { kind: "people_link_identity", user: user.id, identity: { issuer: claims.iss, subject: claims.sub } } as const;
  try {
    const author = { type: "user", id: user.id, session } as const;
    await submitCommand({ workspaceId: workspace.id, author, runId: getWorkspaceLedgerId(workspace.id), body });

    return { status: "linked" };
  } catch (error) {
    return { status: "refused", code: codeOf(error) };
  }
};

/** Links the identity to this session's account; null without a request. @param profile verified ID token claims */
export const linkOidc = async (profile: unknown, rules: Rules, signedIn: SignedIn | null): Promise<LinkOutcome | null> => {
  if (signedIn === null || !(await takeLink(signedIn.session.id, new Date(systemClock.now())))) return null;
  const outcome = await outcomeOf(profile, rules, signedIn);
  if (outcome.status === "refused") log().warn({ code: outcome.code }, "an identity was not linked");

  return outcome;
};
