import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { useDatabase } from "@/server/db/client";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { recordRows, testControlPlane } from "@/server/testing/authority";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";
import { statementsOf } from "@/server/testing/statements";
import { findSignedIn } from "./session";

const urls = await testDatabase("runner");
const plane = await testControlPlane();

test("confirms a member with the web role in one statement when no new record exists", async () => {
  const [workspace, id] = [await testWorkspace(urls.admin), randomUUID()];
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Sample user')", [id, `${id}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'viewer')", [workspace, id]);
  await recordRows(plane, workspace);
  const claims = await beginTestSession(id, { address: "test", userAgent: "" }, null);
  await useDatabase(urls.web);
  expect(await findSignedIn(claims)).toMatchObject({ role: "viewer" });
  const sent = await statementsOf(() => findSignedIn(claims));
  expect(sent.filter((text) => text.includes("ledger_record"))).toHaveLength(1);
  await asAdmin(urls.admin, "update membership set role = 'admin' where user_id = $1", [id]);

  await expect(findSignedIn(claims)).rejects.toMatchObject({ code: "authority_mismatch" });
});
