/** Which rows of the trust log somebody looks at: one form for the page's address, the procedure and the export. */
import { z } from "zod";
import { trustTypeSchema, type TrustType } from "@/lib/engine/labels/trust-event";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const WITHIN_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
export const WITHIN = ["hour", "day", "week", "month"] as const satisfies readonly (keyof typeof WITHIN_MS)[];

/** Postgres has no NUL. */
const text = z
  .string()
  .max(200)
  .regex(/^[^\0]*$/)
  .default("");
const day = z.iso.date().nullable().default(null);

export const trustFilterSchema = z.strictObject({
  /** Empty: all of them. */
  types: z.array(trustTypeSchema).max(20).default([]),
  /** Part of a principal, or of the name of a person. */
  who: text,
  node: text,
  path: text,
  /** The beginning of a run's id. */
  run: text,
  within: z.enum(WITHIN).nullable().default(null),
  /** Whole days in UTC, both included. */
  from: day,
  to: day,
  /** `none`: only what says that no person took part. */
  people: z.enum(["none"]).nullable().default(null),
});
export type TrustFilter = z.infer<typeof trustFilterSchema>;

/** Of everything. */
export const NO_FILTER: TrustFilter = trustFilterSchema.parse({});

/** The latest beginning and the earliest end that the filter asks for, ms since 1970; the end is not included. */
export const timesOf = (
  { within, from, to }: TrustFilter,
  nowMs: number,
): { readonly fromMs: number | null; readonly toMs: number | null } => {
  const starts = [within && nowMs - WITHIN_MS[within], from && Date.parse(from)].filter((at) => typeof at === "number");

  return { fromMs: starts.length === 0 ? null : Math.max(...starts), toMs: to === null ? null : Date.parse(to) + DAY_MS };
};

/** As the part of an address after the question mark; what is not asked for is left out. */
export const filterQuery = ({ types, ...rest }: TrustFilter): string => {
  const given = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== "");

  return new URLSearchParams([...(types.length === 0 ? [] : [["type", types.join(",")]]), ...given]).toString();
};

const KEYS = ["who", "node", "path", "run", "within", "from", "to", "people"] as const;

/** @returns null when a parameter has a value that no filter has */
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

/** The looks that everybody has. */
export const BUILT_IN: readonly NamedQuery[] = [
  { name: "Promotions without a person", filter: { ...NO_FILTER, types: ["promotion"], people: "none" } },
  { name: "Denied in the last 24 h", filter: { ...NO_FILTER, types: [...DENIED], within: "day" } },
  { name: "Everything a token tried", filter: { ...NO_FILTER, who: "token:" } },
  { name: "Openings", filter: { ...NO_FILTER, types: ["opening", "opening_denied"] } },
  { name: "Declassifications", filter: { ...NO_FILTER, types: ["declassification"] } },
];
