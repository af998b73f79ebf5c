import { toRefused, succeeded } from "@/server/outside/answer";
import { resourceArguments } from "@/server/outside/arguments";
import { readResource, RESOURCES } from "@/server/outside/resources";
import { buildArgumentsSchema, READS, type OutsideTool } from "@/server/outside/tool";
import { openReading, reading } from "./read";
import { malformed } from "./refusals";

export const LIST_RESOURCES = reading("list_resources", "What can be read", "The addresses that read_resource knows.", () => ({
  resources: RESOURCES.map(({ uri, title, mimeType }) => ({ uri, title: title ?? uri, mime_type: mimeType ?? "" })),
}));

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
