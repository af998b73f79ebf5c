import { describe, expect, it } from "vitest";
import { LAYERS, SANDBOX_OFF, weakestOf, type Isolation } from "@/lib/mcp/isolation";
import { hexDigestSchema } from "@/lib/hash";
import type { Program } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import { isolationFacts, isUnprotected } from "./isolation-text";

const DIGEST = hexDigestSchema.parse("0".repeat(64));
const FILE: McpTransport = { type: "stdio", manifest: { program: "tool", digest: DIGEST, values: {} } };
const TOOL: Program = {
  id: "tool",
  name: "Tool",
  runs: { kind: "file", path: "/srv/tool.js" },
  files: DIGEST,
  args: [],
  env: {},
  placeholders: {},
};
const HTTP: McpTransport = { type: "http", url: "https://example.com/mcp" };
const ALL: Isolation = { holds: [...LAYERS], reason: null };
const NONE: Isolation = { holds: [], reason: "Isolation needs Linux; this is Darwin." };

const textsOf = (transport: McpTransport, isolation: Isolation | null, program: Program | null = TOOL) =>
  isolationFacts(transport, isolation, program).map(({ text }) => text);

describe("what isolates a server", () => {
  it("names the layers that hold, and the network that it has", () => {
    expect(textsOf(FILE, ALL)).toEqual([
      "Isolated: files, network, ports, memory of other processes, signals, new processes, privileges.",
      "None.",
    ]);
    expect(textsOf(FILE, ALL, { ...TOOL, network: "direct" })[1]).toBe("Any address: the operator allowed it.");
    expect(textsOf(FILE, ALL, { ...TOOL, hosts: ["api.example.org", "git.example.org:8443"] })[1]).toBe(
      "api.example.org, git.example.org:8443, through Countersign's proxy.",
    );
    expect(textsOf(FILE, ALL, null)[1]).toBe("Unknown: the operator does not offer this program any more.");
  });

  it("names what is missing, and why there is nothing", () => {
    expect(textsOf(FILE, { holds: ["network"], reason: null })[0]).toBe(
      "Isolated: network. Not isolated: files, ports, memory of other processes, signals, new processes, privileges.",
    );
    expect(textsOf(FILE, NONE)[0]).toBe("Not isolated. Isolation needs Linux; this is Darwin.");
    expect(textsOf(FILE, null)[0]).toBe("Unknown: no runner is connected.");
  });

  it("says that the operator switched it off, and counts that as unprotected", () => {
    expect(textsOf(FILE, SANDBOX_OFF)[0]).toBe("Not isolated. The operator switched the sandbox off (COUNTERSIGN_SANDBOX=off).");
    expect(isUnprotected(FILE, SANDBOX_OFF)).toBe(true);
  });

  it("is nothing that a server over HTTP has", () => {
    expect(textsOf(HTTP, NONE)).toEqual([]);
    expect([isUnprotected(HTTP, NONE), isUnprotected(FILE, NONE), isUnprotected(FILE, ALL)]).toEqual([false, true, false]);
  });
});

it("a fleet isolates what each of its runners isolates", () => {
  expect(weakestOf([ALL, { holds: ["files"], reason: null }])).toEqual({ holds: ["files"], reason: null });
  expect(weakestOf([ALL, NONE])).toEqual(NONE);
  expect(weakestOf([])).toBeNull();
});
