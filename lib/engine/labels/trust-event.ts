import { z } from "zod";
import { toCanonicalJson, type JsonObject } from "@/lib/json";

export const TRUST_TYPES = [
  "taint_assigned",
  "reviewed_assigned",
  "access_denied",
  "token_refused",
  "refused",
  "token_step",
  "decision",
  "case_opened",
  "verdict",
  "case_closed",
  "judged",
  "promotion",
  "declassification",
  "opening",
  "opening_denied",
  "shred",
] as const;
export const trustTypeSchema = z.enum(TRUST_TYPES);
export type TrustType = z.infer<typeof trustTypeSchema>;

export type TrustEvent = {
  readonly type: TrustType;
  readonly run: string;
  readonly seq: number;
  readonly index: number;
  /** ms since 1970 */
  readonly at: number;
  /** `user:<id>`, `agent:<id>`, `node:<id>`, `token:<id>`, `trigger:<id>` or `engine`. */
  readonly principal: string;
  readonly node: string | null;
  readonly path: string | null;
  readonly detail: JsonObject;
};

/** Canonical: equal texts are equal events. */
export const describeTrustEvent = (event: TrustEvent): string => toCanonicalJson(event);
