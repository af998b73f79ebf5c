/** The MCP servers of the support desk and what an admin decided about them. Tools that are not named keep the strictest label. */
import type { DemoServer } from "@/server/seed/demo-servers";

export const SUPPORT_DESK_SERVERS: readonly DemoServer[] = [
  {
    id: "filesystem",
    name: "Inbox",
    transport: {
      type: "stdio",
      manifest: {
        source: "package",
        name: "@modelcontextprotocol/server-filesystem",
        version: "2026.8.31",
        bin: "mcp-server-filesystem",
        args: ["{inbox}"],
      },
    },
    allowedAgents: ["node"],
    labels: { read_text_file: { effect: "read", idempotent: true, output: "internal", outward: false, clearance: "internal" } },
  },
  {
    id: "customers",
    name: "Customers",
    transport: { type: "stdio", manifest: { source: "bundled", id: "customers" } },
    allowedAgents: ["node", "planner"],
    labels: {
      find_customer: { effect: "read", idempotent: true, output: "pii", outward: false, clearance: "pii" },
      update_plan: { effect: "write", idempotent: true, output: "pii", outward: false, clearance: "pii" },
    },
  },
];
