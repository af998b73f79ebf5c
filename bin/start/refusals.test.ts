/** Each fault gets one sentence and exit code 1. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { withClient } from "@/server/db/connect";
import { freePort } from "@/bin/postgres/cluster";
import { temporaryPostgres } from "@/bin/postgres/temporary";
import { inTemporaryFolder, runStart, withTakenPort } from "@/bin/testing";
import { takeLock } from "./lock.ts";

const refusal = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const { code, stderr } = await runStart(env).finished;

  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);

  return stderr.trim();
};

const port = async (): Promise<string> => String(await freePort());

test("refuses a taken port", () =>
  inTemporaryFolder((home) =>
    withTakenPort(async (taken) => {
      expect(await refusal({ COUNTERSIGN_HOME: home, PORT: String(taken) })).toBe(
        `Countersign cannot start: Port ${taken} is already in use. Stop the other program or choose another port, for example PORT=${taken + 1} npm start.`,
      );
    }),
  ));

test("refuses an invalid port", () =>
  inTemporaryFolder(async (home) => {
    expect(await refusal({ COUNTERSIGN_HOME: home, PORT: "http" })).toContain('PORT is "http", but must be a number');
  }));

test("refuses an address that this machine does not have", () =>
  inTemporaryFolder(async (home) => {
    expect(await refusal({ COUNTERSIGN_HOME: home, PORT: await port(), HOST: "192.0.2.1" })).toContain("not an address of this machine");
  }));

test("refuses a data directory without Postgres in it", () =>
  inTemporaryFolder(async (home) => {
    fs.mkdirSync(path.join(home, "postgres"));
    fs.writeFileSync(path.join(home, "postgres", "holiday.jpg"), "");

    expect(await refusal({ COUNTERSIGN_HOME: home, PORT: await port() })).toMatch(
      /database folder .*postgres \(it has no PG_VERSION file\)\. Restore it from a backup, or move it away/u,
    );
    expect(fs.existsSync(path.join(home, "postgres", "holiday.jpg"))).toBe(true);
  }));

test("refuses a data directory that Postgres rejects", () =>
  inTemporaryFolder(async (home) => {
    fs.mkdirSync(path.join(home, "postgres"), { mode: 0o777 });
    fs.writeFileSync(path.join(home, "postgres", "PG_VERSION"), "18\n");

    expect(await refusal({ COUNTERSIGN_HOME: home, PORT: await port() })).toMatch(/database folder .*postgres \(.+\)\. Restore it/u);
  }));

test("refuses a second start on the same state folder", () =>
  inTemporaryFolder(async (home) => {
    const giveBack = takeLock(home, "http://localhost:3000");

    expect(await refusal({ COUNTERSIGN_HOME: home, PORT: await port() })).toContain(
      `already running with the state folder ${home} (process ${process.pid}, http://localhost:3000). Stop it first`,
    );
    giveBack();
  }));

test("starts although a killed start left its lock", () =>
  inTemporaryFolder((home) => {
    fs.writeFileSync(path.join(home, "lock"), JSON.stringify({ pid: process.pid, born: "another life", url: "" }));

    expect(takeLock(home, "http://localhost:3000")).toBeTypeOf("function");
  }));

test("refuses an invalid DATABASE_URL and an unreachable one", () =>
  inTemporaryFolder(async (home) => {
    const nobody = `postgresql://me:secret@127.0.0.1:${await port()}/db`;

    expect(await refusal({ COUNTERSIGN_HOME: home, PORT: await port(), DATABASE_URL: "mysql://x" })).toContain(
      "DATABASE_URL must be a connection string",
    );
    const sentence = await refusal({ COUNTERSIGN_HOME: home, PORT: await port(), DATABASE_URL: nobody });

    expect(sentence).toMatch(/Cannot connect to the database at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Check DATABASE_URL\./u);
    expect(sentence).not.toContain("secret");
  }));

test("refuses a DATABASE_URL with a wrong password, a missing database or a user without rights", async () => {
  const postgres = await temporaryPostgres();
  const as = (change: (url: URL) => void): string => {
    const url = new URL(postgres.adminUrl);

    change(url);

    return url.toString();
  };

  try {
    await withClient(postgres.adminUrl, (client) => client.query("create role modest login password 'x'"));
    await inTemporaryFolder(async (home) => {
      const start = async (url: string): Promise<string> => refusal({ COUNTERSIGN_HOME: home, PORT: await port(), DATABASE_URL: url });

      expect(await start(as((url) => (url.password = "wrong")))).toContain("rejected the password in DATABASE_URL");
      expect(await start(as((url) => (url.pathname = "/nowhere")))).toContain('database "nowhere" in DATABASE_URL does not exist');
      expect(
        await start(
          as((url) => {
            url.username = "modest";
            url.password = "x";
          }),
        ),
      ).toContain('user "modest" in DATABASE_URL lacks permissions');
    });
  } finally {
    await postgres.stop();
  }
});
