/** Grants: declared, sufficient and used. */
import { compileExpression } from "@/lib/graph/condition";
import type { GraphNode } from "@/lib/graph/document";
import { asksPerson, callsTool, fillsForm, getKind } from "@/lib/graph/kind-of";
import { isGranted, parsePath } from "@/lib/graph/path";
import { answerPath, listExpressions, listNamedReads, reportPaths } from "@/lib/graph/facts/access";
import { touches, type Facts } from "@/lib/graph/facts/facts";
import { createProblem, type Fix, type Problem } from "./problem";

type Side = "read_keys" | "write_keys";

const withGrants = (node: GraphNode, side: Side, grants: readonly string[]): GraphNode => ({ ...node, [side]: [...grants] });

const grantFix = (node: GraphNode, side: Side, path: string): Fix => ({
  title: `Grant ${path}`,
  edits: [{ op: "replace_node", node: withGrants(node, side, [...node[side], path]) }],
});

export const declareFix = (key: string): Fix => ({
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
      createProblem(
        code,
        { node: node.id, key },
        `${node.id} may ${side === "read_keys" ? "read" : "write"} ${key}, which is not declared.`,
        declareFix(key),
      ),
    ];
  });

/** The schema's limit. */
const MOST_GRANTS = 200;

/** Expands a wildcard to the present keys. */
export const listEveryKey = (facts: Facts, grants: readonly string[]): readonly string[] | null => {
  const named = [...new Set([...grants.filter((grant) => grant !== "*"), ...facts.keys.keys()])];

  return named.length > MOST_GRANTS ? null : named;
};

const wildcards = (facts: Facts, node: GraphNode): Problem[] =>
  (["read_keys", "write_keys"] as const)
    .filter((side) => node[side].includes("*"))
    .map((side) => {
      const named = listEveryKey(facts, node[side]);

      return createProblem(
        "wildcard_grant",
        { node: node.id },
        `${node.id} may ${side === "read_keys" ? "read" : "write"} every key.`,
        named ? { title: "List each key", edits: [{ op: "replace_node", node: withGrants(node, side, named) }] } : undefined,
      );
    });

const ungranted = (node: GraphNode, side: Side, paths: readonly string[]): Problem[] =>
  [...new Set(paths)].flatMap((text) => {
    const path = parsePath(text);
    if (path === null || isGranted(node[side], path)) return [];
    const verb = side === "read_keys" ? "reads" : "writes";

    return [
      createProblem(
        "path_not_granted",
        { node: node.id, key: text },
        `${node.id} ${verb} ${text} without a grant for it.`,
        grantFix(node, side, text),
      ),
    ];
  });

/** A part of a named key may be granted. */
export const listConfiguredReads = (node: GraphNode): readonly string[] => {
  const undone = Object.values(node.compensation?.arguments ?? {}).flatMap((argument) => ("from" in argument ? [argument.from] : []));
  const shown = asksPerson(node) || listExpressions(node).length > 0;

  return shown ? undone : [...listNamedReads(node), ...undone];
};

export const listConfiguredWrites = (node: GraphNode): readonly string[] => {
  const answer = "write_to" in node.config ? node.config.write_to : undefined;

  return answer === undefined ? reportPaths(node) : [answer, ...reportPaths(node)];
};

const expressions = (node: GraphNode): Problem[] =>
  listExpressions(node).flatMap(({ what, text }) => {
    const compiled = compileExpression(text);
    if (!compiled.ok) {
      return [
        createProblem(
          "expression_invalid",
          { node: node.id },
          `${node.id} ${what} with an expression that does not compile: ${compiled.error}.`,
        ),
      ];
    }

    return (compiled.value.keys ?? [])
      .filter((key) => !touches(node.read_keys, [key]))
      .map((key) =>
        createProblem(
          "expression_key_unread",
          { node: node.id, key },
          `${node.id} ${what} from ${key} without a grant for it.`,
          grantFix(node, "read_keys", key),
        ),
      );
  });

const configured = (node: GraphNode): Problem[] => [
  ...ungranted(node, "read_keys", listConfiguredReads(node)),
  ...ungranted(node, "write_keys", listConfiguredWrites(node)),
  ...expressions(node),
];

/** Approvals show paths without grants. */
const reviewed = (facts: Facts, node: GraphNode): Problem[] => {
  if (!asksPerson(node)) return [];
  const missing = new Set(
    listNamedReads(node)
      .flatMap((text) => parsePath(text)?.[0] ?? [])
      .filter((key) => !facts.keys.has(key)),
  );

  return [...missing].map((key) =>
    createProblem("read_undeclared", { node: node.id, key }, `${node.id} shows ${key}, which is not declared.`, declareFix(key)),
  );
};

const answerFix = (node: GraphNode, path: string): Fix | undefined => {
  const title = `Write the result to ${path}`;
  if (node.kind === "agent")
    return { title, edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, write_to: path } } }] };

  return callsTool(node)
    ? { title, edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, write_to: path } } }] }
    : undefined;
};

/** An extract without a path has its own problem. */
const takesOnlyKey = (node: GraphNode): boolean => !fillsForm(node) && getKind(node).answer(node.config, "only") !== undefined;

const answers = (node: GraphNode): Problem[] => {
  if (node.write_keys.length === 0 && getKind(node).facts(node.config).kept) {
    return [createProblem("facts_unwritten", { node: node.id }, `${node.id} may write no key. Choose one that takes its list of facts.`)];
  }
  if (!takesOnlyKey(node) || answerPath(node) !== undefined || node.write_keys.length === 0) return [];

  const message = `${node.id} may write several keys. Choose the one that takes its result.`;
  const [first] = node.write_keys.filter((grant) => grant !== "*");

  return [createProblem("answer_dropped", { node: node.id }, message, first === undefined ? undefined : answerFix(node, first))];
};

/** Agents may use any grant. */
const unused = (facts: Facts, node: GraphNode): Problem[] => {
  if (getKind(node).rights.reads !== "declared" || asksPerson(node)) return [];
  const used = { reads: [...listNamedReads(node), ...listConfiguredReads(node)], writes: facts.access.get(node.id)?.writes ?? [] };
  const conditions = (facts.topology.out.get(node.id) ?? []).length > 1;
  const idle = (side: Side, paths: readonly string[]) =>
    node[side].filter((grant) => grant !== "*" && !paths.includes("*") && !touches(paths, parsePath(grant) ?? []));
  const report = (side: Side, grants: readonly string[]) =>
    grants.map((grant) =>
      createProblem(
        "unused_grant",
        { node: node.id, key: grant },
        `${node.id} may ${side === "read_keys" ? "read" : "write"} ${grant} but never does.`,
        {
          title: "Remove the grant",
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

export const grantProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => [
    ...undeclared(facts, node, "read_keys"),
    ...undeclared(facts, node, "write_keys"),
    ...reviewed(facts, node),
    ...configured(node),
    ...answers(node),
    ...wildcards(facts, node),
    ...unused(facts, node),
  ]);
