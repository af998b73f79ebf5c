/** RFC 8414 metadata. */
import { AGENT_SCOPES } from "@/lib/engine/principal";
import { ownOrigin } from "@/server/own-origin";

const OAUTH_PATH = "/api/oauth";

export const describeAuthorizationServer = (): Response => {
  const issuer = ownOrigin();
  const at = (name: string) => `${issuer}${OAUTH_PATH}/${name}`;

  return Response.json(
    {
      issuer,
      authorization_endpoint: at("authorize"),
      token_endpoint: at("token"),
      registration_endpoint: at("register"),
      revocation_endpoint: at("revoke"),
      scopes_supported: AGENT_SCOPES,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    },
    { headers: { "Cache-Control": "public, max-age=3600" } },
  );
};
