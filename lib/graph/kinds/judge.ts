import { z } from "zod";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { nextNodeField } from "@/lib/graph/kinds/fields";
import { optionalLink, requiredLink } from "@/lib/graph/kinds/links";
import { noAnswer, noChoice, none, nothing } from "@/lib/graph/kinds/parts";

const text = z.string().min(1).max(500);

/** Rules; each refuses all it does not allow. */
export const ruleSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("enum"), values: z.array(text).max(500) }),
  z.strictObject({ type: z.literal("range"), min: z.number(), max: z.number() }),
  /** Inclusive, as `2026-11-22`. */
  z.strictObject({ type: z.literal("date"), from: z.iso.date(), to: z.iso.date() }),
  /** Of a text, or items of a list. */
  z.strictObject({ type: z.literal("length"), min: z.number().int().min(0), max: z.number().int().min(0).max(1_000_000) }),
  z.strictObject({ type: z.literal("boolean"), value: z.boolean() }),
  /** RE2, matching the whole text. */
  z.strictObject({ type: z.literal("pattern"), pattern: text }),
  /** Parsed origin and path; at or below `path`. */
  z.strictObject({ type: z.literal("url"), origins: z.array(text).max(100), path: z.string().max(500).default("/") }),
  /** At or below, once `.` and `..` are resolved. */
  z.strictObject({ type: z.literal("path_under"), root: text }),
  /** Exact domain after the only `@`. */
  z.strictObject({ type: z.literal("mail_domain"), domains: z.array(text).max(100) }),
]);
export type JudgeRule = z.infer<typeof ruleSchema>;

/** Decides without a model, by a rule per field and this extract's verdicts; then a copy at `to` is reviewed. */
export const judgeConfigSchema = z.strictObject({
  review: field(idSchema, { title: "Verdicts from", description: "Review node whose case counts.", widget: "node", nodes: "cases" }),
  from: field(pathSchema, { title: "Form to judge", widget: "path" }),
  to: field(pathSchema, { title: "Write reviewed copy to", description: "The form itself is not changed.", widget: "path" }),
  rules: field(z.array(z.strictObject({ field: idSchema, rule: ruleSchema })).max(50), { title: "Rules" }),
  rejection_node: nextNodeField("On rejection, go to", "Fail the node (judge_rejected)"),
});

type Config = z.output<typeof judgeConfigSchema>;

export const judgeKind = defineKind({
  title: "Judge",
  about: "Applies rules and verdicts, and promotes what passes",
  config: judgeConfigSchema,
  work: "judgment",
  agents: none,
  tasks: none,
  links: [
    requiredLink<Config>({
      name: "review",
      role: "part",
      get: ({ review }) => review,
      set: (config, review) => ({ ...config, review }),
    }),
    optionalLink<Config>({
      name: "rejected",
      role: "route",
      line: { label: "if rejected", describe: (from, to) => `On rejection, ${from} goes to ${to}`, tone: "rejection" },
      get: ({ rejection_node: id }) => id,
      set: (config, id) => {
        const { rejection_node: _gone, ...rest } = config;

        return id === undefined ? rest : { ...rest, rejection_node: id };
      },
    }),
  ],
  reads: ({ from }) => ({ paths: [from] }),
  answer: noAnswer,
  reports: ({ to }) => [to],
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
  proposes: "nothing",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ review, from, to, rules }) => ({ may: { promotes: [`${from} to ${to}`] }, is: { rule: { review, rules } } }),
});
