import "server-only";
import { getSessionClaims } from "@/server/auth";
import { getClientNetwork } from "@/server/auth/client-address";
import { findSignedIn, type SessionClaims } from "@/server/auth/session";
import type { SignedIn } from "@/server/auth/signed-in";
import { systemClock } from "@/server/clock";
import { WORKSPACE_HEADER } from "@/lib/people/tab-workspace";
import type { RequestContext } from "./init";

export const makeContext = (headers: Headers): RequestContext => {
  let claims: Promise<SessionClaims | null> | null = null;
  let signedIn: Promise<SignedIn | null> | null = null;

  return {
    requestId: systemClock.id(),
    address: getClientNetwork(headers.get("x-forwarded-for")),
    host: headers.get("host"),
    workspace: headers.get(WORKSPACE_HEADER),
    signedIn: (again) => {
      claims ??= getSessionClaims();
      if (again || signedIn === null) signedIn = claims.then(findSignedIn);

      return signedIn;
    },
  };
};
