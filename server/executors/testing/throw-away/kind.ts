/** A kind that only the tests add: copies a value. */
import { z } from "zod";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { noChoice, none, nothing } from "@/lib/graph/kinds/parts";
import { pathSchema } from "@/lib/graph/path";

export const echoConfigSchema = z.strictObject({ from: pathSchema, write_to: pathSchema });

export const echoKind = defineKind({
  title: "Echo",
  about: "Copies a value",
  config: echoConfigSchema,
  work: "proposal",
  agents: none,
  tasks: none,
  links: [],
  reads: ({ from }) => ({ paths: [from] }),
  answer: ({ write_to: path }) => path,
  reports: none,
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
  proposes: "updates",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: nothing,
});
