/**
 * Validator parity: one name for the rules that a draft is looked at by. A page that was loaded before the server changed has
 * other rules than the server; by this name it notices, instead of promising what the server then refuses.
 */
import { z } from "zod";
import { graphSchema } from "@/lib/graph/document";
import { PROBLEMS } from "@/lib/graph/problems/problem";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";

/** To be raised when a rule finds something else than before, or the engine runs documents differently, under the same codes. */
const RULES = 3;

/** What the digest is over: the schema of the document with every kind of node, and every code that the validator knows. */
export const bundleOf = (): Json => ({
  rules: RULES,
  // What a refinement demands has no form in JSON Schema; `rules` stands for it.
  document: JSON.parse(JSON.stringify(z.toJSONSchema(graphSchema, { io: "input", unrepresentable: "any" }))) as Json,
  problems: PROBLEMS,
});

let known: HexDigest | null = null;

/** Computed once; the same in every browser and on the server. */
export const bundleDigest = (): HexDigest => {
  known ??= digestOf("validator", bundleOf());

  return known;
};
