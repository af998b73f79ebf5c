import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { field } from "@/lib/graph/field";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { resultField } from "@/lib/graph/kinds/fields";
import { answerAtPath, noChoice, none, nothing } from "@/lib/graph/kinds/parts";

/** Declared read, fixed value, or a map's item. */
const argumentSchema = z.union([
  z.strictObject({ from: pathSchema }),
  z.strictObject({ value: jsonSchema }),
  z.strictObject({ item: z.union([z.literal(""), pathSchema]) }),
]);

/** Calls one granted MCP tool. */
export const toolConfigSchema = z.strictObject({
  server: idSchema,
  tool: toolNameSchema,
  arguments: field(z.record(z.string().min(1).max(128), argumentSchema).default({}), {
    title: "Arguments",
    description: "Each from memory, fixed, or from the item of a map.",
  }),
  write_to: resultField(),
});

export const toolKind = defineKind({
  title: "Tool",
  about: "Calls one granted MCP tool",
  config: toolConfigSchema,
  work: "call",
  agents: none,
  tasks: none,
  links: [],
  reads: (config) => ({ paths: Object.values(config.arguments).flatMap((argument) => ("from" in argument ? [argument.from] : [])) }),
  answer: answerAtPath,
  reports: none,
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
  proposes: "updates",
  editable: true,
  worksOnItems: true,
  choice: noChoice,
  facts: nothing,
  powers: nothing,
});
