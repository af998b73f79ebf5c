import { toRefused, succeeded } from "@/server/outside/answer";
import { resourceArguments, sessionArguments } from "@/server/outside/arguments";
import { readResource, RESOURCES } from "@/server/outside/resources";
import { buildArgumentsSchema, READS, type OutsideTool } from "@/server/outside/tool";
import { openReading } from "./read";
import { malformed } from "./refusals";

export const LIST_RESOURCES: OutsideTool = {
  name: "list_resources",
  title: "What can be read",
  description: "The addresses that read_resource knows.",
  annotations: READS,
  scope: "run.read",
  inputSchema: () => buildArgumentsSchema(sessionArguments),
  run: async (call, args) => {
    const parsed = sessionArguments.safeParse(args);
    if (!parsed.success) return malformed(call.caller);
    const at = await openReading(call, parsed.data.session);
    if ("refused" in at) return at.refused;
    const resources = RESOURCES.map(({ uri, title, mimeType }) => ({ uri, title: title ?? uri, mime_type: mimeType ?? "" }));

    return succeeded(at.standing, "list_resources", { resources });
  },
};

export const READ_RESOURCE: OutsideTool = {
  name: "read_resource",
  title: "Read",
  description: "What stands at one of the addresses of list_resources.",
  annotations: READS,
  scope: "run.read",
  inputSchema: () => buildArgumentsSchema(resourceArguments),
  run: async (call, args) => {
    const parsed = resourceArguments.safeParse(args);
    if (!parsed.success) return malformed(call.caller);
    const { uri, session } = parsed.data;
    const at = await openReading(call, session);
    if ("refused" in at) return at.refused;
    const read = await readResource(call, uri, session ?? null);
    if (!read) return toRefused(at.standing, { error: "not_found", requested: null });

    return succeeded(at.standing, "read_resource", { uri, mime_type: read.mimeType, text: read.text });
  },
};
