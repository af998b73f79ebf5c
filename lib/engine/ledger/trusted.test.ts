import { beforeAll, expect, it } from "vitest";
import { recognise, verifyGiven } from "@/lib/engine/verify/offline";
import { anchoredKey, anchorOfKeys, handoverBetween } from "@/lib/engine/testing/anchor";
import { chainOf, exportOf, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate } from "@/lib/engine/testing/run";
import { getKeys, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { resolveTrusted } from "@/lib/engine/ledger/trusted";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";

let old: TestKey;
let next: TestKey;
let ledger: LedgerExport;
let anchor: TrustAnchor;
let end: number;

beforeAll(async () => {
  [old, next] = [await anchoredKey(), await anchoredKey()];
  const run = atGate();
  const records = run.records().map(({ record }) => record);
  ledger = exportOf(run, await chainOf(records, old));
  end = Math.max(...records.map(({ at }) => at));
  anchor = await anchorOfKeys(old);
});

const verify = async (document: LedgerExport, trusts: Parameters<typeof resolveTrusted>[0]) => {
  const trusted = await resolveTrusted(trusts, { keys: getKeys(anchor), handovers: document.handovers ?? [] });

  return verifyLedger({ ...document, handovers: [...trusted.handovers, ...(document.handovers ?? [])] }, trusted.keys);
};

it("extends an older anchor by a document's hand-overs that both keys signed", async () => {
  const handover = await handoverBetween(old, next, end);
  const signed = exportOf(
    atGate(),
    await chainOf(
      atGate()
        .records()
        .map(({ record }) => record),
      next,
    ),
  );
  expect(await verify({ ...signed, handovers: [handover] }, { keys: null, anchor })).toMatchObject({ ok: true });
  const { countersignature: _, ...bare } = handover;
  expect(await verify({ ...signed, handovers: [bare] }, { keys: null, anchor })).toMatchObject({ ok: false, reason: "unknown_key" });
});

it("applies a retirement that the document omits", async () => {
  const later = await anchorOfKeys(old, next);
  const retired = { ...later, handovers: [await handoverBetween(old, next, 1_000)] };
  expect(await verify(ledger, { keys: getKeys(retired), anchor: null })).toMatchObject({ ok: true });
  expect(await verify(ledger, { keys: null, anchor: retired })).toMatchObject({ ok: false, reason: "retired_key" });
});

it("yields no keys for an invalid anchor", async () => {
  const thief = await anchoredKey();
  const planted = { ...anchor, keys: [...anchor.keys, { kid: thief.kid, public_key: thief.public, since: 0 }] };
  expect((await resolveTrusted({ keys: null, anchor: planted }, { keys: {}, handovers: [] })).keys).toEqual({});
});

it("accepts an anchor file in the offline verifier", async () => {
  expect(recognise(JSON.stringify(anchor))).toEqual({ type: "anchor", anchor });
  const document = {
    format: "countersign/export/v1",
    ledger: { ...ledger, records: [...ledger.records], cells: [...ledger.cells] },
    public_keys: getKeys(anchor),
    published: {},
    signature: null,
  };
  const given = recognise(JSON.stringify(document));
  if (given.type !== "run") throw new Error(JSON.stringify(given));
  const report = await verifyGiven(given, { keys: null, anchor: await anchorOfKeys(next), kept: [] }, () => undefined);
  expect(report).toMatchObject({ ok: false, reason: "unknown_key" });
});
