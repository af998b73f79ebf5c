/** Digest of validation rules; exposes pages older than the server. */
import { z } from "zod";
import { graphSchema } from "@/lib/graph/document";
import { PROBLEMS } from "@/lib/graph/problems/problem";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";

/** Raise when rules or the engine change under the same codes. */
const RULES = 3;

export const bundleOf = (): Json => ({
  rules: RULES,
  // Refinements have no JSON Schema form; `rules` stands for them.
  document: JSON.parse(JSON.stringify(z.toJSONSchema(graphSchema, { io: "input", unrepresentable: "any" }))) as Json,
  problems: PROBLEMS,
});

let known: HexDigest | null = null;

export const bundleDigest = (): HexDigest => {
  known ??= digestOf("validator", bundleOf());

  return known;
};
