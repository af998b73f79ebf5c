/** Dynamic client registration (RFC 7591) of public clients. */
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { readJson } from "@/server/outside/request-guard";
import { answerProgram, limitPerMinute, OauthError, respond, takeAttempt } from "./answer";
import { clientNameSchema, redirectUrisSchema, registerClient } from "./client";

const registrations = limitPerMinute(20);

const metadataSchema = z.object({
  client_name: z.string().default("Unnamed client"),
  redirect_uris: z.unknown(),
  grant_types: z.array(z.string()).default(["authorization_code"]),
  response_types: z.array(z.string()).default(["code"]),
});

export const handleRegistration = (request: Request): Promise<Response> =>
  answerProgram(async () => {
    takeAttempt(registrations, request);
    const read = await readJson(request);
    const asked = metadataSchema.safeParse("body" in read ? read.body : null).data;
    const name = clientNameSchema.safeParse(asked?.client_name).data;
    if (!asked || name === undefined || !asked.grant_types.includes("authorization_code") || !asked.response_types.includes("code"))
      throw new OauthError("invalid_client_metadata", "A client has a visible name of at most 60 characters and uses authorization codes.");
    const redirectUris = redirectUrisSchema.safeParse(asked.redirect_uris).data;
    const id = redirectUris ? registerClient({ name, redirectUris }) : null;
    if (!redirectUris || id === null)
      throw new OauthError(
        "invalid_redirect_uri",
        "A client has one to five short redirect URIs: https, http on loopback, or com.example.app:/callback of an application.",
      );

    return respond(
      {
        client_id: id,
        client_id_issued_at: Math.floor(systemClock.now() / 1_000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
      201,
    );
  });
