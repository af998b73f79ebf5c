/** RFC 9728 metadata, the same for existing and unknown addresses. */
import { AGENT_SCOPES } from "@/lib/engine/principal";
import { uuidSchema } from "@/lib/ids";
import { ownOrigin } from "@/server/own-origin";

export const describeProtectedResource = (path: readonly string[]): Response => {
  const [api, mcp, ...ids] = path;
  const isEndpoint = api === "api" && mcp === "mcp" && ids.length === 2 && ids.every((id) => uuidSchema.safeParse(id).success);
  if (!isEndpoint) return Response.json({ error: "not_found" }, { status: 404 });

  return Response.json(
    {
      resource: `${ownOrigin()}/${path.join("/")}`,
      resource_name: "Countersign",
      authorization_servers: [ownOrigin()],
      bearer_methods_supported: ["header"],
      scopes_supported: AGENT_SCOPES,
    },
    { headers: { "Cache-Control": "public, max-age=3600" } },
  );
};
