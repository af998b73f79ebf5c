import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failurePolicySchema } from "@/lib/graph/document";
import { field, FIELDS, listFields, listVariants, withBounds } from "@/lib/graph/field";
import { NODE_KINDS, type NodeKind } from "@/lib/graph/kinds";

/** The tool node's form is hand-written; so is the subgraph's. */
const UNLABELLED = new Set(["tool.server", "tool.tool"]);

const listUnlabelled = (object: z.ZodObject, above: string): string[] => {
  const labelled = listFields(object);
  const names = new Set(labelled.map(({ name }) => name));
  const missing = Object.entries(object.shape).flatMap(([name, schema]) =>
    names.has(name) || schema instanceof z.ZodLiteral ? [] : [`${above}.${name}`],
  );

  return [
    ...missing,
    ...labelled.flatMap(({ name, inner }) => {
      if (inner instanceof z.ZodObject) return listUnlabelled(inner, `${above}.${name}`);
      if (inner instanceof z.ZodUnion) return listVariants(inner).flatMap((variant) => listUnlabelled(variant, `${above}.${name}`));

      return [];
    }),
  ];
};

type Choice = { readonly name: string; readonly values: readonly string[]; readonly labelled: readonly string[] };

const listChoices = (object: z.ZodObject): readonly Choice[] =>
  listFields(object).flatMap(({ name, inner, meta }): readonly Choice[] => {
    if (inner instanceof z.ZodObject) return listChoices(inner);
    if (!(inner instanceof z.ZodEnum) || !meta.choices) return [];

    return [{ name, values: inner.options.map(String).toSorted(), labelled: Object.keys(meta.choices).toSorted() }];
  });

const kinds = (Object.keys(NODE_KINDS) as NodeKind[]).filter((kind) => kind !== "subgraph");

test.each(kinds)("every field of %s has a label", (kind) => {
  expect(listUnlabelled(NODE_KINDS[kind].config, kind).filter((name) => !UNLABELLED.has(name))).toEqual([]);
});

test.each([...kinds.map((kind) => NODE_KINDS[kind].config), failurePolicySchema])("each choice has a label", (object) => {
  expect(listChoices(object).filter(({ values, labelled }) => values.join() !== labelled.join())).toEqual([]);
});

describe("a labelled field", () => {
  const one = field(z.number().optional(), { title: "One" });
  const other = field(one, { title: "Other" });

  test("keeps its own label when a copy gets another", () => {
    expect([FIELDS.get(one)?.title, FIELDS.get(other)?.title]).toEqual(["One", "Other"]);
  });

  test("is listed without what makes it optional", () => {
    const [listed] = listFields(z.strictObject({ one, unlabelled: z.string() }));
    expect(listed).toMatchObject({ name: "one", isOptional: true, meta: { title: "One" } });
    expect(listed?.inner).toBeInstanceOf(z.ZodNumber);
  });
});

describe("a bound that depends on another field", () => {
  const object = withBounds(
    z.strictObject({
      size: z.number(),
      kept: field(z.number(), { title: "Kept", when: ({ size }) => Number(size) > 0, atMost: ({ size }) => Number(size) - 1 }),
    }),
  );

  test("refuses a larger number and says where", () => {
    expect(object.safeParse({ size: 3, kept: 2 }).success).toBe(true);
    expect(object.safeParse({ size: 3, kept: 3 }).error?.issues).toMatchObject([{ path: ["kept"], message: "must be at most 2" }]);
  });

  test("does not hold while the field is hidden", () => {
    expect(object.safeParse({ size: 0, kept: 3 }).success).toBe(true);
  });
});

test("a fitness has no upper bound, since an expression may return any number", () => {
  const node = { candidate_id: "a", fitness: { expression: "item.score" }, fitness_threshold: 5_000_000 };
  expect(NODE_KINDS.evolution.config.parse(node).fitness_threshold).toBe(5_000_000);
});
