import { randomBytes } from "node:crypto";
import http from "node:http";
import { chmod, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSchema, createCheck, describeCheck, type Check } from "@/lib/checks";
import { LAYERS } from "@/lib/mcp/isolation";
import { withClient } from "@/server/db/connect";
import { testInstallation } from "@/server/mcp/testing/installation";
import { listOfferedPrograms } from "@/server/mcp/programs/launch";
import { startFake } from "@/server/models/testing/fake";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { checkClock, checkDatabase } from "@/server/store/database-checks";
import { checkInstallation } from "./installation";
import { checkProviders } from "./services";

const SECRET = "canary-secret-7b21";
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  const keys = path.join(installation.home, "keys");
  await writeFile(path.join(keys, "signing.key"), desk.keys.pem, { mode: 0o600 });
  await writeFile(path.join(keys, "vault.key"), desk.keys.vault, { mode: 0o600 });
  await drive(desk, await startRun(desk, "honest", "02-outage-credit.txt"));
}, 120_000);
afterAll(() => desk.mcp.close());

const check = async (databaseUrl: string | null = urls.runner): Promise<readonly Check[]> =>
  checkInstallation({
    home: installation.home,
    root: process.cwd(),
    databaseUrl,
    isolation: { holds: [...LAYERS], reason: null },
    programs: await listOfferedPrograms(installation),
    reaches: false,
  });

const failing = async (databaseUrl?: string) =>
  (await check(databaseUrl)).filter((found) => ["failed", "warning"].includes(describeCheck(found).status));

const asAdmin = (sql: string, values: readonly unknown[] = []): Promise<unknown> => queryOn(urls.admin, sql, [...values]);

describe("an installation", () => {
  it("in order has one finding in each area, none of which failed", async () => {
    const found = await check();
    expect(found.map(({ code }) => code)).toEqual([
      "keys_ok",
      "database_ok",
      "pooler_ok",
      "clock_ok",
      "sandbox_ok",
      "origins_none",
      "servers_ok",
      "providers_none",
    ]);
    expect(checkSchema.array().parse(found)).toEqual(found);
    for (const { says } of found.map(describeCheck)) expect(says).toMatch(/^\w.*\.$/u);
  });

  it("is checked by the web process too, which may not read the migrations", async () => {
    const found = await checkDatabase(urls.web, process.cwd(), Date.now);
    expect(found.map(({ code }) => code)).toEqual(["database_ok", "pooler_ok", "clock_ok"]);
  });

  it("whose keys others may read, or that has other keys, is named with its file", async () => {
    const file = path.join(installation.home, "keys", "vault.key");
    await chmod(file, 0o644);
    expect(await failing()).toContainEqual(createCheck("keys_unreadable", { file: "keys/vault.key" }));
    await rm(file);
    await writeFile(file, randomBytes(32).toString("hex"), { mode: 0o600 });
    expect(await failing()).toContainEqual(createCheck("keys_foreign", { file: "keys/vault.key" }));
    await writeFile(file, desk.keys.vault, { mode: 0o600 });
    expect(await failing()).toEqual([createCheck("providers_none")]);
  });

  it("whose roles may change records is named with the right", async () => {
    await asAdmin("grant update, insert on ledger_record to countersign_web");
    const wide = (right: string) => createCheck("roles_wide", { role: "countersign_web", right });
    expect(await failing()).toEqual(expect.arrayContaining([wide("inserts records"), wide("updates records")]));
    await asAdmin("revoke update, insert on ledger_record from countersign_web");
  });

  it("with another schema is not read further", async () => {
    const [last] = await queryOn<{ migration_name: string }>(
      urls.admin,
      "select migration_name from _prisma_migrations order by 1 desc limit 1",
    );
    await asAdmin("update _prisma_migrations set migration_name = '9999_later' where migration_name = $1", [last?.migration_name]);
    expect((await check()).map(({ code }) => code)).toEqual([
      "keys_not_compared",
      "migrations_missing",
      "migrations_newer",
      "pooler_ok",
      "clock_ok",
      "sandbox_ok",
      "origins_none",
      "servers_skipped",
      "providers_skipped",
    ]);
    await asAdmin("update _prisma_migrations set migration_name = $1 where migration_name = '9999_later'", [last?.migration_name]);
  });

  it("whose database does not answer says why by a code", async () => {
    const gone = new URL(urls.runner);
    gone.port = "9";
    expect(await failing(gone.toString())).toEqual([createCheck("database_unreachable", { cause: "ECONNREFUSED" })]);
    const wrong = new URL(urls.runner);
    wrong.password = SECRET;
    const found = await failing(wrong.toString());
    expect(found).toEqual([createCheck("database_unreachable", { cause: "28P01" })]);
  });
});

describe("an active server", () => {
  it("that did not answer, or whose program is gone, is named without its words", async () => {
    await asAdmin("update mcp_server set last_error = $1 where id = 'customers'", [`${SECRET}\u001b[2J`]);
    await asAdmin(
      `update mcp_server set transport = jsonb_set(transport, '{manifest,digest}', to_jsonb(repeat('0', 64))) where id = 'filesystem'`,
    );
    const found = await failing();
    expect(found).toEqual(
      expect.arrayContaining([
        createCheck("server_unreachable", { server: "customers" }),
        createCheck("server_gone", { server: "filesystem" }),
      ]),
    );
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });
});

it("names a server whose address the operator has not opened, with the reason", async () => {
  await asAdmin(
    `update mcp_server set transport = '{"type":"http","url":"http://tools.internal:9000/mcp?key=${SECRET}"}' where id = 'filesystem'`,
  );
  const found = await failing();
  expect(found.filter(({ code }) => code === "server_refused").map((each) => describeCheck(each).says)).toEqual([
    "The MCP server filesystem is not reached at http://tools.internal:9000: the address is not public, and the operator has not opened it.",
  ]);
  expect(JSON.stringify(found)).not.toContain(SECRET);
});

describe("a provider", () => {
  it("is connected to on request only, and any answer counts", async () => {
    const server = http.createServer((_request, response) => response.writeHead(500).end(SECRET));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    const gone = await startFake(() => ({ hang: true }));
    await gone.close();
    const installed = [
      { name: "answers", url, guard: null },
      { name: "gone", url: gone.url, guard: null },
      // Guarded as a workspace's own: a local address is not reached.
      { name: "guarded", url, guard: { allowOrigins: [] } },
    ];
    expect(await checkProviders({ workspaceIds: [], installed, reaches: false })).toEqual([createCheck("providers_ok", { count: 3 })]);
    expect(await checkProviders({ workspaceIds: [], installed, reaches: true })).toEqual([
      createCheck("provider_reached", { provider: "answers" }),
      createCheck("provider_unreachable", { provider: "gone", cause: "no connection" }),
      createCheck("provider_unreachable", { provider: "guarded", cause: "no connection" }),
    ]);
    server.closeAllConnections();
    server.close();
  });
});

describe("the clock", () => {
  it.each([
    [0, createCheck("clock_ok")],
    [60_000, createCheck("clock_off", { seconds: -60 })],
    [-60_000, createCheck("clock_off", { seconds: 60 })],
  ])("%i ms ahead of the database's is compared", async (aheadMs, expected) => {
    expect(await withClient(urls.runner, (client) => checkClock(client, () => Date.now() + aheadMs))).toEqual(expected);
  });
});

it("a fact never holds control characters or markup", () => {
  const hostile = createCheck("server_gone", { server: `a\u001b[2J<b>\n${"x".repeat(500)}` });
  expect(checkSchema.parse(hostile)).toEqual(hostile);
  expect(checkSchema.safeParse({ code: "server_gone", facts: { server: "a\u001b" } }).success).toBe(false);
});
