import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLASSIFICATIONS, CLEAN, INTEGRITIES, joinLabels, labelSchema, meetsIntegrity, type Label } from "@/lib/graph/label";

const label: fc.Arbitrary<Label> = fc.record({
  integrity: fc.constantFrom(...INTEGRITIES),
  confidentiality: fc.constantFrom(...CLASSIFICATIONS),
  provenance: fc
    .uniqueArray(fc.constantFrom("graph", "user:1", "mcp:docs/read", "model:m"), { maxLength: 4 })
    .map((sources) => sources.toSorted()),
});

describe("joining labels", () => {
  it("is commutative, associative and idempotent, with the clean label as identity", () => {
    fc.assert(
      fc.property(label, label, label, (a, b, c) => {
        expect(joinLabels([a, b])).toEqual(joinLabels([b, a]));
        expect(joinLabels([a, joinLabels([b, c])])).toEqual(joinLabels([joinLabels([a, b]), c]));
        expect(joinLabels([a, a])).toEqual(a);
        expect(joinLabels([CLEAN, a])).toEqual(a);
        expect(joinLabels([])).toEqual(CLEAN);
      }),
    );
  });

  it("only ever lowers trust, raises confidentiality and adds sources", () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1 }), (labels) => {
        const joined = joinLabels(labels);
        for (const { integrity, confidentiality, provenance } of labels) {
          expect(INTEGRITIES.indexOf(joined.integrity)).toBeLessThanOrEqual(INTEGRITIES.indexOf(integrity));
          expect(CLASSIFICATIONS.indexOf(joined.confidentiality)).toBeGreaterThanOrEqual(CLASSIFICATIONS.indexOf(confidentiality));
          expect(joined.provenance).toEqual(expect.arrayContaining([...provenance]));
        }
        expect(labelSchema.safeParse(joined).success).toBe(true);
      }),
    );
  });

  it("never lets anything meet more than the least trusted part does", () => {
    fc.assert(
      fc.property(label, label, fc.constantFrom(...INTEGRITIES), (a, b, minimum) => {
        expect(meetsIntegrity(joinLabels([a, b]), minimum)).toBe(meetsIntegrity(a, minimum) && meetsIntegrity(b, minimum));
      }),
    );
  });
});

describe("a label", () => {
  it.each([{ integrity: "pristine" }, { confidentiality: "open" }, { provenance: "graph" }, { cleared: true }])(
    "with %j is none",
    (change) => {
      expect(labelSchema.safeParse({ ...CLEAN, ...change }).success).toBe(false);
    },
  );
});
