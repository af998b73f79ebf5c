import { beforeAll, expect, test } from "vitest";
import { toCanonicalJson } from "@/lib/json";
import { chainOf, newKey, storedOf } from "@/lib/engine/testing/ledger";
import { atGate } from "@/lib/engine/testing/run";
import { parseRecord, readRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";

let stored: StoredRecord;

beforeAll(async () => {
  const [first] = await chainOf(
    atGate()
      .records()
      .map(({ record }) => record),
    await newKey("k1"),
  );
  if (!first) throw new Error("there is no record");
  stored = storedOf(first);
});

/** Model names may be any text. */
const withText = (json: string): StoredRecord => ({ ...stored, body: stored.body.replace(/"node":(?:null|"[^"]*")/u, `"node":${json}`) });

test("reads a plain record as written", () => {
  expect(toCanonicalJson(parseRecord(stored)?.record ?? null)).toBe(stored.body);
  expect(parseRecord(withText('"constructor_of_things"'))?.record.node).toBe("constructor_of_things");
  expect(parseRecord(withText('"\\u0061"'))?.record.node).toBe("a");
});

test("rejects lone surrogates in any spelling, and prototype names", () => {
  const member = (name: string) => ({ ...stored, body: stored.body.replace('"control":[', `"control":[{"type":"none","${name}":1},`) });

  expect(parseRecord({ ...stored, kid: "k\ud800" })).toBeNull();
  const texts = ['"\\ud800"', '"\\uD800"', '"\ud800"'];
  expect(texts.filter((text) => parseRecord(withText(text)) !== null)).toEqual([]);
  const names = ["__proto__", "\\u005f_proto__", "toJSON"];
  expect(names.filter((name) => parseRecord(member(name)) !== null)).toEqual([]);
});

test("returns the cached record until a column of its object changes", () => {
  const own = { ...stored };
  const first = readRecord(own);
  expect(readRecord(own)).toBe(first);

  const changes: readonly Partial<StoredRecord>[] = [{ body: `${stored.body} ` }, { digest: "0".repeat(64) }];
  for (const change of changes) expect(readRecord(Object.assign(own, stored, change))).toBe("hash");
  expect(readRecord(Object.assign(own, stored, { body: "{" }))).toBe("malformed");
  expect(readRecord(Object.assign(own, stored, { kid: "another" }))).toMatchObject({ kid: "another" });
});
