import { expect, test } from "vitest";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { callerAs } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");

test("an admin sets the reasons that reviewers of one workspace are offered", async () => {
  const [workspace, other] = [await testWorkspace(urls.admin), await testWorkspace(urls.admin)];
  expect(await callerAs(workspace, "reviewer").reasons.get()).toEqual({ reasons: [] });
  await callerAs(workspace, "admin").reasons.set({ reasons: ["Wrong customer", " Amount too high ", "Wrong customer"] });
  expect(await callerAs(workspace, "reviewer").reasons.get()).toEqual({ reasons: ["Wrong customer", "Amount too high"] });
  expect(await callerAs(other, "reviewer").reasons.get()).toEqual({ reasons: [] });
  await callerAs(workspace, "admin").reasons.set({ reasons: [] });
  expect(await callerAs(workspace, "viewer").reasons.get()).toEqual({ reasons: [] });
});

test("no one else sets them, and the runner cannot", async () => {
  const workspace = await testWorkspace(urls.admin);
  for (const role of ["viewer", "builder", "reviewer"] as const) {
    await expect(callerAs(workspace, role).reasons.set({ reasons: [] })).rejects.toMatchObject({ cause: { code: "forbidden" } });
  }
  await expect(
    queryOn(urls.runner, "insert into reason_template (workspace_id, reasons, changed_by, changed_at) values ($1, '{}', $1, now())", [
      workspace,
    ]),
  ).rejects.toThrow(/permission denied/u);
});
