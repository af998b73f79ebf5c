import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { rotateBatch, waitsUnderOlder } from "@/server/runner/rotation";
import { openSecret, sealSecret } from "@/server/security/secrets";
import { createVault } from "@/server/security/vault";
import { startRotation } from "@/server/store/ledger/cells-rotation";
import { readSecret, sealedSecret } from "@/server/store/ledger/secrets";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const [first, second] = ["a".repeat(64), "b".repeat(64)];
const [old, both, newest] = [createVault(first), createVault(`1 ${first}\n2 ${second}\n`), createVault(`2 ${second}\n`)];

it("vault key rotation reseals the secrets of every workspace, so that the old key opens none", async () => {
  const workspaces = await Promise.all([testWorkspace(urls.admin), testWorkspace(urls.admin)]);
  for (const workspace of workspaces) {
    await asAdmin(urls.admin, "insert into secret (workspace_id, name, sealed, created_by) values ($1, 'key', $2, $3)", [
      workspace,
      Buffer.from(sealSecret(old, workspace, "key", `value of ${workspace}`)),
      randomUUID(),
    ]);
  }
  await startRotation(2);
  expect(await waitsUnderOlder(both, 2)).toBe(true);
  let step = await rotateBatch(both);
  for (let turn = 0; step === "more" && turn < 20; turn += 1) step = await rotateBatch(both);
  expect(step).toBe("done");
  for (const workspace of workspaces) {
    const sealed = (await sealedSecret(workspace, "key"))?.sealed ?? new Uint8Array();
    expect(openSecret(old, workspace, "key", sealed)).toBeNull();
    expect(await readSecret(newest, workspace, "key")).toBe(`value of ${workspace}`);
  }
  expect(await waitsUnderOlder(newest, 2)).toBe(false);
});
