/** Graphs driven by outside agents: views, inputs and choices. */
import type { GraphNode } from "@/lib/graph/document";
import { parsePath } from "@/lib/graph/path";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { findReachable } from "@/lib/graph/topology";
import type { Json } from "@/lib/json";
import { getNodeName, type Facts } from "@/lib/graph/facts/facts";
import { keepFirst } from "./first-of";
import { declareFix, listEveryKey } from "./grants";
import { createProblem, type Fix, type Problem } from "./problem";

const nameKeysFix = (facts: Facts, grants: readonly string[]): Fix | undefined => {
  const { external } = facts.graph;
  const named = listEveryKey(facts, grants);

  return external && named
    ? { title: "List each key", edits: [{ op: "settings", settings: { external: { ...external, read_keys: [...named] } } }] }
    : undefined;
};

const shown = (facts: Facts, grants: readonly string[]): Problem[] =>
  grants.flatMap((grant) => {
    if (grant === "*") return [createProblem("wildcard_grant", {}, "Outside agents may read every key.", nameKeysFix(facts, grants))];
    const key = parsePath(grant)?.[0];
    if (key === undefined || facts.keys.has(key)) return [];

    return [createProblem("read_undeclared", { key }, `Outside agents may read ${key}, which is not declared.`, declareFix(key))];
  });

/** Actions provide inputs instead of a launch form. */
const launchForm = (facts: Facts): Problem[] => {
  const required: Json | undefined = facts.graph.inputs["required"];
  if (!Array.isArray(required) || required.length === 0) return [];
  const { required: _dropped, ...inputs } = facts.graph.inputs;

  return [
    createProblem(
      "external_inputs_required",
      {},
      "The launch form has required inputs, but an outside agent starts without the form. Make them inputs of an action.",
      { title: "Make them optional", edits: [{ op: "settings", settings: { inputs } }] },
    ),
  ];
};

const inputs = (facts: Facts, node: GraphNode): Problem[] => {
  const { action } = node;
  const given = action?.inputs ?? [];

  return given.flatMap((input, index): Problem[] => {
    const key = parsePath(input.path)?.[0] ?? "";
    const declared = facts.keys.get(key);
    const place = { node: node.id, key: input.name };
    const isFirst = given.findIndex((other) => other.name === input.name) === index;

    return [
      ...(isFirst || !action
        ? []
        : [
            createProblem("input_doubled", place, `${getNodeName(node)} has more than one input named ${input.name}.`, {
              title: "Keep the first",
              edits: [{ op: "replace_node", node: { ...node, action: { ...action, inputs: keepFirst(given, (one) => one.name) } } }],
            }),
          ]),
      ...(declared
        ? []
        : [createProblem("input_undeclared", place, `Input ${input.name} writes ${key}, which is not declared.`, declareFix(key))]),
      ...(declared?.protected
        ? [
            createProblem(
              "input_protected",
              place,
              `Input ${input.name} writes ${key}, which is protected. Callers can't write protected keys.`,
            ),
          ]
        : []),
    ];
  });
};

/** A failed action leads back to the last rest. */
const named = (facts: Facts): ReadonlySet<string> => {
  const { graph, topology } = facts;
  const ways = new Map(
    graph.nodes.map((node) => {
      const drawn = (topology.out.get(node.id) ?? []).filter((edge) => edge.kind === "normal" || edge.kind === "default");

      return [node.id, [...drawn.map((edge) => edge.target), ...listDeclaredTargets(node)]] as const;
    }),
  );

  return findReachable([graph.start_node], ways);
};

const unnamed = (facts: Facts): Problem[] => {
  const offered = named(facts);

  return facts.graph.nodes.flatMap((node) => {
    const isWorker = facts.masters.has(node.id);
    if (isWorker ? node.action === undefined : offered.has(node.id) || !facts.topology.reachable.has(node.id)) return [];
    const why = isWorker
      ? "it processes the items of a map"
      : "it is only reached after failures, and a failed action returns to the previous step";

    const { action: _dropped, ...rest } = node;

    return [
      createProblem(
        "action_never_offered",
        { node: node.id },
        `No caller can ever choose ${getNodeName(node)}: ${why}.`,
        isWorker ? { title: "Remove the action description", edits: [{ op: "replace_node", node: rest }] } : undefined,
      ),
    ];
  });
};

const ignored = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => {
    if (node.action === undefined) return [];
    const { action: _dropped, ...rest } = node;

    return [
      createProblem(
        "action_ignored",
        { node: node.id },
        `${getNodeName(node)} is described as an action, but outside agents can't drive this graph.`,
        {
          title: "Remove the action description",
          edits: [{ op: "replace_node", node: rest }],
        },
      ),
    ];
  });

export const findOutsideProblems = (facts: Facts): Problem[] => {
  const { external, nodes } = facts.graph;
  if (!external) return ignored(facts);

  return [...launchForm(facts), ...shown(facts, external.read_keys), ...nodes.flatMap((node) => inputs(facts, node)), ...unnamed(facts)];
};
