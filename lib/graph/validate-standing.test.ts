import { describe, expect, it } from "vitest";
import { nodeSchema } from "@/lib/graph/document";
import type { ServerStanding } from "@/lib/graph/facts/facts";
import { configure, problems } from "@/lib/graph/testing/broken";
import { ZOO_CONTEXT } from "@/lib/graph/testing/zoo";

const CALLERS = ["node", "finder", "writer", "critic"];
const ACTIVE: ServerStanding = { status: "active", callers: CALLERS, switchedOff: [], unlabelled: [], unusable: [], isGone: false };
const CODES: readonly string[] = [
  "server_inactive",
  "program_gone",
  "caller_not_allowed",
  "tool_switched_off",
  "tool_unlabelled",
  "subgraph_tool_changed",
  "tool_unavailable",
];

const withDesk = (standing: Partial<ServerStanding>, tools = ZOO_CONTEXT.tools) => ({
  ...ZOO_CONTEXT,
  tools,
  servers: [{ id: "desk", host: null, credential: false, standing: { ...ACTIVE, ...standing } }],
});

const found = (standing: Partial<ServerStanding>, change = configure("child", {})) =>
  problems(change, withDesk(standing)).filter(({ code }) => CODES.includes(code));

const [CHILD] = ZOO_CONTEXT.versions;

/** The child graph calls desk/find as it was reviewed earlier. */
const withChildOf = (digest: string, standing: Partial<ServerStanding> = {}) => {
  const find = ZOO_CONTEXT.tools.find(({ tool }) => tool === "find");
  if (!CHILD || !find) throw new Error("the zoo changed");
  const node = nodeSchema.parse({ id: "call", kind: "tool", config: { server: "desk", tool: "find", arguments: {} } });
  const graph = { ...CHILD.published.graph, nodes: [...CHILD.published.graph.nodes, node] };
  const published = { ...CHILD.published, graph, tools: [{ ...find, definition_digest: digest }] };
  const versions = [{ version: CHILD.version, published }, ...ZOO_CONTEXT.versions.slice(1)];
  const context = { ...withDesk(standing), versions };

  return problems(configure("child", {}), context).filter(({ code, node: at }) => CODES.includes(code) && at === "child");
};

it("a server that is active and allows every caller has no problem, nor one whose standing is unknown", () => {
  expect(found({})).toEqual([]);
  expect(problems(configure("child", {})).filter(({ code }) => CODES.includes(code))).toEqual([]);
});

describe("a call that would fail at run time is a warning", () => {
  it("of a tool node that the server does not allow", () => {
    expect(found({ callers: CALLERS.filter((id) => id !== "node") })).toContainEqual(
      expect.objectContaining({
        code: "caller_not_allowed",
        severity: "warning",
        node: "look",
        message: "desk does not allow calls by tool nodes. Add node to its allowed callers.",
      }),
    );
  });

  it("of an agent that the server does not allow, at the nodes of this agent alone", () => {
    const callers = CALLERS.filter((id) => id !== "finder");
    const without = problems(
      (graph) => graph.nodes.push({ id: "ask", kind: "agent", config: { agent_id: "finder" } }),
      withDesk({ callers }),
    );
    expect(without.filter(({ code }) => code === "caller_not_allowed")).toEqual([
      expect.objectContaining({ node: "ask", key: "desk.finder", message: expect.stringContaining("the agent finder") as string }),
    ]);
  });

  it("of a server that is reviewed and not active", () => {
    const inactive = found({ status: "reviewed" });
    expect(inactive).toContainEqual(
      expect.objectContaining({ code: "server_inactive", node: "look", message: "The server desk is reviewed, but not active." }),
    );
    expect(inactive.every(({ severity }) => severity === "warning")).toBe(true);
  });

  it("of a server whose program no runner has", () => {
    expect(found({ isGone: true })).toContainEqual(
      expect.objectContaining({ code: "program_gone", node: "look", message: "No runner has the program of desk." }),
    );
  });

  it("of a tool that is switched off", () => {
    const off = found({ switchedOff: ["find"] });
    expect(off).toContainEqual(expect.objectContaining({ code: "tool_switched_off", node: "look", key: "desk__find" }));
    expect(off.every(({ key }) => key === "desk__find")).toBe(true);
  });

  it("of a tool that is not labelled yet, which is no fault of the others", () => {
    const unlabelled = found({ unlabelled: ["find"] });
    expect(unlabelled).toContainEqual(
      expect.objectContaining({
        code: "tool_unlabelled",
        severity: "warning",
        node: "look",
        key: "desk__find",
        message: "desk/find is not labelled yet (treated as irreversible).",
      }),
    );
    expect(unlabelled.every(({ key }) => key === "desk__find")).toBe(true);
  });

  it("of a subgraph, at its node", () => {
    const digest = ZOO_CONTEXT.tools.find(({ tool }) => tool === "find")?.definition_digest ?? "";
    expect(withChildOf(digest)).toEqual([]);
    expect(withChildOf("9".repeat(64)).map(({ code }) => code)).toEqual(["subgraph_tool_changed"]);
    expect(withChildOf(digest, { status: "suspended" }).map(({ code }) => code)).toEqual(["server_inactive"]);
    expect(withChildOf(digest, { unlabelled: ["find"] }).map(({ code }) => code)).toEqual(["tool_unlabelled"]);
  });
});

describe("a tool that is not pinned says why", () => {
  const message = (standing: Partial<ServerStanding>, servers = withDesk(standing).servers) =>
    problems(configure("look", { tool: "missing" }), { ...withDesk(standing), servers }).find(
      ({ code, node }) => code === "tool_unavailable" && node === "look",
    )?.message;

  it.each([
    [{ status: "suspended" }, "desk/missing is not available: the server is suspended."],
    [{ status: "drifted" }, "desk/missing is not available: the server changed since its review and is suspended."],
    [{ status: "quarantined" }, "desk/missing is not available: the server is not reviewed."],
    [
      { unusable: [{ name: "missing", reason: "Its definition is larger than 256 kB." }] },
      "desk/missing can't be used. Its definition is larger than 256 kB.",
    ],
    [{}, "desk/missing is not pinned on an active server."],
  ])("%o", (standing, text) => {
    expect(message(standing)).toBe(text);
  });

  it("when there is no such server", () => {
    expect(message({}, [])).toBe("desk/missing is not available: there is no server desk.");
  });
});
