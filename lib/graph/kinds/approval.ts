import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { optionalLink } from "@/lib/graph/kinds/links";
import { noAnswer, none } from "@/lib/graph/kinds/parts";

const DAY_MS = 86_400_000;

/** Pauses the run for a person's decision. */
export const approvalConfigSchema = z.strictObject({
  prompt: z.string().min(1).max(2_000),
  /** Paths shown besides the effect. */
  review_keys: z.array(pathSchema).max(100).default([]),
  /** Its exact arguments are part of the approval. */
  for_node: idSchema.optional(),
  role: deciderSchema.default("reviewer"),
  quorum: z.number().int().min(1).max(10).default(1),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(30 * DAY_MS)
    .default(DAY_MS),
  /** Copies `from`, as shown, to `to` as `reviewed`. */
  promote: z
    .array(z.strictObject({ from: pathSchema, to: pathSchema }))
    .max(50)
    .default([]),
  passkey: z.literal(true).optional(),
  /** Also on expiry. Absent: cancels the run. */
  rejection_node: idSchema.optional(),
  /** Absent: changes cannot be requested. */
  changes_node: idSchema.optional(),
});

type Config = z.output<typeof approvalConfigSchema>;

export const approvalKind = defineKind({
  title: "Approval",
  about: "A person decides before the run continues",
  config: approvalConfigSchema,
  agents: none,
  tasks: none,
  links: [
    optionalLink<Config>({
      name: "effect",
      role: "part",
      get: ({ for_node: id }) => id,
      set: ({ for_node: _, ...config }, id) => ({ ...config, ...(id === undefined ? {} : { for_node: id }) }),
    }),
    optionalLink<Config>({
      name: "rejection",
      role: "route",
      line: { label: "rejected", describe: (from, to) => `On rejection, ${from} goes to ${to}`, tone: "rejection" },
      get: ({ rejection_node: id }) => id,
      set: ({ rejection_node: _, ...config }, id) => ({ ...config, ...(id === undefined ? {} : { rejection_node: id }) }),
    }),
    optionalLink<Config>({
      name: "changes",
      role: "route",
      line: { label: "changes", describe: (from, to) => `On a request for changes, ${from} goes to ${to}`, tone: "choice" },
      get: ({ changes_node: id }) => id,
      set: ({ changes_node: _, ...config }, id) => ({ ...config, ...(id === undefined ? {} : { changes_node: id }) }),
    }),
  ],
  reads: ({ review_keys: shown, promote }) => ({ paths: [...shown, ...promote.map(({ from }) => from)] }),
  answer: noAnswer,
  reports: ({ promote }) => promote.map(({ to }) => to),
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
});
