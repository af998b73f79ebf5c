import { beforeAll, expect, it } from "vitest";
import { chainOf, getKeys, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate } from "@/lib/engine/testing/run";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { verifyAhead, verifyUnseen } from "./visible-records";

let key: TestKey;
let records: readonly StoredRecord[];

beforeAll(async () => {
  key = await newKey("k1");
  const all = atGate()
    .records()
    .map(({ record }) => record);
  records = (await chainOf(all, key)).map(storedOf);
});

const ask = (changed: readonly StoredRecord[]) =>
  verifyUnseen(changed.map(({ digest, signature }) => ({ key: key.public, digest, signature })));

it("precomputed signatures are valid only for their digest and signature", async () => {
  await verifyAhead(records, getKeys(key));
  expect(await ask(records)).toEqual(records.map(() => true));

  const [first, second] = records;
  if (!first || !second) throw new Error("there are two records");
  const crossed = [
    { ...first, digest: second.digest },
    { ...first, signature: second.signature },
  ];
  expect(await ask(crossed)).toEqual([false, false]);
});

it("an unverifiable signature fails for its caller only", async () => {
  const [first, ...rest] = records;
  if (!first) throw new Error("there is a record");
  const odd = [
    { ...first, kid: "unknown" },
    { ...first, kid: "constructor" },
    { ...first, digest: "not a digest" },
    { ...first, signature: "!" },
  ];
  await verifyAhead([...odd, ...rest], getKeys(key));
  expect(await ask([...odd.slice(2), ...rest])).toEqual([false, false, ...rest.map(() => true)]);
});
