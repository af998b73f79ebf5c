import { describe, expect, test } from "vitest";
import { getArtifactSource, listArtifacts, listReferences, toArtifactName, withArtifacts, type Artifact } from "@/lib/artifact";
import { expandArtifacts } from "@/lib/graph/artifact-schema";
import { matchesSchema } from "@/lib/graph/json-schema";
import { createSourceLabel } from "@/lib/graph/label";

const FILE: Artifact = {
  $artifact: "a".repeat(64),
  id: "00000000-0000-4000-8000-000000000001",
  mediaType: "image/png",
  size: 12,
  name: "invoice.png",
};
const OWN = createSourceLabel("trusted", "internal", "user:1");

describe("a reference", () => {
  test("is found at any depth, and nothing inside it", () => {
    expect(listReferences({ a: [{ b: FILE }], c: FILE })).toEqual([FILE, FILE]);
    expect(listReferences(["text", 1, null])).toEqual([]);
  });

  test.each([
    ["a member more", { ...FILE, url: "https://x" }],
    ["a digest of another form", { ...FILE, $artifact: "A".repeat(64) }],
    ["a path", { ...FILE, name: "../etc/passwd" }],
    ["an invisible character", { ...FILE, name: "invoice\u202egnp.exe" }],
    ["a media type with parameters", { ...FILE, mediaType: "text/html; charset=utf-8" }],
  ])("with %s is malformed", (_, value) => {
    expect(listReferences(value)).toEqual([null]);
  });

  test("counts only under a label that names exactly it", () => {
    const label = withArtifacts(OWN, [FILE]);
    expect(listArtifacts({ file: FILE }, label)).toEqual([FILE]);
    expect(listArtifacts({ file: FILE }, OWN)).toEqual([]);
    for (const change of [
      { name: "other.png" },
      { mediaType: "text/plain" },
      { size: 13 },
      { $artifact: "b".repeat(64) },
      { id: "00000000-0000-4000-8000-000000000002" },
    ]) {
      expect(listArtifacts({ ...FILE, ...change }, label)).toEqual([]);
    }
  });

  test("has a source that no other kind of source can imitate", () => {
    expect(getArtifactSource(FILE)).toMatch(/^file:[0-9a-f]{64}$/u);
  });
});

test.each([
  ["C:\\temp\\scan.pdf", "scan.pdf"],
  ["../../etc/passwd", "passwd"],
  ["in\u200bvoice\u202e.png", "invoice.png"],
  ["..", "file"],
  ["", "file"],
  ["\ud800", "\ufffd"],
  ["x".repeat(500), "x".repeat(120)],
])("names %j as %j", (given, name) => {
  expect(toArtifactName(given)).toBe(name);
});

describe("the format `artifact`", () => {
  const schema = { type: "object", properties: { scan: { format: "artifact", "x-media-types": ["image/*", "application/pdf"] } } };

  test("takes references of the allowed media types only", () => {
    expect(matchesSchema(schema, { scan: FILE }, true)).toBe(true);
    expect(matchesSchema(schema, { scan: { ...FILE, mediaType: "application/pdf" } }, true)).toBe(true);
    expect(matchesSchema(schema, { scan: { ...FILE, mediaType: "text/html" } }, true)).toBe(false);
    expect(matchesSchema(schema, { scan: "a.png" }, true)).toBe(false);
    expect(matchesSchema(schema, { scan: { ...FILE, more: 1 } }, true)).toBe(false);
  });

  test("takes any media type if none is listed", () => {
    expect(matchesSchema({ format: "artifact" }, { ...FILE, mediaType: "text/csv" }, true)).toBe(true);
  });

  test("is written out for models, inside other schemas too", () => {
    expect(expandArtifacts({ type: "array", items: { format: "artifact", title: "Scan" } })).toMatchObject({
      items: { title: "Scan", type: "object", required: ["$artifact", "id", "mediaType", "size", "name"], additionalProperties: false },
    });
  });
});
