/** Grants: every path is declared, everything a node is configured to touch is granted, and nothing is granted idly. */
import { compileExpression } from "@/lib/graph/condition";
import type { GraphNode } from "@/lib/graph/document";
import { isGranted, parsePath } from "@/lib/graph/path";
import { answerPath } from "./access";
import { touches, type Facts } from "./facts";
import { problem, type Fix, type Problem } from "./problem";

type Side = "read_keys" | "write_keys";

const withGrants = (node: GraphNode, side: Side, grants: readonly string[]): GraphNode => ({ ...node, [side]: [...grants] });

const grantFix = (node: GraphNode, side: Side, path: string): Fix => ({
  title: `Grant ${path}`,
  edits: [{ op: "replace_node", node: withGrants(node, side, [...node[side], path]) }],
});

const declareFix = (key: string): Fix => ({
  title: `Declare ${key}`,
  edits: [
    {
      op: "set_memory_key",
      key: {
        key,
        description: "",
        schema: {},
        classification: "internal",
        protected: false,
        min_integrity: "untrusted",
        max_bytes: 65_536,
        max_depth: 16,
      },
    },
  ],
});

const undeclared = (facts: Facts, node: GraphNode, side: Side): Problem[] =>
  node[side].flatMap((grant) => {
    const key = parsePath(grant)?.[0];
    if (grant === "*" || key === undefined || facts.keys.has(key)) return [];
    const code = side === "read_keys" ? "read_undeclared" : "write_undeclared";

    return [
      problem(
        code,
        { node: node.id, key },
        `${node.id} may ${side === "read_keys" ? "read" : "write"} ${key}, which is not declared.`,
        declareFix(key),
      ),
    ];
  });

const wildcards = (node: GraphNode): Problem[] =>
  (["read_keys", "write_keys"] as const)
    .filter((side) => node[side].includes("*"))
    .map((side) => problem("wildcard_grant", { node: node.id }, `${node.id} may ${side === "read_keys" ? "read" : "write"} every key.`));

const ungranted = (node: GraphNode, side: Side, paths: readonly string[]): Problem[] =>
  [...new Set(paths)].flatMap((text) => {
    const path = parsePath(text);
    if (path === null || isGranted(node[side], path)) return [];
    const verb = side === "read_keys" ? "reads" : "writes";

    return [
      problem(
        "path_not_granted",
        { node: node.id, key: text },
        `${node.id} ${verb} ${text} without a grant for it.`,
        grantFix(node, side, text),
      ),
    ];
  });

const configured = (node: GraphNode, reads: readonly string[]): Problem[] => {
  switch (node.kind) {
    case "agent":
      return ungranted(node, "write_keys", node.config.write_to === undefined ? [] : [node.config.write_to]);
    case "tool":
      return [
        ...ungranted(node, "read_keys", reads),
        ...ungranted(node, "write_keys", node.config.write_to === undefined ? [] : [node.config.write_to]),
      ];
    case "transform":
      return [
        ...ungranted(
          node,
          "write_keys",
          node.config.set.map((assignment) => assignment.path),
        ),
        ...expressions(node),
      ];
    case "map":
    case "voting":
    case "evolution":
    case "verifier":
    case "synthesizer":
    case "reflection":
      return ungranted(node, "write_keys", node.config.write_to === undefined ? [] : [node.config.write_to]);
    case "subgraph":
      return [
        ...ungranted(node, "read_keys", Object.values(node.config.inputs)),
        ...ungranted(node, "write_keys", Object.keys(node.config.outputs)),
      ];
    case "approval":
    case "router":
    case "supervisor":
      return [];
    default:
      return node satisfies never;
  }
};

const expressions = (node: GraphNode & { kind: "transform" }): Problem[] =>
  node.config.set.flatMap((assignment) => {
    const compiled = compileExpression(assignment.value);
    if (!compiled.ok) {
      return [
        problem(
          "expression_invalid",
          { node: node.id },
          `${node.id} computes ${assignment.path} with an expression that does not compile: ${compiled.error}.`,
        ),
      ];
    }

    return (compiled.value.keys ?? [])
      .filter((key) => !touches(node.read_keys, [key]))
      .map((key) =>
        problem(
          "expression_key_unread",
          { node: node.id, key },
          `${node.id} computes ${assignment.path} from ${key} without a grant for it.`,
          grantFix(node, "read_keys", key),
        ),
      );
  });

const reviewed = (facts: Facts, node: GraphNode): Problem[] => {
  if (node.kind !== "approval") return [];

  return node.config.review_keys.flatMap((text) => {
    const key = parsePath(text)?.[0];
    if (key === undefined || facts.keys.has(key)) return [];

    return [problem("read_undeclared", { node: node.id, key }, `${node.id} shows ${key}, which is not declared.`, declareFix(key))];
  });
};

const answers = (node: GraphNode): Problem[] => {
  if ((node.kind !== "agent" && node.kind !== "tool") || answerPath(node) !== undefined || node.write_keys.length === 0) return [];

  return [problem("answer_dropped", { node: node.id }, `${node.id} may write several keys, and nothing says which one takes its result.`)];
};

/** Only where the configuration names what is used; an agent may use any of its grants. */
const unused = (facts: Facts, node: GraphNode): Problem[] => {
  if (node.kind !== "tool" && node.kind !== "transform") return [];
  const used = facts.access.get(node.id);
  if (!used) return [];
  const conditions = (facts.topology.out.get(node.id) ?? []).length > 1;
  const idle = (side: Side, paths: readonly string[]) =>
    node[side].filter((grant) => grant !== "*" && !paths.includes("*") && !touches(paths, parsePath(grant) ?? []));
  const report = (side: Side, grants: readonly string[]) =>
    grants.map((grant) =>
      problem(
        "unused_grant",
        { node: node.id, key: grant },
        `${node.id} may ${side === "read_keys" ? "read" : "write"} ${grant} and does not.`,
        {
          title: "Take the grant away",
          edits: [
            {
              op: "replace_node",
              node: withGrants(
                node,
                side,
                node[side].filter((other) => other !== grant),
              ),
            },
          ],
        },
      ),
    );

  return [
    ...report("write_keys", idle("write_keys", used.writes)),
    ...(conditions ? [] : report("read_keys", idle("read_keys", used.reads))),
  ];
};

const ceilings = (facts: Facts, node: GraphNode): Problem[] => {
  if (node.kind !== "agent") return [];
  const permissions = facts.agents.get(node.config.agent_id)?.permissions;
  const beyond = (side: Side) =>
    node[side].filter((grant) => {
      const path = parsePath(grant);
      const ceiling = permissions?.[side];

      return path !== null && ceiling !== undefined && !touches(ceiling, path);
    });

  return [...new Set([...beyond("read_keys"), ...beyond("write_keys")])].map((grant) =>
    problem("beyond_agent_ceiling", { node: node.id, key: grant }, `${node.id} is granted ${grant}, but its agent never gets it.`),
  );
};

export const grantProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => [
    ...undeclared(facts, node, "read_keys"),
    ...undeclared(facts, node, "write_keys"),
    ...reviewed(facts, node),
    ...configured(node, facts.access.get(node.id)?.reads ?? []),
    ...answers(node),
    ...wildcards(node),
    ...unused(facts, node),
    ...ceilings(facts, node),
  ]);
