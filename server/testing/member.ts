import { randomUUID } from "node:crypto";
import type { Role } from "@/lib/roles";
import { recordRows, type TestControlPlane } from "@/server/testing/authority";
import { callerAs, openedSession } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";

/** Adds a recorded member and signs them in. */
export const callerOfMember = async (adminUrl: string, plane: TestControlPlane, workspace: string, role: Role) => {
  const id = randomUUID();
  await queryOn(adminUrl, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@test.invalid`, role]);
  await queryOn(adminUrl, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);
  await recordRows(plane, workspace);

  return callerAs(workspace, role, { id, session: await openedSession(adminUrl, id) });
};
