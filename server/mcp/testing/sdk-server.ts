/** Uses SDK 1.x. Imports nothing of ours: Node runs it directly. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { SubscribeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const server = new McpServer({ name: "sdk-1", version: "1.0.0" }, { capabilities: { resources: { subscribe: true } } });
let cancelled = 0;

const answer = (value: Record<string, unknown>) => ({
  content: [{ type: "text" as const, text: JSON.stringify(value) }],
  structuredContent: value,
});

server.registerTool("echo", { description: "Repeats a text.", inputSchema: { text: z.string() } }, ({ text }) => answer({ text }));

server.registerTool("cancelled", { description: "How many calls were cancelled.", inputSchema: {} }, () => answer({ cancelled }));

server.registerTool(
  "work",
  { description: "Says how far it is, then answers.", inputSchema: { steps: z.number(), everyMs: z.number() } },
  async ({ steps, everyMs }, extra) => {
    extra.signal.addEventListener("abort", () => (cancelled += 1));
    // oxlint-disable-next-line eslint/no-underscore-dangle -- the protocol's own name
    const token = extra._meta?.progressToken;
    for (let step = 1; step <= steps && !extra.signal.aborted; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      if (token !== undefined) {
        await extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken: token, progress: step, total: steps, message: `step ${step}` },
        });
      }
    }

    return answer({ steps });
  },
);

const uri = "orders://latest";
const CHANGE_MS = 500;
let order = "A-1";

server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));

server.registerResource("latest", uri, { description: "The latest order; changes once, after it is read." }, () => {
  const text = order;
  if (order === "A-1")
    setTimeout(() => {
      order = "A-2";
      void server.server.sendResourceUpdated({ uri });
    }, CHANGE_MS);

  return { contents: [{ uri, text }] };
});

await server.connect(new StdioServerTransport());
