import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { inboxFilterSchema } from "@/lib/engine/approvals/inbox";
import { useDatabase } from "@/server/db/client";
import { asAdmin } from "@/server/mcp/testing/registered";
import { bringBack, countOpenFor, listAsides, setAside } from "@/server/store/approvals/asides";
import { listInboxPage } from "@/server/store/approvals/inbox";
import { NOW, openWaiting } from "@/server/store/approvals/testing/waiting";
import { queryOn } from "@/server/testing/connections";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const HOUR = 3_600_000;
const urls = await testDatabase("web");
await useDatabase(urls.web);

let desk: Awaited<ReturnType<typeof openWaiting>>;
let ada: string;
let ben: string;

beforeEach(async () => {
  desk = await openWaiting(urls.admin);
  [ada, ben] = [await desk.join("reviewer"), await desk.join("reviewer")];
});

const reader = (userId: string, nowMs: number, role: "reviewer" | null = "reviewer") => ({
  workspaceId: desk.workspace,
  userId,
  role,
  seats: [],
  nowMs,
});
type Reading = { readonly aside?: boolean; readonly nowMs?: number; readonly role?: "reviewer" | null };
const read = async (userId: string, { aside = false, nowMs = NOW, role = "reviewer" }: Reading = {}) => {
  const filter = inboxFilterSchema.parse({ aside });
  const { rows, counts } = await listInboxPage({ ...reader(userId, nowMs, role), filter, sinceMs: nowMs }, null);

  return { ids: rows.map(({ id }) => id), rows, counts, badge: await countOpenFor(reader(userId, nowMs, role)) };
};
const snooze = (userId: string, approvalIds: readonly string[], untilMs: number | null) =>
  setAside({ workspaceId: desk.workspace, userId }, { approvalIds, kind: "snoozed", untilMs, reason: null, nowMs: NOW });
const refuseToOwn = (userId: string, approvalIds: readonly string[], reason: string | null = null) =>
  setAside({ workspaceId: desk.workspace, userId }, { approvalIds, kind: "not_mine", untilMs: null, reason, nowMs: NOW });

describe("a snoozed request", () => {
  test("is hidden from its reader only, and neither listed nor counted", async () => {
    const [one, two] = [await desk.ask(), await desk.ask()];
    expect(await snooze(ada, [one], NOW + HOUR)).toEqual([one]);
    expect(await read(ada)).toMatchObject({ ids: [two], badge: 1, counts: { all: 1, mine: 1, aside: 1, matching: 1 } });
    expect(await read(ada, { aside: true })).toMatchObject({
      ids: [one],
      counts: { all: 1, aside: 1, matching: 1 },
      rows: [{ aside: true }],
    });
    expect((await read(ben)).ids.toSorted()).toEqual([one, two].toSorted());
    expect((await read(ben)).badge).toBe(2);
  });

  test("returns at its time, or when its reader shows it again", async () => {
    const [one, two] = [await desk.ask(), await desk.ask()];
    await snooze(ada, [one, two], NOW + HOUR);
    expect((await read(ada, { nowMs: NOW + HOUR - 1 })).ids).toEqual([]);
    expect(await read(ada, { nowMs: NOW + HOUR })).toMatchObject({ badge: 2, counts: { aside: 0 } });
    await bringBack({ workspaceId: desk.workspace, userId: ben }, [one]);
    expect((await read(ada)).ids).toEqual([]);
    await bringBack({ workspaceId: desk.workspace, userId: ada }, [one]);
    expect((await read(ada)).ids).toEqual([one]);
  });

  test("returns one hour before it expires, or in the last tenth of a short wait, however long the snooze", async () => {
    const [long, short] = [await desk.ask({ expiresMs: NOW + 23 * HOUR }), await desk.ask({ openedMs: NOW, expiresMs: NOW + HOUR })];
    await snooze(ada, [long, short], NOW + 100 * HOUR);
    await snooze(ada, [long], null);
    const shortBack = NOW + HOUR - HOUR / 10;
    expect((await read(ada, { nowMs: shortBack - 1 })).ids).toEqual([]);
    expect((await read(ada, { nowMs: shortBack })).ids).toEqual([short]);
    const longBack = NOW + 22 * HOUR;
    expect((await read(ada, { nowMs: longBack - 1 })).ids).not.toContain(long);
    expect((await read(ada, { nowMs: longBack })).ids).toContain(long);
  });

  test("cannot be one that is about to expire or is closed", async () => {
    const [soon, closed] = [await desk.ask({ expiresMs: NOW + HOUR / 20 }), await desk.ask()];
    await asAdmin(urls.admin, "update approval set status = 'approved', resolved_at = now() where id = $1", [closed]);
    expect(await snooze(ada, [soon, closed], null)).toEqual([]);
    expect((await read(ada)).ids).toEqual([soon]);
  });

  test("returns to the last person who may decide it", async () => {
    const one = await desk.ask();
    await snooze(ada, [one], null);
    await refuseToOwn(ben, [one]);
    expect([(await read(ada)).ids, (await read(ben)).ids]).toEqual([[one], [one]]);
    const cleo = await desk.join("reviewer");
    expect([(await read(ada)).ids, (await read(ben)).ids, (await read(cleo)).ids]).toEqual([[], [], [one]]);
    await asAdmin(urls.admin, "update membership set disabled_at = now() where user_id = $1", [cleo]);
    expect((await read(ada)).ids).toEqual([one]);
  });

  test("returns when it is escalated, and can be snoozed again", async () => {
    const one = await desk.ask();
    await snooze(ada, [one], null);
    await asAdmin(urls.admin, "update approval set escalated_to = 'admins', escalated_at = to_timestamp($2 / 1000.0) where id = $1", [
      one,
      NOW,
    ]);
    expect(await read(ada, { nowMs: NOW + 1 })).toMatchObject({
      ids: [one],
      badge: 1,
      rows: [{ escalatedTo: "admins", escalatedAt: NOW }],
    });
    await setAside(
      { workspaceId: desk.workspace, userId: ada },
      { approvalIds: [one], kind: "snoozed", untilMs: null, reason: null, nowMs: NOW + 1 },
    );
    expect((await read(ada, { nowMs: NOW + 2 })).ids).toEqual([]);
  });

  test("does not wait for people who took part in it", async () => {
    const one = await desk.ask({ barred: [ben] });
    await snooze(ada, [one], null);
    expect(await read(ada)).toMatchObject({ ids: [one], badge: 1 });
  });

  test("stays hidden from a reader who could not decide it anyway", async () => {
    const one = await desk.ask({ barred: [ada, ben] });
    await snooze(ada, [one], null);
    expect((await read(ada)).ids).toEqual([]);
    const builder = await desk.join("builder");
    await snooze(builder, [one], null);
    expect(await read(builder, { role: null })).toMatchObject({ ids: [], badge: 0 });
  });

  test("leaves who may decide as it was", async () => {
    const one = await desk.ask();
    const before = await queryOn(urls.admin, "select a::text from approval a where id = $1", [one]);
    await snooze(ada, [one], null);
    await refuseToOwn(ben, [one], "not our desk");
    expect(await queryOn(urls.admin, "select a::text from approval a where id = $1", [one])).toEqual(before);
    const mine = (await read(ada, { aside: false })).rows.map((row) => row.mine);
    expect(mine).toEqual([true]);
  });
});

describe("a request that is not theirs", () => {
  test("is told to the others with the reason, and counted in their row", async () => {
    const one = await desk.ask();
    await refuseToOwn(ada, [one], "Ask the refunds desk");
    expect(await listAsides(desk.workspace, one)).toMatchObject([{ userId: ada, kind: "not_mine", reason: "Ask the refunds desk" }]);
    expect((await read(ben)).rows).toMatchObject([{ id: one, notMine: 1, aside: false }]);
    expect((await read(ada)).ids).toEqual([]);
  });

  test("becomes a snooze when its reader says so, without the reason", async () => {
    const one = await desk.ask();
    await refuseToOwn(ada, [one], "Ask the refunds desk");
    await snooze(ada, [one], NOW + HOUR);
    expect(await listAsides(desk.workspace, one)).toMatchObject([{ userId: ada, kind: "snoozed", reason: null }]);
    expect((await read(ben)).rows).toMatchObject([{ notMine: 0 }]);
  });
});

describe("the procedures", () => {
  test("set aside for the caller only, and a viewer tells the others nothing", async () => {
    const one = await desk.ask({ openedMs: Date.now() - HOUR, expiresMs: Date.now() + 23 * HOUR });
    const caller = callerAs(desk.workspace, "reviewer", { id: ada }).approvals;
    expect(await caller.snooze({ approvalIds: [one], untilMs: null })).toEqual({ snoozed: [one] });
    expect([await caller.count(), await callerAs(desk.workspace, "reviewer", { id: ben }).approvals.count()]).toMatchObject([
      { open: 0 },
      { open: 1 },
    ]);
    await caller.bringBack({ approvalIds: [one] });
    expect(await caller.count()).toMatchObject({ open: 1 });
    const viewer = callerAs(desk.workspace, "viewer").approvals;
    await expect(viewer.notMine({ approvalIds: [one], reason: "" })).rejects.toMatchObject({ cause: { code: "forbidden" } });
    expect(await viewer.snooze({ approvalIds: [one], untilMs: null })).toEqual({ snoozed: [one] });
  });

  test("do not reach another workspace", async () => {
    const one = await desk.ask({ openedMs: Date.now() - HOUR, expiresMs: Date.now() + 23 * HOUR });
    const other = await openWaiting(urls.admin);
    const stranger = callerAs(other.workspace, "reviewer").approvals;
    expect(await stranger.snooze({ approvalIds: [one, randomUUID()], untilMs: null })).toEqual({ snoozed: [] });
    expect(await listAsides(desk.workspace, one)).toEqual([]);
  });
});
