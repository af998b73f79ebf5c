import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { field } from "@/lib/graph/field";
import { pathSchema } from "@/lib/graph/path";
import { shortenText } from "@/lib/short-text";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { noAnswer, noChoice, none, nothing } from "@/lib/graph/kinds/parts";

/** CEL over declared reads, one expression per declared path. */
export const transformConfigSchema = z.strictObject({
  set: field(
    z
      .array(
        z.strictObject({
          path: field(pathSchema, { title: "Path", widget: "path", initial: (path) => path }),
          value: field(expressionSchema, { title: "Expression", widget: "expression", rows: 2, initial: () => "true" }),
        }),
      )
      .min(1)
      .max(100),
    { title: "Assignments", noun: "assignment" },
  ),
});

export const transformKind = defineKind({
  title: "Transform",
  about: "Computes values with CEL",
  config: transformConfigSchema,
  work: "computation",
  agents: none,
  tasks: none,
  links: [],
  reads: ({ set }) => ({ paths: [], expressions: set.map(({ path, value }) => ({ what: `computes ${path}`, text: value, to: path })) }),
  answer: noAnswer,
  reports: ({ set }) => set.map(({ path }) => path),
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
  proposes: "updates",
  editable: true,
  worksOnItems: true,
  choice: noChoice,
  facts: nothing,
  powers: ({ set }) => ({ may: { computes: set.map(({ path, value }) => `${path} as ${shortenText(value)}`) } }),
});
