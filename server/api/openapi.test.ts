import { expect, test } from "vitest";
import { isJsonObject, type Json } from "@/lib/json";
import { buildOpenApi } from "./openapi";

const referencesIn = (value: Json): string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const { $ref, ...others } = value;

  return [...(typeof $ref === "string" ? [$ref] : []), ...Object.values(others).flatMap(referencesIn)];
};

test("every reference of the document leads to a part of it", () => {
  const document = buildOpenApi();
  const references = [...new Set(referencesIn(document))];
  const find = (reference: string) =>
    reference
      .split("/")
      .slice(1)
      .reduce<Json | undefined>((part, name) => (isJsonObject(part) ? part[name] : undefined), document);
  expect(references).toContain("#/components/schemas/Json");
  expect(references.filter((reference) => find(reference) === undefined)).toEqual([]);
});
