/** Not in lib, which may not read files. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";

const VECTORS = path.resolve(import.meta.dirname, "../../lib/testing/vectors/jcs");
const text = (...parts: string[]) => readFileSync(path.join(VECTORS, ...parts), "utf8");

describe("canonical JSON", () => {
  it.each(readdirSync(path.join(VECTORS, "input")))("is RFC 8785 byte for byte: %s", (file) => {
    const expected = text("outhex", file.replace(".json", ".txt")).replaceAll(/\s/g, "");
    expect(Buffer.from(toCanonicalJson(JSON.parse(text("input", file)) as Json)).toString("hex")).toBe(expected);
  });
});
