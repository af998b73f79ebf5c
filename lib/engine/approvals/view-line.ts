import type { ShownValue, ViewLine } from "@/lib/engine/approvals/approval-view";
import type { Origin } from "@/lib/engine/approvals/argument-origins";
import { listTexts, type Texts } from "@/lib/engine/approvals/argument-format";
import { findWithheld, type Reader, type Withheld } from "@/lib/engine/labels/reading";
import type { Json } from "@/lib/json";
import { isSameValue } from "@/lib/leaves";

/** Value with its texts. */
export const withTexts = (value: Json, texts: Texts): ShownValue => ({
  hidden: false,
  value,
  ...(Object.keys(texts).length === 0 ? {} : { texts }),
});

/** Value as far as the reader may see it. */
export const shown = (value: Json | undefined, withheld: Withheld | null, schema?: Json): ShownValue | null => {
  if (value === undefined) return null;
  if (withheld === null) return withTexts(value, listTexts(schema, value));

  return withheld === "review" ? { hidden: true, why: "review" } : { hidden: true };
};

/** @param schema of the value */
export const buildLine = (
  path: string,
  op: ViewLine["op"],
  { label, from }: Origin,
  reader: Reader,
  before: Json | undefined,
  after: Json | undefined,
  schema?: Json,
): ViewLine => {
  const withheld = findWithheld(reader, { label, from });

  return {
    path,
    op,
    before: shown(before, withheld, schema),
    after: shown(after, withheld, schema),
    // Hides changes of hidden values, which proposers could otherwise guess.
    changed: (op === "call" || op === "set") && (withheld !== null || !isSameValue(before, after)),
    integrity: label.integrity,
    confidentiality: label.confidentiality,
    provenance: [...label.provenance],
  };
};
