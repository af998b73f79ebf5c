import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_SETTING, type NotificationSetting } from "@/lib/notifications/setting";
import { useDatabase } from "@/server/db/client";
import { asAdmin } from "@/server/mcp/testing/registered";
import { callerAs } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
const workspace = randomUUID();
const [own, other] = [randomUUID(), randomUUID()];
const SETTING: NotificationSetting = { ...DEFAULT_SETTING, quiet: { from: 1_320, until: 420 }, timeZone: "Europe/Berlin" };

beforeAll(async () => {
  await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, 'Notifications')", [workspace]);
  await useDatabase(urls.web);
});
beforeEach(() => asAdmin(urls.admin, "delete from runner_heartbeat"));

const callerOf = (id: string) => callerAs(workspace, "reviewer", { id }).notifications;
const setUp = () =>
  asAdmin(urls.admin, "insert into runner_heartbeat (id, at, mail_from) values ('r', now(), 'Approvals <approvals@example.com>')");

describe("one's own notifications", () => {
  test("are off until chosen, and are kept for their person alone", async () => {
    expect(await callerOf(own).get({ channel: "mail" })).toMatchObject({
      setting: null,
      latest: [],
      sender: null,
      address: `${own}@test.invalid`,
    });
    await callerOf(own).save({ channel: "mail", setting: SETTING });
    expect((await callerOf(own).get({ channel: "mail" })).setting).toEqual(SETTING);
    expect((await callerOf(other).get({ channel: "mail" })).setting).toBeNull();
    await callerOf(own).save({ channel: "mail", setting: { ...SETTING, quiet: null, cadence: "daily" } });
    expect((await callerOf(own).get({ channel: "mail" })).setting).toMatchObject({ quiet: null, cadence: "daily" });
    await callerOf(own).save({ channel: "mail", setting: null });
    expect((await callerOf(own).get({ channel: "mail" })).setting).toBeNull();
  });

  test("refuse a setting that could never be sent", async () => {
    await expect(callerOf(own).save({ channel: "mail", setting: { ...SETTING, timeZone: "Nowhere" } })).rejects.toThrow(/time zone/u);
    await expect(callerOf(own).save({ channel: "mail", setting: { ...SETTING, quiet: { from: 5, until: 5 } } })).rejects.toThrow(
      /two different/u,
    );
  });
});

describe("a test", () => {
  test("says that e-mail is not set up, and queues nothing", async () => {
    await expect(callerOf(own).test({ channel: "mail" })).rejects.toThrow("E-mail isn't set up");
    expect(await queryOn(urls.admin, "select 1 from notification")).toEqual([]);
  });

  test("is queued to oneself, one at a time, and its outcome is listed for oneself", async () => {
    await setUp();
    const { id } = await callerOf(own).test({ channel: "mail" });
    await expect(callerOf(own).test({ channel: "mail" })).rejects.toThrow("already in progress");
    await callerOf(other).test({ channel: "mail" });
    expect((await callerOf(own).get({ channel: "mail" })).latest).toMatchObject([{ id, type: "test", status: "pending" }]);
    await asAdmin(urls.admin, "update notification set status = 'failed', code = 550, fault = 'refused', ended_at = now() where id = $1", [
      id,
    ]);
    expect(await callerOf(own).get({ channel: "mail" })).toMatchObject({
      sender: "Approvals <approvals@example.com>",
      latest: [{ id, status: "failed", code: 550, fault: "refused" }],
    });
  });

  test("shows an admin whom e-mail reaches, and no one else", async () => {
    await setUp();
    await callerOf(own).save({ channel: "mail", setting: SETTING });
    const reach = () => callerAs(workspace, "admin").notifications.reach();
    expect((await reach()).members).toMatchObject([
      { userId: own, setting: SETTING, latest: { status: "failed" } },
      { userId: other, setting: null, latest: { status: "pending" } },
    ]);
    await expect(callerOf(own).reach()).rejects.toThrow(/role/u);
    await callerOf(own).save({ channel: "slack", setting: { ...SETTING, quiet: null } });
    const reached = await reach();
    expect(reached.channels).toEqual(["mail"]);
    expect(reached.members.filter(({ userId }) => userId === own)).toMatchObject([
      { channel: "mail", setting: SETTING, latest: { channel: "mail" } },
      { channel: "slack", setting: { ...SETTING, quiet: null }, latest: null },
    ]);
  });

  test("has an outcome that the web process cannot write", async () => {
    await expect(queryOn(urls.web, "update notification set status = 'delivered'")).rejects.toThrow(/permission denied/u);
    await expect(
      queryOn(
        urls.web,
        "insert into notification (workspace_id, id, user_id, channel, type, subject, status) values ($1, $1, $1, 'mail', 'test', $1, 'delivered')",
        [workspace],
      ),
    ).rejects.toThrow(/permission denied/u);
  });
});

test("an address that is no Teams workflow's is not stored, and no code is queued", async () => {
  await asAdmin(urls.admin, "insert into runner_heartbeat (id, at, channels) values ('r', now(), '{teams}')");
  const link = (account: string) => callerOf(own).sendCode({ channel: "teams", account });
  await expect(link("https://hooks.example.com/workflows/1")).rejects.toThrow("no address of a Teams workflow");
  const named = () => queryOn(urls.admin, "select account from notification_account");
  expect(await named()).toEqual([]);
  expect(await queryOn(urls.admin, "select 1 from notification where type = 'code'")).toEqual([]);
  const workflow = "https://prod-12.westeurope.logic.azure.com/workflows/1";
  await link(workflow);
  expect(await named()).toEqual([{ account: workflow }]);
});
