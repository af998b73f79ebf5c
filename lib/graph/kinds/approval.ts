import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { optionalLink } from "@/lib/graph/kinds/links";
import { noAnswer, noChoice, none, nothing } from "@/lib/graph/kinds/parts";

const DAY_MS = 86_400_000;

/** Pauses the run for a person's decision. */
export const approvalConfigSchema = z.strictObject({
  prompt: z.string().min(1).max(2_000),
  /** Paths shown to the reviewer besides the effect. */
  review_keys: z.array(pathSchema).max(100).default([]),
  /** The node whose effect this gate approves: its exact arguments become part of the approved transition. */
  for_node: idSchema.optional(),
  role: deciderSchema.default("reviewer"),
  quorum: z.number().int().min(1).max(10).default(1),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(30 * DAY_MS)
    .default(DAY_MS),
  /** Values that approval raises to `reviewed`: `from`, as shown, is copied to `to`. */
  promote: z
    .array(z.strictObject({ from: pathSchema, to: pathSchema }))
    .max(50)
    .default([]),
  /** An approval has to be signed with a passkey. */
  passkey: z.literal(true).optional(),
  /** Next node after a rejection or expiry. Absent: the run is cancelled. */
  rejection_node: idSchema.optional(),
  /** Next node after a request for changes; it gets the reviewer's note. Absent: changes cannot be requested. */
  changes_node: idSchema.optional(),
});

type Config = z.output<typeof approvalConfigSchema>;

export const approvalKind = defineKind({
  title: "Approval",
  about: "A person decides before the run continues",
  config: approvalConfigSchema,
  work: "question",
  agents: none,
  tasks: none,
  links: [
    optionalLink<Config>({
      name: "effect",
      role: "part",
      get: ({ for_node: id }) => id,
      set: (config, id) => {
        const { for_node: _gone, ...rest } = config;

        return id === undefined ? rest : { ...rest, for_node: id };
      },
    }),
    optionalLink<Config>({
      name: "rejection",
      role: "route",
      line: { label: "rejected", describe: (from, to) => `On rejection, ${from} goes to ${to}`, tone: "rejection" },
      get: ({ rejection_node: id }) => id,
      set: (config, id) => {
        const { rejection_node: _gone, ...rest } = config;

        return id === undefined ? rest : { ...rest, rejection_node: id };
      },
    }),
    optionalLink<Config>({
      name: "changes",
      role: "route",
      line: { label: "changes", describe: (from, to) => `On a request for changes, ${from} goes to ${to}`, tone: "choice" },
      get: ({ changes_node: id }) => id,
      set: (config, id) => {
        const { changes_node: _gone, ...rest } = config;

        return id === undefined ? rest : { ...rest, changes_node: id };
      },
    }),
  ],
  reads: ({ review_keys: shown, promote }) => ({ paths: [...shown, ...promote.map(({ from }) => from)] }),
  answer: noAnswer,
  reports: ({ promote }) => promote.map(({ to }) => to),
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
  proposes: "nothing",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ promote, quorum, review_keys: shown, role }) => ({
    may: { promotes: promote.map(({ from, to }) => `${from} to ${to}`) },
    least: { quorum },
    must: { shown },
    is: { decider: role },
  }),
});
