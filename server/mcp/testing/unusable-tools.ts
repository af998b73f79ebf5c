/** Lists good tools among unusable ones. Imports nothing of ours: Node runs it directly. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const inputSchema = { type: "object" };
const nest = (depth: number): object => (depth === 0 ? {} : { items: nest(depth - 1) });

const TOOLS = [
  { name: "good", description: "Answers.", inputSchema },
  // Exactly 256 kB with its other members.
  { name: "largest", description: "x".repeat(262_023), inputSchema },
  { name: "too_large", description: "x".repeat(262_144), inputSchema },
  { name: "a name with spaces", description: "", inputSchema },
  { name: "no_schema", description: "" },
  { name: "array_schema", description: "", inputSchema: { type: "array" } },
  { name: "deep", description: "", inputSchema: { type: "object", properties: { a: nest(40) } } },
  { name: "nul", description: "be\u0000fore", inputSchema },
  { name: "titled", title: "t".repeat(501), description: "", inputSchema },
  { name: "twice", description: "One.", inputSchema },
  { name: "twice", description: "Other.", inputSchema },
  "no tool",
  { name: "last", description: "Answers too.", inputSchema },
];

const server = new Server({ name: "unusable-tools", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: "text", text: params.name }] }));
await server.connect(new StdioServerTransport());
