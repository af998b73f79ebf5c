import { describe, expect, test } from "vitest";
import { needsSecondPerson, findUnattendedEffects } from "@/lib/architect/second-person";
import { buildDesk, DESK_CONTEXT, withConfig, withNode } from "@/lib/architect/testing/desk";
import { graphSchema, type Graph, type PublishedGraph } from "@/lib/graph/document";
import { buildPublishedGraph, computeVersionHash } from "@/lib/graph/publish";

const published = (graph: Graph): PublishedGraph => buildPublishedGraph(graph, DESK_CONTEXT);
const whyOf = (before: Graph | null, after: Graph, byArchitect = false) =>
  needsSecondPerson(published(after), before && published(before), byArchitect).why;
const quiet = buildDesk((graph) => ({ ...graph, nodes: graph.nodes.filter(({ id }) => id === "write"), edges: [], end_nodes: ["write"] }));
const note = { server: "shop", tool: "note" };
const noting = (change: object = {}) =>
  buildDesk((graph) => withNode("refund", { effect: "write", approval: "by_rule", ...change })(withConfig("refund", note)(graph)));
const ungated = (graph: Graph) => withConfig("ask", { for_node: undefined })(graph);

describe("a first version", () => {
  test("may be published by its author when it changes nothing or each change waits for another person", () => {
    expect([whyOf(null, quiet), whyOf(null, buildDesk()), whyOf(null, noting())]).toEqual([null, null, null]);
  });

  test.each([
    ["a write that only its label holds back", ungated(noting()), [{ inside: "", node: "refund", tool: "shop__note" }]],
    [
      "an agent that is trusted for such a tool, behind an approval of something else",
      buildDesk((graph) =>
        ungated(withNode("refund", { kind: "agent", effect: "write", approval: "by_rule", config: { agent_id: "noter" } })(graph)),
      ),
      [{ inside: "", node: "refund", tool: "shop__note" }],
    ],
    [
      "an undo, which the gate of its effect does not cover",
      noting({ compensation: { ...note, arguments: { about: { argument: "about" } } } }),
      [{ inside: "", node: "refund", tool: "shop__note" }],
    ],
  ])("needs a second person with %s", (_what, graph, unattended) => {
    const agents = [...DESK_CONTEXT.agents, { ...DESK_CONTEXT.agents[0]!, id: "noter", tools: [{ ...note, trusted: true as const }] }];
    const version = buildPublishedGraph(graph, { ...DESK_CONTEXT, agents });

    expect(needsSecondPerson(version, null, false)).toMatchObject({ needed: true, why: "unattended", unattended });
  });

  test("does not need one for an agent whose writes wait, and needs one once it is trusted for a tool", () => {
    const graph = ungated(
      buildDesk(withNode("refund", { kind: "agent", effect: "write", approval: "by_rule", config: { agent_id: "noter" } })),
    );
    const versionWith = (tools: (typeof DESK_CONTEXT.agents)[number]["tools"]) =>
      buildPublishedGraph(graph, { ...DESK_CONTEXT, agents: [...DESK_CONTEXT.agents, { ...DESK_CONTEXT.agents[0]!, id: "noter", tools }] });
    const [plain, trusting] = [versionWith([note]), versionWith([{ ...note, trusted: true }])];
    expect(needsSecondPerson(plain, null, false).why).toBeNull();
    const widened = needsSecondPerson(trusting, plain, false);
    expect([widened.why, widened.changes.map(({ direction, loosens, text }) => [direction, loosens, text])]).toEqual([
      "wider",
      [["wider", true, "The agent noter may choose, without approval, what it writes with shop__note"]],
    ]);
    expect(needsSecondPerson(plain, trusting, false).why).toBeNull();
  });

  test("does not need one for what always asks or cannot be undone, which waits by the engine's own rule", () => {
    expect(whyOf(null, ungated(noting({ approval: "always" })))).toBeNull();
    expect(whyOf(null, ungated(buildDesk(withNode("refund", { approval: "by_rule" }))))).toBeNull();
  });

  test("is judged by every graph that it uses", () => {
    const inner = published(ungated(noting()));
    const outer = graphSchema.parse({
      ...quiet,
      id: "outer",
      nodes: [{ id: "write", kind: "subgraph", config: { graph_id: "desk", version: computeVersionHash(inner) } }],
    });
    const version: PublishedGraph = {
      ...published(quiet),
      graph: outer,
      subgraphs: [{ version: computeVersionHash(inner), graph: inner.graph, agents: inner.agents, tools: inner.tools }],
    };

    expect(findUnattendedEffects(version)).toEqual([{ inside: "desk", node: "refund", tool: "shop__note" }]);
  });

  test("that an architect drew needs one as soon as it acts outside, or outside agents drive it", () => {
    const driven = graphSchema.parse({ ...quiet, external: { read_keys: ["draft"] } });

    expect([whyOf(null, quiet, true), whyOf(null, buildDesk(), true), whyOf(null, driven, true)]).toEqual([null, "architect", "architect"]);
  });
});

test("compares a later version only by authority, regardless of its creator", () => {
  const wider = buildDesk(withNode("write", { read_keys: ["request", "done"] }));
  for (const byArchitect of [true, false]) {
    expect([
      whyOf(buildDesk(), buildDesk(), byArchitect),
      whyOf(wider, buildDesk(), byArchitect),
      whyOf(buildDesk(), wider, byArchitect),
    ]).toEqual([null, null, "wider"]);
  }
});
