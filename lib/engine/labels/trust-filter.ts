import { z } from "zod";
import { trustTypeSchema, type TrustType } from "@/lib/engine/labels/trust-event";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const WITHIN_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
export const WITHIN = ["hour", "day", "week", "month"] as const satisfies readonly (keyof typeof WITHIN_MS)[];

/** Postgres rejects NUL. */
const text = z
  .string()
  .max(200)
  .regex(/^[^\0]*$/)
  .default("");
const day = z.iso.date().nullable().default(null);

export const trustFilterSchema = z.strictObject({
  /** Empty: all. */
  types: z.array(trustTypeSchema).max(20).default([]),
  who: text,
  node: text,
  path: text,
  run: text,
  within: z.enum(WITHIN).nullable().default(null),
  /** UTC days, inclusive. */
  from: day,
  to: day,
  /** `none`: only events without a person. */
  people: z.enum(["none"]).nullable().default(null),
});
export type TrustFilter = z.infer<typeof trustFilterSchema>;

export const NO_FILTER: TrustFilter = trustFilterSchema.parse({});

/** Returns the range, ms since 1970; end exclusive. */
export const resolveTimes = (
  { within, from, to }: TrustFilter,
  nowMs: number,
): { readonly fromMs: number | null; readonly toMs: number | null } => {
  const starts = [within && nowMs - WITHIN_MS[within], from && Date.parse(from)].filter((at) => typeof at === "number");

  return { fromMs: starts.length === 0 ? null : Math.max(...starts), toMs: to === null ? null : Date.parse(to) + DAY_MS };
};

export const filterQuery = ({ types, ...rest }: TrustFilter): string => {
  const given = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== "");

  return new URLSearchParams([...(types.length === 0 ? [] : [["type", types.join(",")]]), ...given]).toString();
};

const KEYS = ["who", "node", "path", "run", "within", "from", "to", "people"] as const;

/** Parses a filter; null: invalid. */
export const filterOfQuery = (query: URLSearchParams): TrustFilter | null => {
  const given = KEYS.flatMap((key): [string, string][] => {
    const value = query.get(key);

    return value === null || value === "" ? [] : [[key, value]];
  });
  const types = (query.get("type") ?? "").split(",").filter((type) => type !== "");

  return trustFilterSchema.safeParse({ ...Object.fromEntries(given), types }).data ?? null;
};

export type NamedQuery = { readonly name: string; readonly filter: TrustFilter };

const DENIED = ["access_denied", "opening_denied", "token_refused"] as const satisfies readonly TrustType[];

export const BUILT_IN: readonly NamedQuery[] = [
  { name: "Promotions without a person", filter: { ...NO_FILTER, types: ["promotion"], people: "none" } },
  { name: "Denied in the last 24 h", filter: { ...NO_FILTER, types: [...DENIED], within: "day" } },
  { name: "Everything a token tried", filter: { ...NO_FILTER, who: "token:" } },
  { name: "Openings", filter: { ...NO_FILTER, types: ["opening", "opening_denied"] } },
  { name: "Declassifications", filter: { ...NO_FILTER, types: ["declassification"] } },
];
