/** Judges decide exactly the reviewed value, with one rule per field. */
import type { Graph, NodeOf } from "@/lib/graph/document";
import { fillsForm, judgesCase, opensCase } from "@/lib/graph/kind-of";
import type { ExtractField } from "@/lib/graph/kinds/extract";
import { parsePath } from "@/lib/graph/path";
import { listFittingRules, suggestRule } from "@/lib/graph/suggested-rule";
import { answerPath } from "@/lib/graph/facts/access";
import { getNodeName, overlaps, findWritersAt, type Facts } from "@/lib/graph/facts/facts";
import { keepFirst } from "./first-of";
import { isPattern, mendRule, findRuleFault } from "./rule-faults";
import { createProblem, type Fix, type Problem } from "./problem";

type Judge = NodeOf<"judge">;
type Entry = Judge["config"]["rules"][number];

const withConfig = (node: Judge, change: Partial<Judge["config"]>, title: string): Fix => ({
  title,
  edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, ...change } } }],
});

const extractsTo = (graph: Graph, path: string): NodeOf<"extract">[] =>
  graph.nodes.flatMap((node) => (fillsForm(node) && answerPath(node) === path ? [node] : []));

export const getFieldsAt = (graph: Graph, path: string): readonly ExtractField[] => [
  ...new Map(extractsTo(graph, path).flatMap(({ config }) => config.fields.map((field) => [field.name, field]))).values(),
];

const ofReview = (facts: Facts, node: Judge): Problem[] => {
  const { review: id, from } = node.config;
  const review = facts.nodes.get(id);
  const place = { node: node.id };
  // Already reported as missing.
  if (!review) return [];
  if (!opensCase(review))
    return [createProblem("judge_without_review", place, `${getNodeName(node)} counts the verdicts of ${id}, which is not a review node.`)];
  const { target } = review.config;

  return [
    ...(target === from
      ? []
      : [
          createProblem(
            "judged_unreviewed",
            place,
            `${getNodeName(node)} judges ${from}, but ${getNodeName(review)} reviews ${target}.`,
            withConfig(node, { from: target }, `Judge ${target}`),
          ),
        ]),
    ...(facts.topology.reachable.has(node.id) && !facts.dominators.dominates(id, node.id)
      ? [createProblem("review_bypassed", place, `The run can reach ${getNodeName(node)} without passing ${getNodeName(review)}.`)]
      : []),
  ];
};

const ofExtract = (facts: Facts, node: Judge): Problem[] => {
  const { from, to } = node.config;
  const place = { node: node.id, key: from };
  const writers = findWritersAt(facts, parsePath(from) ?? []).filter((writer) => writer.id !== node.id);
  const other = writers.find((writer) => !fillsForm(writer) || answerPath(writer) !== from);
  const inPlace = overlaps(parsePath(from) ?? [], parsePath(to) ?? []);

  return [
    ...(inPlace
      ? [
          createProblem(
            "judged_in_place",
            { node: node.id, key: to },
            `${getNodeName(node)} would overwrite ${from} with its reviewed copy. Write the copy to another path.`,
          ),
        ]
      : []),
    ...(extractsTo(facts.graph, from).length === 0
      ? [
          createProblem(
            "judge_without_extract",
            place,
            `No extract node writes ${from}, so ${getNodeName(node)} has no fields to judge and always rejects.`,
          ),
        ]
      : []),
    ...(other === undefined || inPlace
      ? []
      : [
          createProblem(
            "judged_shared",
            place,
            `${getNodeName(other)} can also change ${from}, but the rules of ${getNodeName(node)} don't cover that.`,
          ),
        ]),
  ];
};

const ofFields = (node: Judge, fields: readonly ExtractField[]): Problem[] => {
  const { rules } = node.config;
  const place = (key: string) => ({ node: node.id, key });
  const known = new Map(fields.map((field) => [field.name, field]));

  return [
    ...fields
      .filter((field) => rules.every((entry) => entry.field !== field.name))
      .map((field) =>
        createProblem(
          "rule_missing",
          place(field.name),
          `${getNodeName(node)} has no rule for ${field.name}, so it rejects every form.`,
          withConfig(node, { rules: [...rules, { field: field.name, rule: suggestRule(field.value) }] }, "Add a rule"),
        ),
      ),
    ...rules.flatMap((entry, index): Problem[] => {
      const isFirst = rules.findIndex((other) => other.field === entry.field) === index;
      const field = known.get(entry.field);
      if (!field) {
        // Already reported.
        if (fields.length === 0 || !isFirst) return [];
        const kept = rules.filter((other) => other.field !== entry.field);

        return [
          createProblem(
            "rule_unknown",
            place(entry.field),
            `There is no field named ${entry.field}.`,
            withConfig(node, { rules: kept }, "Remove the rule"),
          ),
        ];
      }
      if (!isFirst) {
        const kept = keepFirst(rules, (one) => one.field);

        return [
          createProblem(
            "rule_doubled",
            place(entry.field),
            `${getNodeName(node)} has more than one rule for ${entry.field}.`,
            withConfig(node, { rules: kept }, "Keep the first"),
          ),
        ];
      }
      if (listFittingRules(field.value.type).includes(entry.rule.type)) return [];
      const fitting = rules.with(index, { field: entry.field, rule: suggestRule(field.value) });

      return [
        createProblem(
          "rule_unfit",
          place(entry.field),
          `The rule for ${entry.field} doesn't fit the type of the field.`,
          withConfig(node, { rules: fitting }, "Replace the rule"),
        ),
      ];
    }),
  ];
};

const ofRule = (node: Judge, { field, rule }: Entry): Problem[] => {
  const place = { node: node.id, key: field };
  if (rule.type === "pattern" && !isPattern(rule.pattern)) {
    return [createProblem("pattern_invalid", place, `The pattern for ${field} does not compile (RE2).`)];
  }
  const why = findRuleFault(rule);

  const turned = why === null ? null : mendRule(rule);
  // An exact duplicate is one mistake.
  const isSame = (other: Entry): boolean => other.field === field && findRuleFault(other.rule) === why && other.rule.type === rule.type;
  const rules = turned && node.config.rules.map((other) => (isSame(other) ? { field, rule: turned.rule } : other));

  return why === null
    ? []
    : [
        createProblem(
          "rule_impossible",
          place,
          `The rule for ${field} ${why}.`,
          turned && rules ? withConfig(node, { rules }, turned.title) : undefined,
        ),
      ];
};

export const findRuleProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) =>
    judgesCase(node)
      ? [
          ...ofReview(facts, node),
          ...ofExtract(facts, node),
          ...ofFields(node, getFieldsAt(facts.graph, node.config.from)),
          ...node.config.rules.flatMap((entry) => ofRule(node, entry)),
        ]
      : [],
  );
