import { describe, expect, test } from "vitest";
import { toCanonicalJson } from "@/lib/json";
import { recordDigest } from "@/lib/engine/ledger/chain";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { findSharedPrefix } from "@/lib/engine/ledger/shared-prefix";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { forkOf, wholeOf } from "@/lib/engine/testing/fork";
import { atGate } from "@/lib/engine/testing/run";

const storedOf = (records: readonly LedgerRecord[]): StoredRecord[] =>
  records.map((record) => ({ seq: record.seq, body: toCanonicalJson(record), digest: recordDigest(record), kid: "k", signature: "s" }));

const parent = atGate();
const fork = forkOf(parent, 3, { type: "none" });
const ofParent = storedOf(parent.records().map(({ record }) => record));
const ofFork = storedOf(
  wholeOf(parent, fork)
    .records()
    .map(({ record }) => record),
);

describe("the common prefix", () => {
  test("covers all records before the fork's first one, with the digest of the last", () => {
    expect(findSharedPrefix(ofParent, ofFork)).toEqual({ identical: 3, digest: ofParent[2]?.digest, differs: "other" });
    expect(findSharedPrefix(ofParent, ofParent)).toEqual({ identical: ofParent.length, digest: ofParent.at(-1)?.digest, differs: "end" });
  });

  test("ends where either ledger has a record with a wrong digest", () => {
    const changed = (records: readonly StoredRecord[], seq: number): StoredRecord[] =>
      records.map((stored) => (stored.seq === seq ? { ...stored, body: stored.body.replace('"at":', '"at":1') } : stored));

    expect(findSharedPrefix(changed(ofParent, 1), ofFork)).toMatchObject({ identical: 1, differs: "broken" });
    expect(findSharedPrefix(ofParent, changed(ofFork, 1))).toMatchObject({ identical: 1, differs: "broken" });
    expect(findSharedPrefix(changed(ofParent, 1), changed(ofFork, 1))).toMatchObject({ identical: 1, differs: "broken" });
  });
});
