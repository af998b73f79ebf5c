/** Judges of a review zone: they decide about exactly what was reviewed, by exactly one rule for each field. */
import { RE2JS } from "@bufbuild/re2";
import type { NodeOf } from "@/lib/graph/document";
import type { ExtractField } from "@/lib/graph/nodes/extract";
import type { JudgeRule } from "@/lib/graph/nodes/judge";
import { parsePath } from "@/lib/graph/path";
import { fittingRules, suggestedRule } from "@/lib/graph/suggested-rule";
import { answerPath } from "./access";
import { nodeName, overlaps, writersAt, type Facts } from "./facts";
import { firstOf } from "./first-of";
import { problem, type Fix, type Problem } from "./problem";

type Judge = NodeOf<"judge">;
type Entry = Judge["config"]["rules"][number];

const withConfig = (node: Judge, change: Partial<Judge["config"]>, title: string): Fix => ({
  title,
  edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, ...change } } }],
});

/** The extracts whose form a judge decides about. */
const judgedExtracts = (facts: Facts, from: string): NodeOf<"extract">[] =>
  facts.graph.nodes.flatMap((node) => (node.kind === "extract" && answerPath(node) === from ? [node] : []));

/** The fields that a judge needs rules for: of every extract that it decides about, each name once. */
export const judgedFields = (facts: Facts, node: Judge): readonly ExtractField[] => [
  ...new Map(judgedExtracts(facts, node.config.from).flatMap(({ config }) => config.fields.map((field) => [field.name, field]))).values(),
];

const ofReview = (facts: Facts, node: Judge): Problem[] => {
  const { review: id, from } = node.config;
  const review = facts.nodes.get(id);
  const place = { node: node.id };
  // That it is not there is said already.
  if (!review) return [];
  if (review.kind !== "review")
    return [problem("judge_without_review", place, `${nodeName(node)} counts the verdicts of ${id}, which is no review.`)];
  const { target } = review.config;

  return [
    ...(target === from
      ? []
      : [
          problem(
            "judged_unreviewed",
            place,
            `${nodeName(node)} judges ${from}, and ${nodeName(review)} reviews ${target}.`,
            withConfig(node, { from: target }, `Judge ${target}`),
          ),
        ]),
    ...(facts.topology.reachable.has(node.id) && !facts.dominators.dominates(id, node.id)
      ? [problem("review_bypassed", place, `The run can reach ${nodeName(node)} without passing ${nodeName(review)}.`)]
      : []),
  ];
};

const ofExtract = (facts: Facts, node: Judge): Problem[] => {
  const { from, to } = node.config;
  const place = { node: node.id, key: from };
  const writers = writersAt(facts, parsePath(from) ?? []).filter((writer) => writer.id !== node.id);
  const other = writers.find((writer) => writer.kind !== "extract" || answerPath(writer) !== from);
  const inPlace = overlaps(parsePath(from) ?? [], parsePath(to) ?? []);

  return [
    ...(inPlace
      ? [
          problem(
            "judged_in_place",
            { node: node.id, key: to },
            `${nodeName(node)} writes its reviewed copy over ${from}: what was judged must stay as it was.`,
          ),
        ]
      : []),
    ...(judgedExtracts(facts, from).length === 0
      ? [problem("judge_without_extract", place, `No extract writes ${from}, so ${nodeName(node)} has no fields to judge and rejects.`)]
      : []),
    ...(other === undefined || inPlace
      ? []
      : [problem("judged_shared", place, `${nodeName(other)} can change ${from} too, and no rule of ${nodeName(node)} is made for that.`)]),
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
        problem(
          "rule_missing",
          place(field.name),
          `${nodeName(node)} has no rule for ${field.name}, so it rejects every form.`,
          withConfig(node, { rules: [...rules, { field: field.name, rule: suggestedRule(field.value) }] }, "Add a rule"),
        ),
      ),
    ...rules.flatMap((entry, index): Problem[] => {
      const isFirst = rules.findIndex((other) => other.field === entry.field) === index;
      const field = known.get(entry.field);
      if (!field) {
        // Without an extract there are no fields at all, which is said already.
        if (fields.length === 0 || !isFirst) return [];
        const kept = rules.filter((other) => other.field !== entry.field);

        return [
          problem(
            "rule_unknown",
            place(entry.field),
            `No field is called ${entry.field}.`,
            withConfig(node, { rules: kept }, "Remove the rule"),
          ),
        ];
      }
      if (!isFirst) {
        const kept = firstOf(rules, (one) => one.field);

        return [
          problem(
            "rule_doubled",
            place(entry.field),
            `${nodeName(node)} has more than one rule for ${entry.field}.`,
            withConfig(node, { rules: kept }, "Keep the first one"),
          ),
        ];
      }
      if (fittingRules(field.value.type).includes(entry.rule.type)) return [];
      const fitting = rules.with(index, { field: entry.field, rule: suggestedRule(field.value) });

      return [
        problem(
          "rule_unfit",
          place(entry.field),
          `The rule for ${entry.field} is made for other values than the field can hold.`,
          withConfig(node, { rules: fitting }, "Replace the rule"),
        ),
      ];
    }),
  ];
};

const compiles = (pattern: string): boolean => {
  try {
    return new RE2JS(pattern).test("") !== undefined;
  } catch {
    return false;
  }
};

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);

  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.origin === text;
};

const isDomain = (text: string): boolean => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i.test(text);

/** Why a rule can let nothing through; null when it can. */
const fault = (rule: JudgeRule): string | null => {
  switch (rule.type) {
    case "enum":
      return rule.values.length === 0 ? "allows nothing yet: list what is allowed" : null;
    case "range":
    case "length":
      return rule.min > rule.max ? `asks for at least ${rule.min} and at most ${rule.max}` : null;
    case "date":
      return rule.from > rule.to ? `begins after it ends` : null;
    case "url": {
      const wrong = rule.origins.find((origin) => !isOrigin(origin));
      if (rule.origins.length === 0) return "allows nothing yet: list the origins that are allowed";

      return wrong === undefined ? null : `names ${wrong}, which is no origin such as https://example.org`;
    }
    case "mail_domain": {
      const wrong = rule.domains.find((domain) => !isDomain(domain));
      if (rule.domains.length === 0) return "allows nothing yet: list the domains that are allowed";

      return wrong === undefined ? null : `names ${wrong}, which is no domain such as example.org`;
    }
    case "pattern":
    case "boolean":
    case "path_under":
      return null;
    default:
      return rule satisfies never;
  }
};

const ofRule = (node: Judge, { field, rule }: Entry): Problem[] => {
  const place = { node: node.id, key: field };
  if (rule.type === "pattern" && !compiles(rule.pattern)) {
    return [problem("pattern_invalid", place, `The pattern for ${field} does not compile (RE2).`)];
  }
  const why = fault(rule);

  return why === null ? [] : [problem("rule_impossible", place, `The rule for ${field} ${why}.`)];
};

export const ruleProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) =>
    node.kind === "judge"
      ? [
          ...ofReview(facts, node),
          ...ofExtract(facts, node),
          ...ofFields(node, judgedFields(facts, node)),
          ...node.config.rules.flatMap((entry) => ofRule(node, entry)),
        ]
      : [],
  );
