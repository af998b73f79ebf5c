import { z } from "zod";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { noAnswer, noChoice, none, nothing } from "@/lib/graph/kinds/parts";

/** Only its outgoing edges decide. */
const routerConfigSchema = z.strictObject({});

export const routerKind = defineKind({
  title: "Router",
  about: "Its edges decide where the run goes",
  config: routerConfigSchema,
  work: "route",
  agents: none,
  tasks: none,
  links: [],
  reads: () => ({ paths: [] }),
  answer: noAnswer,
  reports: none,
  rights: { reads: "grants", writes: "none" },
  isolates: () => false,
  proposes: "nothing",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: nothing,
});
