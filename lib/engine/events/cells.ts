import { z } from "zod";
import { pathSchema } from "@/lib/graph/path";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { openingPurposeSchema } from "@/lib/engine/approvals/case";
import { seqSchema } from "@/lib/engine/event";
import { defineEvent, keepState, none, skip, step, type TrustContext } from "@/lib/engine/events/event-entry";
import { listApprovers } from "@/lib/engine/events/gates";
import { shredReasonSchema } from "@/lib/engine/ledger/shred-reason";
import { ownEntry } from "@/lib/engine/state";

/** The cell at `to` counts as reviewed; `from` is unchanged. */
export const promotedSchema = z.strictObject({
  type: z.literal("promoted"),
  approval_id: uuidSchema.nullable(),
  case_id: uuidSchema.nullable(),
  from: pathSchema,
  to: pathSchema,
});
export type Promoted = z.infer<typeof promotedSchema>;

const index = z.number().int().min(0);

const listPeople = ({ approval_id: approval, case_id: about }: Promoted, { cases, gates }: TrustContext): string[] => {
  const gate = approval === null ? undefined : ownEntry(gates, approval);
  const verdicts = about === null ? [] : (ownEntry(cases, about)?.verdicts ?? []);
  const judges = verdicts.filter(({ verdict, by }) => verdict === "approve" && by.startsWith("user:")).map(({ by }) => by);

  return [...new Set([...(gate ? listApprovers(gate) : []), ...judges])].toSorted();
};

export const CELL_EVENTS = {
  promoted: defineEvent({
    schema: promotedSchema,
    about: "A value was copied to another path as reviewed.",
    reduce: keepState,
    weight: 25,
    isMentioned: true,
    line: ({ from, to }) => ({ marker: "approved", title: `${to} marked as reviewed`, detail: `value from ${from}` }),
    tags: () => ["cleared"],
    compared: ({ from, to }) => ["promoted", from, to],
    trust: (event, _record, context) => [
      {
        type: "promotion",
        path: event.to,
        detail: { from: event.from, approval: event.approval_id, case: event.case_id, people: listPeople(event, context) },
      },
    ],
  }),
  cell_opened: defineEvent({
    schema: z.strictObject({
      type: z.literal("cell_opened"),
      path: z.string().max(1_200),
      seq: seqSchema,
      index,
      by: z.string().max(300),
      purpose: openingPurposeSchema,
      case_id: uuidSchema.nullable(),
      file: hexDigestSchema.exactOptional(),
    }),
    about: "A sealed value or a file was opened, for whom and why.",
    reduce: keepState,
    weight: 26,
    isMentioned: false,
    line: ({ path, purpose, by }) => step(purpose === "file" ? "File opened" : "Sealed value opened", `${path} · ${purpose} · ${by}`),
    tags: none,
    compared: ({ path, purpose }) => ["opened", path, purpose],
    trust: ({ path, seq, index: cell, by, purpose, case_id: about }) => [
      { type: "opening", path, principal: by, detail: { of: seq, cell, purpose, case: about } },
    ],
  }),
  /** Key, salt and content destroyed. */
  cells_shredded: defineEvent({
    schema: z.strictObject({
      type: z.literal("cells_shredded"),
      run: uuidSchema,
      reason: shredReasonSchema,
      cells: z
        .array(z.strictObject({ seq: seqSchema, index }))
        .min(1)
        .max(1_000),
    }),
    about: "Workspace ledger: values of a run were destroyed.",
    reduce: keepState,
    weight: 32,
    isMentioned: false,
    line: ({ run, reason, cells }) => step("Values shredded", `${cells.length} of run ${run.slice(0, 8)}: ${reason}`),
    tags: none,
    compared: skip,
    trust: ({ run, reason, cells }) => [{ type: "shred", path: null, detail: { run, reason, cells: cells.length } }],
  }),
};
