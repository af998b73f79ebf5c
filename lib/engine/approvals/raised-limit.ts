import { z } from "zod";
import { count } from "@/lib/format";
import { ownMember, type Json } from "@/lib/json";

export const raiseSchema = z.strictObject({
  measure: z.enum(["tokens", "cost"]),
  /** Tokens or micro-USD. */
  from: z.number().int().min(0),
  to: z.number().int().min(0),
});
export type Raise = z.infer<typeof raiseSchema>;

export const parseRaise = (pending: Json | undefined): Raise | null => raiseSchema.safeParse(ownMember(pending, "raise")).data ?? null;

export const LIMIT_NAMES = { tokens: "Token limit", cost: "Cost limit" } as const satisfies Record<Raise["measure"], string>;

const formatDollars = (microUsd: number): string =>
  `$${(microUsd / 1_000_000).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;

/** Exact, since people approve it. */
export const describeLimit = (measure: Raise["measure"], limit: number): string =>
  measure === "tokens" ? `${count(limit)} ${limit === 1 ? "token" : "tokens"}` : formatDollars(limit);
