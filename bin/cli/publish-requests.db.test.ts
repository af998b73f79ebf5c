import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { withConfig, withNode } from "@/lib/architect/testing/desk";
import { requestDigest } from "@/lib/engine/ledger/settings-digests";
import { AppError } from "@/lib/errors";
import { publishCase, requestPublish } from "@/server/architect/publishing";
import { anotherDesk, drawn, openOffice, redrawn, type Office } from "@/server/architect/testing/fixture";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { ENGINE, recordAdminStep } from "@/server/runner/admin-ledger";
import { approveAsOperator } from "@/server/runner/operator-approval";
import { loadSignerFromPem } from "@/server/security/keyring";
import { plantAnchor } from "@/server/security/testing/anchor";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { listVersions } from "@/server/store/graphs/versions";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { recordRows } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { countersign, type Ended } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("admin");
const { home } = await testInstallation();
const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const signing = { clock: systemClock, signer: loadSignerFromPem(pem) };
const authority = createAuthorityReader({ publicKeys: listPublicKeys });
const call = (...args: string[]): Promise<Ended> => countersign(["publish-requests", ...args], { COUNTERSIGN_HOME: home });

beforeAll(async () => {
  await plantAnchor(home, signing.signer);
  fs.writeFileSync(path.join(home, "keys", "signing.key"), pem, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
});

/** A compensation without approval. */
const note = { server: "shop", tool: "note" };
const loose = () =>
  anotherDesk((graph) =>
    withNode("refund", {
      effect: "write",
      approval: "by_rule",
      compensation: { ...note, arguments: { about: { argument: "about" } } },
    })(withConfig("refund", note)(graph)),
  );

/** Ben is the only builder. */
const aloneInOffice = async (): Promise<Office> => {
  const office = await openOffice(urls.admin);
  await queryOn(urls.admin, "update membership set role = 'viewer' where workspace_id = $1 and user_id <> $2", [
    office.workspaceId,
    office.ben,
  ]);
  await recordRows({ ...signing, authority }, office.workspaceId);

  return office;
};

const asked = async (office: Office) => {
  const { workspaceId, ben } = office;
  const graph = await drawn(office, ben, loose());
  const { hash } = await publishCase(workspaceId, graph.id, 1);
  const outcome = await requestPublish(
    workspaceId,
    { userId: ben, tokenId: null },
    { id: graph.id, revision: 1, hash },
    {
      record: async (request, client) => {
        const step = { subject: `request:${request.id}`, step: "requested", before: null, after: requestDigest(request) };
        await recordAdminStep(signing, workspaceId, { ...step, by: ENGINE, area: "versions" }, client);
      },
    },
  );
  if (outcome.status !== "requested") throw new Error(JSON.stringify(outcome));

  return { id: outcome.id, graph, hash };
};

/** Skips the command's check, like a change right after it. */
const carriedOut = ({ workspaceId }: Office, id: string): Promise<string> =>
  approveAsOperator(signing, authority, workspaceId, id).then(
    () => "published",
    (error: unknown) => (error instanceof AppError ? error.code : error instanceof Error ? error.name : "unknown"),
  );

const untouched = async ({ workspaceId }: Office, graphId: string): Promise<void> => {
  expect(await listVersions(workspaceId, graphId)).toEqual([]);
  expect(await listPublishRequests(workspaceId, graphId)).toMatchObject([{ status: "open" }]);
};

test("lists pending requests, computed from the draft instead of the row", async () => {
  const office = await aloneInOffice();
  const { id, hash } = await asked(office);
  await queryOn(urls.admin, "update publish_request set changes = '[]' where id = $1", [id]);
  const { code, stdout } = await call("--workspace", office.workspaceId);
  expect(code).toBe(0);
  const line = JSON.parse(stdout) as { changes: unknown[] };
  expect(line).toMatchObject({
    id,
    hash,
    status: "operator",
    asked_by: "Ben",
    answerable_by: [],
    unattended: [{ node: "refund", tool: "shop__note" }],
  });
  expect(line.changes.length).toBeGreaterThan(0);
});

test("lets the operator publish when no other member can, and records the operator", async () => {
  const office = await aloneInOffice();
  const { workspaceId, ben } = office;
  const { id, graph, hash } = await asked(office);
  const unsure = await call("confirm", id);
  expect(unsure.code).toBe(1);
  expect(unsure.stderr).toContain("run again with --yes");
  await untouched(office, graph.id);

  const { code, stdout, stderr } = await call("confirm", id, "--yes");
  expect(stderr).toBe("");
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "published", version: 1, hash }]);
  expect(await listVersions(workspaceId, graph.id)).toMatchObject([{ number: 1, hash, authorId: ben }]);
  expect(await listPublishRequests(workspaceId, graph.id)).toMatchObject([{ status: "approved", deciderName: "the operator" }]);
  const [last] = await queryOn<{ body: string }>(
    urls.admin,
    "select body from ledger_record where workspace_id = $1 order by seq desc limit 1",
    [workspaceId],
  );
  const record = JSON.parse(last?.body ?? "") as { principal: unknown; control: unknown[] };
  expect(record).toMatchObject({
    principal: ENGINE,
    control: [
      { type: "admin_changed", area: "versions", subject: hash, step: "published" },
      { type: "admin_changed", area: "versions", subject: `request:${id}`, step: "approved_by_operator" },
    ],
  });
  expect((await authority.read(workspaceId)).settings.has(`versions/${hash}`)).toBe(true);

  const again = await call("confirm", id, "--yes");
  expect([again.code, again.stderr]).toEqual([1, `countersign: open request ${id} not found\n`]);
});

test("does not let the operator answer when another builder can", async () => {
  const office = await openOffice(urls.admin);
  await recordRows({ ...signing, authority }, office.workspaceId);
  const { id, graph } = await asked(office);
  const { code, stderr } = await call("confirm", id, "--yes");
  expect(code).toBe(1);
  expect(stderr).toContain("Bea, Cleo can answer it");
  expect(await carriedOut(office, id)).toBe("forbidden");
  await untouched(office, graph.id);
});

test("reads roles from signed records: deleted role rows do not let the operator answer", async () => {
  const office = await openOffice(urls.admin);
  await recordRows({ ...signing, authority }, office.workspaceId);
  const { id, graph } = await asked(office);
  const others = "workspace_id = $1 and user_id <> $2";
  for (const sql of [
    `update membership set role = 'viewer' where ${others}`,
    `delete from membership where ${others}`,
    "update membership set disabled_at = now() where workspace_id = $1 and user_id <> $2",
  ]) {
    await queryOn(urls.admin, sql, [office.workspaceId, office.ben]);
    const { code, stderr } = await call("confirm", id, "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("Bea, Cleo can answer it")]);
    expect(await carriedOut(office, id)).toBe("forbidden");
  }
  await untouched(office, graph.id);
});

test("ignores a role granted by a row without a record", async () => {
  const office = await aloneInOffice();
  const { id, hash } = await asked(office);
  await queryOn(urls.admin, "update membership set role = 'builder' where workspace_id = $1", [office.workspaceId]);
  const { code, stdout } = await call("confirm", id, "--yes");
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "published", hash }]);
});

test("does not publish a draft saved after the request", async () => {
  const office = await aloneInOffice();
  const { id, graph } = await asked(office);
  await redrawn(office, graph, office.ben, { ...graph.document, max_iterations: 400 });
  const { code, stderr } = await call("confirm", id, "--yes");
  expect(code).toBe(1);
  expect(stderr).toContain("changed after request");
  expect(await carriedOut(office, id)).toBe("conflict");
  await untouched(office, graph.id);
});

test("does not publish a row without a recorded command", async () => {
  const office = await aloneInOffice();
  const { id, graph } = await asked(office);
  await queryOn(urls.admin, "update publish_request set requested_by = $2, involved = array[$2::uuid] where id = $1", [id, office.cleo]);
  const { code, stderr } = await call("confirm", id, "--yes");
  expect(code).toBe(1);
  expect(stderr).toContain("does not match the signed records");
  expect(await carriedOut(office, id)).toBe("ProjectionMismatch");
  await untouched(office, graph.id);
});

test("rejects an invalid workspace id", async () => {
  const { stderr } = await call("--workspace", "nonsense");
  expect(stderr).toBe("countersign: --workspace expects a workspace ID\n");
});
