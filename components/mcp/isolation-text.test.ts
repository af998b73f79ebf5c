import { describe, expect, it } from "vitest";
import { LAYERS, SANDBOX_OFF, findWeakest, type Isolation } from "@/lib/mcp/isolation";
import { hexDigestSchema } from "@/lib/hash";
import type { Program } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import { listIsolationFacts, isUnprotected } from "./isolation-text";

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

const textsOf = (transport: McpTransport, isolation: Isolation | null, ...program: [(Program | null | undefined)?]) =>
  listIsolationFacts(transport, isolation, program.length === 0 ? TOOL : program[0]).map(({ text }) => text);

describe("listIsolationFacts", () => {
  it("lists the active layers and the reachable network", () => {
    expect(textsOf(FILE, ALL)).toEqual([
      "Isolated: files, network, ports, memory of other processes, signals, new processes, privileges.",
      "None.",
    ]);
    expect(textsOf(FILE, ALL, { ...TOOL, network: "direct" })[1]).toBe("Any address (allowed by the operator).");
    expect(textsOf(FILE, ALL, { ...TOOL, hosts: ["api.example.org", "git.example.org:8443"] })[1]).toBe(
      "api.example.org, git.example.org:8443, through Countersign's proxy.",
    );
    expect(textsOf(FILE, ALL, null)[1]).toBe("Unknown: the operator no longer offers this program.");
    expect(textsOf(FILE, ALL, undefined)).toHaveLength(1);
  });

  it("states a container's own isolation, whatever the machine has", () => {
    const runs = { kind: "image" as const, engine: "podman" as const, image: `mcp/fetch@sha256:${DIGEST}`, config: DIGEST };
    expect(textsOf(FILE, NONE, { ...TOOL, runs })).toEqual([
      "Container: read-only image, no capabilities, no folders of this machine, no new privileges.",
      "None.",
    ]);
  });

  it("lists missing layers, and the reason when there are none", () => {
    expect(textsOf(FILE, { holds: ["network"], reason: null })[0]).toBe(
      "Isolated: network. Not isolated: files, ports, memory of other processes, signals, new processes, privileges.",
    );
    expect(textsOf(FILE, NONE)[0]).toBe("Not isolated. Isolation needs Linux; this is Darwin.");
    expect(textsOf(FILE, null)[0]).toBe("Unknown: no runner is connected.");
  });

  it("reports a sandbox that the operator turned off, and counts it as unprotected", () => {
    expect(textsOf(FILE, SANDBOX_OFF)[0]).toBe("Not isolated. The operator switched the sandbox off (COUNTERSIGN_SANDBOX=off).");
    expect(isUnprotected(FILE, SANDBOX_OFF)).toBe(true);
  });

  it("returns no facts for an HTTP server", () => {
    expect(textsOf(HTTP, NONE)).toEqual([]);
    expect([isUnprotected(HTTP, NONE), isUnprotected(FILE, NONE), isUnprotected(FILE, ALL)]).toEqual([false, true, false]);
  });
});

it("findWeakest keeps only the layers that every runner has", () => {
  expect(findWeakest([ALL, { holds: ["files"], reason: null }])).toEqual({ holds: ["files"], reason: null });
  expect(findWeakest([ALL, NONE])).toEqual(NONE);
  expect(findWeakest([])).toBeNull();
});
