import { z } from "zod";
import { daySchema } from "@/lib/saved-views";
import { riskSchema } from "@/lib/engine/approvals/authority-class";

const HOUR_MS = 3_600_000;

/** Decisions due within this time are urgent. */
export const EXPIRING_MS = HOUR_MS;

export const INBOX_TABS = ["open", "decided"] as const;
export const RISKS = riskSchema.options;
export const AGES = ["1h", "8h", "1d"] as const;
const AGE_MS = { "1h": HOUR_MS, "8h": 8 * HOUR_MS, "1d": 24 * HOUR_MS } as const satisfies Record<(typeof AGES)[number], number>;

export const inboxFilterSchema = z.strictObject({
  tab: z.enum(INBOX_TABS).default("open"),
  mine: z.boolean().default(false),
  /** Set aside by the reader; without, the others. */
  aside: z.boolean().default(false),
  assigned: z.boolean().default(false),
  risk: riskSchema.nullable().default(null),
  graph: z.uuid().nullable().default(null),
  age: z.enum(AGES).nullable().default(null),
  /** Open for less than one more hour. */
  expiring: z.boolean().default(false),
  from: daySchema.nullable().default(null),
  to: daySchema.nullable().default(null),
  model: z.string().min(1).max(200).nullable().default(null),
  /** Part of the question or of a name. */
  text: z.string().max(100).default(""),
});
export type InboxFilter = z.infer<typeof inboxFilterSchema>;

export const getAskedBefore = (age: (typeof AGES)[number], nowMs: number): number => nowMs - AGE_MS[age];

export const isNarrowed = ({ mine, assigned, aside, expiring, text, tab: _tab, ...chosen }: InboxFilter): boolean =>
  mine || assigned || aside || expiring || text.trim() !== "" || Object.values(chosen).some((value) => value !== null);
