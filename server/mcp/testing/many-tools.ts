/** Imports nothing of ours: Node runs it directly. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const VERBS = ["list", "read", "search", "create", "update", "archive", "restore", "delete"];
const THINGS = ["invoices", "customers", "contracts", "shipping_addresses", "subscriptions_of_former_employees_by_cost_centre"];

const server = new McpServer({ name: "many-tools", version: "1.0.0" });

for (const thing of THINGS) {
  for (const verb of VERBS) {
    const description = `${verb} ${thing.replaceAll("_", " ")} of the tenant that the caller belongs to, newest first, at most a hundred at once.`;
    server.registerTool(
      `${verb}_${thing}`,
      { description, inputSchema: { filter: z.string().max(200), limit: z.number().int().max(100) } },
      () => ({
        content: [{ type: "text" as const, text: "[]" }],
      }),
    );
  }
}

await server.connect(new StdioServerTransport());
