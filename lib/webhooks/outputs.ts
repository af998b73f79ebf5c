import { z } from "zod";
import { findCellsAt, toMemory, type RunState } from "@/lib/engine/state";
import type { Principal } from "@/lib/engine/principal";
import { findWithheld, NOTHING_SEALED } from "@/lib/engine/labels/reading";
import { classificationSchema, integritySchema, joinLabels } from "@/lib/graph/label";
import { getValueAt, parsePath, pathSchema } from "@/lib/graph/path";
import { digestOf, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { jsonSchema, toCanonicalJson } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";

const MOST_OUTPUTS = 20;
const MOST_CHARACTERS = 65_536;

/** Secrets never leave. */
export const outputClearanceSchema = classificationSchema.exclude(["secret"]);

export const outputsGrantSchema = z.strictObject({
  /** The grant ends when the endpoint's address changes. */
  url: z.url().max(2_000),
  outputs: z.array(pathSchema).max(MOST_OUTPUTS),
  clearance: outputClearanceSchema,
});
export type OutputsGrant = z.infer<typeof outputsGrantSchema>;

export const outputsCommandSchema = z.strictObject({ kind: z.literal("webhook_outputs"), endpoint: uuidSchema, grant: outputsGrantSchema });
export type OutputsCommand = z.infer<typeof outputsCommandSchema>;

/** Null: nothing is granted. */
export const digestGrant = ({ url, outputs, clearance }: OutputsGrant): HexDigest | null =>
  outputs.length === 0 ? null : digestOf("settings", { url, outputs: [...outputs], clearance });

/** @param url the endpoint's address; null: there is no such endpoint */
export const findGrantObjection = (by: Principal | null, { grant }: OutputsCommand, url: string | null): RefusalCode | null => {
  if (by?.type !== "user" || !isAllowed(by.role, "webhook.manage")) return "principal_not_allowed";

  return url === grant.url ? null : "step_refused";
};

const shownSchema = z.strictObject({ value: jsonSchema, integrity: integritySchema, confidentiality: classificationSchema });

export const sentOutputsSchema = z.strictObject({
  outputs: z.record(z.string(), shownSchema),
  /** Not admitted, shredded, or too large. */
  withheld: z.array(pathSchema).max(MOST_OUTPUTS),
});
export type SentOutputs = z.infer<typeof sentOutputsSchema>;

export const pickOutputs = ({ cells }: Pick<RunState, "cells">, { outputs, clearance }: OutputsGrant): SentOutputs => {
  const memory = toMemory(cells);
  const shown: Record<string, z.infer<typeof shownSchema>> = {};
  const withheld: string[] = [];
  let characters = 0;
  for (const path of outputs) {
    const from = findCellsAt(cells, path);
    const isKnown = from.every(({ content }) => content.known);
    const value = getValueAt(memory, parsePath(path) ?? []);
    if (isKnown && value === undefined) continue;
    const label = joinLabels(from.map((cell) => cell.label));
    const size = value === undefined ? 0 : toCanonicalJson(value).length;
    if (
      !isKnown ||
      value === undefined ||
      findWithheld({ clearance, sealed: NOTHING_SEALED }, { label, from }) ||
      characters + size > MOST_CHARACTERS
    ) {
      withheld.push(path);
      continue;
    }
    characters += size;
    shown[path] = { value, integrity: label.integrity, confidentiality: label.confidentiality };
  }

  return { outputs: shown, withheld };
};
