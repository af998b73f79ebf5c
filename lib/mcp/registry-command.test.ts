import { expect, test } from "vitest";
import { registryCommandSchema, takesProof } from "./registry-command";

const target = { id: "mail", revision: 1 };
const http = { type: "http", url: "https://mcp.example.com/mcp" };
const program = { type: "stdio", manifest: { program: "maps", digest: "0".repeat(64), values: {} } };
const bundled = { type: "stdio", manifest: { ...program.manifest, program: "customers" } };
const told = { headers: { "X-Api-Key": { secret: "mcp:mail:key" } }, auth: null };
const stdio = { ...bundled, manifest: { ...bundled.manifest, values: { key: { secret: "mcp:mail:key" } } } };

test.each([
  [
    "a server that is told a secret as soon as it is looked at",
    { type: "add", id: "mail", name: "Mail", transport: http, access: told },
    true,
  ],
  ["another address for a server that gets a secret", { type: "set_transport", ...target, transport: http, access: told }, true],
  ["a process that is told a secret", { type: "set_transport", ...target, transport: stdio }, true],
  ["a server that is told nothing", { type: "add", id: "mail", name: "Mail", transport: http }, false],
  ["a program of this machine", { type: "add", id: "mail", name: "Mail", transport: program }, true],
  ["an inspection", { type: "inspect", ...target }, false],
  ["a server of ours", { type: "add", id: "mail", name: "Mail", transport: bundled }, false],
  ["who may call it", { type: "set_allowed_agents", ...target, agents: ["node"] }, true],
  ["putting it into use", { type: "activate", ...target }, true],
  ["putting it out of use", { type: "suspend", ...target }, false],
  ["the switch of one tool", { type: "block_tool", ...target, tool: "send" }, false],
])("%s: %o needs a fresh proof or not", (_what, command, takes) => {
  expect(takesProof(registryCommandSchema.parse(command))).toBe(takes);
});
