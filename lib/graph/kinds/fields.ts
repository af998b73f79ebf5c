import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { field, type FieldMeta } from "@/lib/graph/field";
import { pathSchema } from "@/lib/graph/path";
import { groupNameSchema } from "@/lib/people/approvers";
import { deciderSchema } from "@/lib/roles";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

type More = Partial<FieldMeta>;

export const instructionsField = (more: More = {}) =>
  field(z.string().max(20_000).default(""), {
    title: "Instructions",
    description: "Added to the agent's system prompt.",
    widget: "prose",
    rows: 4,
    ...more,
  });

export const criteriaField = (more: More = {}) =>
  field(z.string().max(4_000).default(""), { title: "Criteria", widget: "prose", rows: 3, ...more });

export const resultField = (title = "Write result to", more: More = {}) =>
  field(pathSchema.optional(), { title, description: "If empty, the only key it may write.", widget: "path", ...more });

export const answerField = (more: More = {}) =>
  field(z.enum(["text", "json"]).default("text"), {
    title: "Answer",
    description: "JSON is parsed before it is proposed.",
    choices: { text: "Text", json: "JSON" },
    ...more,
  });

export const concurrencyField = (section: string) =>
  field(z.number().int().min(1).max(50).default(5), { title: "Max concurrency", section });

export const errorStrategyField = (title: string, section: string) =>
  field(z.enum(["fail_fast", "best_effort"]).default("best_effort"), {
    title,
    section,
    choices: { best_effort: "Continue without it", fail_fast: "Fail the node" },
  });

/** Temperatures of a search, which never rise. */
export const temperatureFields = (final: number, section?: string) => {
  const temperature = z.number().min(0).max(2);
  const place = section === undefined ? {} : { section };

  return {
    initial_temperature: field(temperature.default(1), { title: "Initial temperature", ...place }),
    final_temperature: field(temperature.default(final), {
      title: "Final temperature",
      ...place,
      atMost: ({ initial_temperature: initial }) => Number(initial),
    }),
  };
};

export const expiryField = (title: string, section?: string) =>
  field(
    z
      .number()
      .int()
      .min(1_000)
      .max(30 * DAY_MS)
      .default(DAY_MS),
    { title, unit: { name: "hours", size: HOUR_MS }, ...(section === undefined ? {} : { section }) },
  );

export const escalatesToSchema = z.enum(["everyone", "admins", "group"]);

export const escalationField = (title: string) =>
  field(
    z
      .strictObject({
        after_ms: field(
          z
            .number()
            .int()
            .min(1_000)
            .max(30 * DAY_MS)
            .default(4 * HOUR_MS),
          { title: "After", unit: { name: "hours", size: HOUR_MS } },
        ),
        to: field(escalatesToSchema.default("everyone"), {
          title: "To",
          choices: {
            everyone: "Everyone who can decide",
            admins: "Admins, who still can't approve",
            group: "A group, which can then decide too",
          },
        }),
        group: field(groupNameSchema.optional(), {
          title: "Group",
          none: "Choose a group",
          widget: "group",
          when: ({ to }) => to === "group",
        }),
      })
      .optional(),
    { title, description: "On record. Also ends snoozes of the request. Only a group gets the right to decide, and only with the role." },
  );

export const nextNodeField = (title: string, none: string, description?: string, section?: string) =>
  field(idSchema.optional(), {
    title,
    none,
    widget: "node",
    ...(description === undefined ? {} : { description }),
    ...(section === undefined ? {} : { section }),
  });

export const deciderField = (title: string) => field(deciderSchema.default("reviewer"), { title });
