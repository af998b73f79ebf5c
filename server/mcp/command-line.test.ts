import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { registryCommandSchema } from "@/lib/mcp/registry-command";
import { mcpTransportSchema, type McpTransport } from "@/lib/mcp/transport";
import { PUBLIC_ONLY } from "@/server/security/egress-url";
import { readTransport } from "@/server/store/mcp/row";
import type { CommandLineServer } from "./command-line";

const named: CommandLineServer = { id: "shell", launch: { command: "/bin/sh", args: ["-c", "id"], env: {}, cwd: "/" } };

const disguises: readonly unknown[] = [
  named,
  named.launch,
  { type: "stdio", ...named.launch },
  { type: "command_line", ...named.launch },
  { type: "stdio", manifest: named.launch },
  { type: "stdio", manifest: { source: "command_line", ...named.launch } },
  { type: "stdio", manifest: { source: "file", path: "/bin/sh", args: ["-c", "id"], command: "/bin/sh", file_digest: "0".repeat(64) } },
];

describe("a command-line server", () => {
  it("is no registry transport, for the compiler", () => {
    // @ts-expect-error -- the two types have nothing in common
    const stored: McpTransport = named;

    expect(mcpTransportSchema.safeParse(stored).success).toBe(false);
  });

  it.each(disguises)("can't be registered or read from the database: %j", (transport) => {
    const add = { type: "add", id: "shell", name: "Shell", transport };
    const change = { type: "set_transport", id: "shell", revision: 1, transport };

    expect(registryCommandSchema.safeParse(add).success).toBe(false);
    expect(registryCommandSchema.safeParse(change).success).toBe(false);
    expect(readTransport(transport, PUBLIC_ONLY)).toBeNull();
  });

  it("does not affect the registry's own kinds", () => {
    expect(readTransport({ type: "http", url: `https://${randomUUID()}.example/mcp` }, PUBLIC_ONLY)).not.toBeNull();
  });
});
