import { afterAll, expect, test } from "vitest";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { LEDGER_TAMPER_KINDS, tamperLedger } from "@/lib/engine/verify/tamper-ledger";
import { testWorkspace } from "@/lib/engine/testing/workspace";
import { answerSignatures, createRemoteSignatures } from "./remote-signatures";

const { port1, port2 } = new MessageChannel();
answerSignatures(port2);
const verifyMany = createRemoteSignatures(port1);
afterAll(() => port1.close());

test("checks signatures over a port with the same results as locally, for all kinds of tampering", async () => {
  const { ledger, key } = await testWorkspace();
  const keys = { [key.kid]: key.public };
  const tampered = LEDGER_TAMPER_KINDS.map((kind) => tamperLedger(kind, ledger)?.document ?? ledger);
  const there = await Promise.all([ledger, ...tampered].map((document) => verifyLedger(document, keys, () => undefined, verifyMany)));

  expect(there).toEqual(await Promise.all([ledger, ...tampered].map((document) => verifyLedger(document, keys))));
  expect(there[0]).toMatchObject({ ok: true });
  expect(there).toContainEqual(expect.objectContaining({ reason: "signature" }));
});
