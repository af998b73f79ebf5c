import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { field } from "@/lib/graph/field";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { expiryField, resultField } from "@/lib/graph/kinds/fields";
import { noChoice, none, nothing } from "@/lib/graph/kinds/parts";
import { shortenText } from "@/lib/short-text";

const HOUR_MS = 3_600_000;

export const MOST_WAIT_MS = 366 * 24 * HOUR_MS;

/** Rests without a lease or a timer in memory: the run's next due time is stored. */
export const waitConfigSchema = z.strictObject({
  until: field(
    z.discriminatedUnion("type", [
      field(
        z.strictObject({
          type: z.literal("duration"),
          ms: field(z.number().int().min(1_000).max(MOST_WAIT_MS).default(HOUR_MS), {
            title: "Duration",
            unit: { name: "hours", size: HOUR_MS },
          }),
        }),
        { title: "Some time has passed" },
      ),
      field(
        z.strictObject({
          type: z.literal("instant"),
          at: field(expressionSchema, {
            title: "Time",
            description:
              "Text as 2026-11-27T09:00:00+01:00, or milliseconds since 1970, at most 366 days ahead. A past time does not wait.",
            widget: "expression",
            rows: 2,
            initial: (path) => `memory.${path}`,
          }),
        }),
        { title: "A time is reached" },
      ),
      field(
        z.strictObject({
          type: z.literal("event"),
          timeout_ms: expiryField("Times out after"),
        }),
        { title: "A program answers" },
      ),
    ]),
    {
      title: "Continue when",
      description:
        "A program answers over the HTTP API with a one-time token, or a person on the run's page. Without an answer, the run takes the timeout edge.",
    },
  ),
  write_to: resultField("Write answer to", {
    when: ({ until }) => typeof until === "object" && until !== null && "type" in until && until.type === "event",
  }),
});

export const waitKind = defineKind({
  title: "Wait",
  about: "Rests until a time or an outside answer",
  config: waitConfigSchema,
  work: "wait",
  agents: none,
  tasks: none,
  links: [],
  reads: ({ until }) => ({ paths: [], expressions: until.type === "instant" ? [{ what: "computes its time", text: until.at }] : [] }),
  answer: ({ until, write_to: path }, only) => (until.type === "event" ? (path ?? only) : undefined),
  reports: none,
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
  proposes: "nothing",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ until }) => ({
    may: { hears: until.type === "event" ? ["a program"] : [] },
    is: { rule: until.type === "instant" ? shortenText(until.at) : until },
  }),
});
