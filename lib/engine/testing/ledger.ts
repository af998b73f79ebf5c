import { hexToBytes } from "@noble/hashes/utils.js";
import { encodeReceipt, recordDigest } from "@/lib/engine/ledger/chain";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord, SignedRecord } from "@/lib/engine/ledger/record";
import { GENESIS_PARENT } from "@/lib/engine/state";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { LedgerExport } from "@/lib/engine/verify/verify";
import type { TestRun } from "@/lib/engine/testing/run";
import { toCanonicalJson } from "@/lib/json";

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export type TestKey = { readonly kid: string; readonly public: string; sign(bytes: Uint8Array): Promise<string> };

export const newKey = async (kid: string): Promise<TestKey> => {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);

  return {
    kid,
    public: base64Url(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))),
    sign: async (bytes) => base64Url(new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, Uint8Array.from(bytes)))),
  };
};

export const getKeys = (...keys: TestKey[]): PublicKeys => Object.fromEntries(keys.map((key) => [key.kid, key.public]));

const signedEvent = async (event: RunEvent, key: TestKey): Promise<RunEvent> => {
  if (event.type !== "gate_resolved" || !event.receipt) return event;
  const { payload } = event.receipt;

  return { ...event, receipt: { payload, kid: key.kid, signature: await key.sign(encodeReceipt(payload)) } };
};

export const chainOf = async (records: readonly LedgerRecord[], key: TestKey, after = GENESIS_PARENT): Promise<SignedRecord[]> => {
  const chain: SignedRecord[] = [];
  for (const record of records) {
    const control = await Promise.all(record.control.map((event) => signedEvent(event, key)));
    const linked = { ...record, control, parent: chain.at(-1)?.digest ?? after };
    const digest = recordDigest(linked);
    chain.push({ record: linked, digest, kid: key.kid, signature: await key.sign(hexToBytes(digest)) });
  }

  return chain;
};

export const storedOf = ({ record, digest, kid, signature }: SignedRecord) => ({
  seq: record.seq,
  body: toCanonicalJson(record),
  digest,
  kid,
  signature,
});

export const exportOf = (run: TestRun, chain: readonly SignedRecord[]): LedgerExport => ({
  workspace: run.state().workspace,
  run: run.state().run,
  records: chain.map(storedOf),
  cells: chain.flatMap(({ record }) =>
    record.writes.map((write, index) => ({
      seq: record.seq,
      index,
      path: write.path,
      label: write.label,
      commitment: write.commitment,
      opened: { salt: run.salts()[record.seq]?.[index] ?? "", value: run.values()[record.seq]?.[index] ?? null },
    })),
  ),
  head: { version: chain.length, digest: chain.at(-1)?.digest ?? GENESIS_PARENT },
});
