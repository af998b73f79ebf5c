import { expect, test } from "vitest";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");

test("an admin sets the times of reminders for one workspace, sorted and without doubles, or none", async () => {
  const [workspace, other] = [await testWorkspace(urls.admin), await testWorkspace(urls.admin)];
  const admin = callerAs(workspace, "admin").reminders;
  expect(await admin.get()).toEqual({ percents: [50, 90], isSet: false });
  expect(await admin.set({ percents: [75, 25, 75] })).toEqual({ percents: [25, 75] });
  expect(await callerAs(workspace, "viewer").reminders.get()).toEqual({ percents: [25, 75], isSet: true });
  expect(await callerAs(other, "admin").reminders.get()).toMatchObject({ isSet: false });
  await admin.set({ percents: [] });
  expect(await admin.get()).toEqual({ percents: [], isSet: true });
});

test("only admins set them, and no time is outside the wait", async () => {
  const workspace = await testWorkspace(urls.admin);
  await expect(callerAs(workspace, "reviewer").reminders.set({ percents: [50] })).rejects.toMatchObject({ cause: { code: "forbidden" } });
  for (const percents of [[0], [100], [1, 2, 3, 4, 5, 6]]) {
    await expect(callerAs(workspace, "admin").reminders.set({ percents })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
});
