/** What the queue of approvals can be narrowed to, as it stands in an address and as the store is asked for it. */
import { z } from "zod";
import { authorityClassSchema, riskOf, riskSchema, type AuthorityClass, type Risk } from "@/lib/engine/approvals/authority-class";

const HOUR_MS = 3_600_000;

/** Whoever wants to decide something has to begin before this. */
export const EXPIRING_MS = HOUR_MS;

export const INBOX_TABS = ["open", "decided"] as const;
export const RISKS = riskSchema.options;
export const AGES = ["1h", "8h", "1d"] as const;
const AGE_MS = { "1h": HOUR_MS, "8h": 8 * HOUR_MS, "1d": 24 * HOUR_MS } as const satisfies Record<(typeof AGES)[number], number>;

export const inboxFilterSchema = z.strictObject({
  tab: z.enum(INBOX_TABS).default("open"),
  /** What whoever asks may decide now. */
  mine: z.boolean().default(false),
  risk: riskSchema.nullable().default(null),
  graph: z.uuid().nullable().default(null),
  /** Asked at least this long ago. */
  age: z.enum(AGES).nullable().default(null),
  /** Open for less than another hour. */
  expiring: z.boolean().default(false),
  /** Part of what is asked, or of the node's, the agent's or the graph's name. */
  text: z.string().max(100).default(""),
});
export type InboxFilter = z.infer<typeof inboxFilterSchema>;

/** The authority classes of this risk. */
export const classesOfRisk = (risk: Risk): readonly AuthorityClass[] =>
  authorityClassSchema.options.filter((authority) => riskOf(authority) === risk);

/** The moment before which something must have been asked; ms since 1970. */
export const askedBefore = (age: (typeof AGES)[number], nowMs: number): number => nowMs - AGE_MS[age];

/** Whether anything but the tab is chosen: then an empty list says that nothing matches, and not that nothing is there. */
export const isNarrowed = ({ mine, risk, graph, age, expiring, text }: InboxFilter): boolean =>
  mine || risk !== null || graph !== null || age !== null || expiring || text.trim() !== "";
