import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exportSchema, type RunExport } from "@/lib/engine/ledger/export";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, type Desk } from "@/server/runner/testing/desk";
import { atApproval, publishDemanding, registerAllowed } from "@/server/runner/testing/passkeys";
import { ask } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { countersign, fileIn } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
let desk: Desk;
let authenticator: Authenticator;
let document: RunExport;

const verify = async (content: unknown): Promise<Record<string, unknown>> => {
  const { code, stdout } = await countersign(["verify", fileIn(home, "export.json", JSON.stringify(content))], { COUNTERSIGN_HOME: home });

  return { code, ...(JSON.parse(stdout) as object) };
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, "keys", "signing.key"), desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  authenticator = await createAuthenticator("es256");
  await registerAllowed(desk, authenticator);
  const { run, signedBy } = await atApproval(desk, await publishDemanding(desk));
  await ask(desk, run, desk.people.reviewer, await signedBy(authenticator));
  const { stdout } = await countersign(["export", run], { COUNTERSIGN_HOME: home });
  document = exportSchema.parse(JSON.parse(stdout));
}, 120_000);
afterAll(() => desk.mcp.close());

test("names the approval's signer and their registered passkey offline", async () => {
  const { credential_id, rp_id } = authenticator.passkey;
  const verified = await verify(document);
  expect(verified).toMatchObject({ code: 0, ok: true, passkeys: [{ user: desk.people.reviewer, credential_id, rp_id, registered: true }] });
  expect(JSON.stringify(verified["not_proved"])).not.toContain("who owns the passkeys");
});

test("names credential and person without registration records, and says that ownership is not proved", async () => {
  const { passkeys: _left, ...ledger } = document.ledger;
  const verified = await verify({ ...document, signature: null, ledger });
  expect(verified).toMatchObject({ code: 0, passkeys: [{ user: desk.people.reviewer, registered: false }] });
  expect(JSON.stringify(verified["not_proved"])).toContain("who owns the passkeys");
});

test("detects a changed byte of the passkey-signed data at its record", async () => {
  const seq = document.ledger.records.findIndex(({ body }) => body.includes('"passkey":{'));
  const records = document.ledger.records.map((record) =>
    record.seq === seq ? { ...record, body: record.body.replace(/"client_data_json":"e/, '"client_data_json":"f') } : record,
  );
  expect(await verify({ ...document, ledger: { ...document.ledger, records } })).toMatchObject({ code: 1, ok: false, seq });
});
