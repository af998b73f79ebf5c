import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { RUG_PULL, testInstallation } from "@/server/mcp/testing/installation";
import { offerFile } from "@/server/mcp/testing/programs";
import { openReceiver } from "@/server/notify/testing/receiver";
import { addEndpoint } from "@/server/notify/testing/fixture";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { allAre, prepareFleet, startRunner, until } from "@/server/runner/testing/fleet";
import { sealedAsk } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const RUNS = 6;
const SERVERS = 4;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await prepareFleet(desk);
}, 120_000);
afterAll(() => desk.mcp.close());

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const ownRecords = async (commands: readonly string[]): Promise<number> => {
  const [row] = await query<{ n: number }>(
    urls.admin,
    "select count(*)::int as n from ledger_record where run_id = $1 and (body::jsonb ->> 'proposal_id') = any($2::text[])",
    [getWorkspaceLedgerId(desk.workspace), commands],
  );

  return row?.n ?? 0;
};

test("two runners: each webhook goes out once, each registry command runs once, each attempt is recorded once", async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  await addEndpoint(urls.admin, desk.workspace, desk.deps.vault, { url: receiver.url, types: ["approval.requested"] });
  const env = { COUNTERSIGN_WEBHOOK_ORIGINS: receiver.origin };
  await Promise.all([startRunner(desk, env), startRunner(desk, env)]);

  const runIds = await Promise.all(range(RUNS).map(() => startRun(desk, "honest", "02-outage-credit.txt")));
  const manifest = await offerFile(desk.installation, "hostile", RUG_PULL);
  const commands = range(SERVERS).map(() => randomUUID());
  await Promise.all(
    commands.map(async (id, index) => {
      const transport = { type: "stdio", manifest };
      const { workspace, deps, people } = desk;
      const asked = { type: "add", id: `once-${index}`, name: `once-${index}`, transport };
      const body = await sealedAsk(urls.admin, deps, { workspace, userId: people.admin, place: id, body: asked });

      return query(urls.admin, "insert into registry_command (workspace_id, id, user_id, body) values ($1, $2, $3, $4)", [
        workspace,
        id,
        people.admin,
        body,
      ]);
    }),
  );
  await allAre(desk, runIds, "waiting", 60_000);
  const outcomes = await until(
    "all registry commands are answered",
    async () => {
      const rows = await query<{ outcome: unknown }>(
        urls.admin,
        "select outcome from registry_command where id = any($1::uuid[]) and status <> 'pending'",
        [commands],
      );

      return rows.length === SERVERS && rows.map(({ outcome }) => outcome);
    },
    60_000,
  );
  // A second execution would have been refused.
  expect(outcomes).toEqual(commands.map(() => ({ ok: true, revision: 1 })));
  expect(await ownRecords(commands)).toBe(SERVERS);

  await until("every approval was told of", () => Promise.resolve(receiver.received.length >= RUNS), 30_000);
  const last = await startRun(desk, "honest", "02-outage-credit.txt");
  await allAre(desk, [last], "waiting", 30_000);
  await until("the later one was told of too", () => Promise.resolve(receiver.received.length >= RUNS + 1), 30_000);
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(RUNS + 1);
  expect(new Set(ids).size).toBe(RUNS + 1);

  const asked = await Promise.all(
    range(3).map(() =>
      command(desk, getWorkspaceLedgerId(desk.workspace), desk.people.admin, { kind: "cancel", reason: "nothing to cancel" }),
    ),
  );
  await until(
    "each is answered",
    async () => (await query(urls.admin, "select 1 from command where id = any($1::uuid[]) and status <> 'pending'", [asked])).length === 3,
    30_000,
  );
  expect(await ownRecords(asked)).toBe(3);
}, 180_000);
