import { getProviderToken } from "@/server/auth";
import { getLogoutUrl } from "@/server/auth/logout-url";
import { readEnv } from "@/server/env";
import { answerProgram, limitPerMinute, OauthError, readParameters, respond, takeAttempt } from "@/server/oauth/answer";
import { readBody } from "@/server/security/request-guard";
import { askToSignOut } from "@/server/web/ask-sign-in";

const logouts = limitPerMinute(120);

/** Back-channel logout: the control plane verifies the token. */
export const handleProviderLogout = (request: Request): Promise<Response> =>
  answerProgram(async () => {
    if (readEnv().OIDC_ISSUER === undefined) return new Response(null, { status: 404 });
    takeAttempt(logouts, request);
    if (request.headers.get("content-type")?.split(";")[0]?.trim() !== "application/x-www-form-urlencoded")
      throw new OauthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
    const { logout_token: token = "" } = readParameters(new URLSearchParams(await readBody(request.body)));
    if (token === "" || token.length > 16_384 || !(await askToSignOut(token)))
      throw new OauthError("invalid_request", "The logout token is invalid or was used before.");

    return respond({});
  });

/** Tells the browser where to end the provider's session after its own. */
export const handleLogoutUrl = async (): Promise<Response> => respond({ url: await getLogoutUrl(await getProviderToken()) });
