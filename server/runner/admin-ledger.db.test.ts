import { generateKeyPairSync, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { createAnchor } from "@/lib/engine/ledger/trust-anchor";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { digestOf } from "@/lib/hash";
import { systemClock } from "@/server/clock";
import { inTransaction, runInWorkspace } from "@/server/db/client";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { ENGINE, recordAdminStep } from "@/server/runner/admin-ledger";
import { loadSignerFromPem } from "@/server/security/keyring";
import { listPublicKeys, useTrustAnchor } from "@/server/security/trust-anchor";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const signer = loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());
const signing = { clock: systemClock, signer };
useTrustAnchor(createAnchor({ kid: signer.kid, public_key: signer.publicKey, since: 0 }));

const before = digestOf("settings", { agents: [] });
const after = digestOf("settings", { agents: ["planner"] });
const step = { by: ENGINE, area: "mcp", subject: "files", step: "agents", before, after } as const;

const recordsOf = async (workspace: string) => {
  const stored = await queryOn<StoredRecord>(
    urls.admin,
    "select seq, body, digest, kid, signature from ledger_record where workspace_id = $1 and run_id = $2 order by seq",
    [workspace, getWorkspaceLedgerId(workspace)],
  );
  const keys = await listPublicKeys();
  const genuine = await Promise.all(stored.map((record) => verifyRecord(record, keys)));

  return genuine.map((signed, index) => {
    expect(signed?.record).toMatchObject({ seq: index, ...(index === 0 ? {} : { parent: genuine[index - 1]?.digest }) });

    return signed?.record;
  });
};

describe("an admin's step", () => {
  test("becomes a signed record of the workspace's ledger, whichever client it came through", async () => {
    const workspace = await testWorkspace(urls.admin);
    const by = { type: "user", id: randomUUID(), role: "admin", auditor: false } as const;
    const commandId = randomUUID();
    expect(await recordAdminStep(signing, workspace, { ...step, by, commandId })).toMatchObject({ record: { seq: 0 } });
    expect(await inTransaction((tx) => recordAdminStep(signing, workspace, step, tx))).toMatchObject({ record: { seq: 1 } });
    expect(await runInWorkspace(workspace, (tx) => recordAdminStep(signing, workspace, step, tx))).toMatchObject({
      record: { seq: 2 },
    });

    const records = await recordsOf(workspace);
    expect(records).toHaveLength(3);
    expect(records[0]).toMatchObject({
      kind: "transition",
      principal: by,
      proposal_id: commandId,
      proposal_kind: "mcp_step",
      control: [{ type: "admin_changed", area: "mcp", subject: "files", step: "agents", before, after }],
    });
  });

  test("is recorded together with the change or not at all", async () => {
    const workspace = await testWorkspace(urls.admin);
    const failed = runInWorkspace(workspace, async (tx) => {
      await recordAdminStep(signing, workspace, step, tx);
      throw new Error("the change failed");
    });
    await expect(failed).rejects.toThrow("the change failed");
    expect(await recordsOf(workspace)).toEqual([]);
  });

  test("is recorded as a refusal naming its subject when refused", async () => {
    const workspace = await testWorkspace(urls.admin);
    await recordAdminStep(signing, workspace, { ...step, after: before, refused: "step_refused" });
    expect(await recordsOf(workspace)).toMatchObject([
      { kind: "refusal", control: [], refusal: { code: "step_refused", ids: ["files", "agents"] } },
    ]);
  });

  test("forms one chain under concurrency", async () => {
    const workspace = await testWorkspace(urls.admin);
    const places = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0
          ? recordAdminStep(signing, workspace, step)
          : runInWorkspace(workspace, (tx) => recordAdminStep(signing, workspace, step, tx)),
      ),
    );
    expect(places.map(({ record }) => record.seq).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await recordsOf(workspace)).toHaveLength(6);
  });
});
