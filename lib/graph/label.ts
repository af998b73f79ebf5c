/** Labels of cells: integrity, confidentiality and provenance. */
import { z } from "zod";

export const INTEGRITIES = ["untrusted", "reviewed", "trusted"] as const;
export const integritySchema = z.enum(INTEGRITIES);
export type Integrity = z.infer<typeof integritySchema>;

export const CLASSIFICATIONS = ["public", "internal", "pii", "secret"] as const;
export const classificationSchema = z.enum(CLASSIFICATIONS);
export type Classification = z.infer<typeof classificationSchema>;

export const labelSchema = z.strictObject({
  integrity: integritySchema,
  confidentiality: classificationSchema,
  /** Sources, sorted, each once: `user:<id>`, `mcp:<server>/<tool>`, `model:<id>`, `trigger:<id>/<event>`, `wait:<node>/<id>`, `graph`. Never shortened by an overwrite. */
  provenance: z.array(z.string().max(300)).max(20_000),
});
export type Label = z.infer<typeof labelSchema>;

/** Neutral element of `joinLabels`. */
export const CLEAN: Label = { confidentiality: "public", integrity: "trusted", provenance: [] };

export const createSourceLabel = (integrity: Integrity, confidentiality: Classification, from: string): Label => ({
  confidentiality,
  integrity,
  provenance: [from],
});

const lower = (a: Integrity, b: Integrity) => (INTEGRITIES.indexOf(a) <= INTEGRITIES.indexOf(b) ? a : b);
export const joinClasses = (a: Classification, b: Classification) => (CLASSIFICATIONS.indexOf(a) >= CLASSIFICATIONS.indexOf(b) ? a : b);

const isSortedOnce = (sources: readonly string[]): boolean =>
  sources.every((source, index) => index === 0 || (sources[index - 1] ?? "") < source);

const joinSources = (labels: readonly Label[]): string[] => {
  const sources = labels.flatMap((label) => label.provenance);

  return isSortedOnce(sources) ? sources : [...new Set(sources)].toSorted();
};

/** Least integrity, most confidentiality, all sources. */
export const joinLabels = (labels: readonly Label[]): Label => ({
  confidentiality: labels.reduce((joined, label) => joinClasses(joined, label.confidentiality), CLEAN.confidentiality),
  integrity: labels.reduce((joined, label) => lower(joined, label.integrity), CLEAN.integrity),
  provenance: joinSources(labels),
});

export const meetsIntegrity = (label: Label, minimum: Integrity): boolean =>
  INTEGRITIES.indexOf(label.integrity) >= INTEGRITIES.indexOf(minimum);
