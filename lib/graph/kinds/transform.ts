import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { field } from "@/lib/graph/field";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { noAnswer, none } from "@/lib/graph/kinds/parts";

/** CEL over declared reads, one expression per declared path. */
const transformConfigSchema = z.strictObject({
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
  agents: none,
  tasks: none,
  links: [],
  reads: ({ set }) => ({ paths: [], expressions: set.map(({ value }) => value) }),
  answer: noAnswer,
  reports: ({ set }) => set.map(({ path }) => path),
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
});
