/** RFC 9728: what a client that was answered 401 may learn. The same for every address of that form, whether it exists or not. */
import { AGENT_SCOPES } from "@/lib/engine/principal";
import { uuidSchema } from "@/lib/ids";
import { ownOrigin } from "@/server/own-origin";

/** @param path after the well-known prefix, segment by segment */
export const protectedResource = (path: readonly string[]): Response => {
  const [api, mcp, ...ids] = path;
  const isEndpoint = api === "api" && mcp === "mcp" && ids.length === 2 && ids.every((id) => uuidSchema.safeParse(id).success);
  if (!isEndpoint) return Response.json({ error: "not_found" }, { status: 404 });

  return Response.json(
    {
      resource: `${ownOrigin()}/${path.join("/")}`,
      resource_name: "Countersign",
      bearer_methods_supported: ["header"],
      scopes_supported: AGENT_SCOPES,
    },
    { headers: { "Cache-Control": "public, max-age=3600" } },
  );
};
