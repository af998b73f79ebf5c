import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { computeVersionHash } from "@/lib/graph/publish";
import { toCanonicalJson, type Json } from "@/lib/json";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { recordAttempts } from "@/server/runner/attempts";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { AuthorityUnverified, createAuthorityReader, ProjectionMismatch } from "@/server/store/trust/authority";
import { systemClock } from "@/server/clock";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let applied = 0;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
beforeEach(async () => {
  applied = (await customersOf(desk)).applied;
});
afterAll(() => desk.mcp.close());

const waiting = async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);

  return { run, state: (await readRun(desk, run)).state };
};
const written = async () => (await customersOf(desk)).applied - applied;

describe("a membership", () => {
  it("raised in the database approves nothing", async () => {
    const { run, state } = await waiting();
    const { viewer } = desk.people;
    await asAdmin(urls.admin, "update membership set role = 'reviewer' where user_id = $1", [viewer]);
    expect((await ask(desk, run, viewer, decisionFor(desk, state, "approve"))).refusal?.code).toBe("projection_mismatch");
    await asAdmin(urls.admin, "update membership set role = 'viewer' where user_id = $1", [viewer]);
    expect(await written()).toBe(0);
  });

  it("inserted, or re-enabled by a statement, approves nothing", async () => {
    const { run, state } = await waiting();
    const stranger = crypto.randomUUID();
    await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Stranger')", [stranger, `${stranger}@example.com`]);
    await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'reviewer')", [
      desk.workspace,
      stranger,
    ]);
    expect((await ask(desk, run, stranger, decisionFor(desk, state, "approve"))).refusal?.code).toBe("projection_mismatch");
    await asAdmin(urls.admin, "delete from membership where user_id = $1", [stranger]);
    expect(await written()).toBe(0);
  });
});

describe("a version", () => {
  it("that was never published is not executed, however harmless its labels", async () => {
    const relabelled = { ...desk.published, tools: desk.published.tools.map((tool) => ({ ...tool, effect: "read" as const })) };
    const hash = computeVersionHash(relabelled);
    const [row] = await query<{ graph_id: string }>(urls.admin, "select graph_id from graph_version where hash = $1", [desk.graphHash]);
    await asAdmin(
      urls.admin,
      "insert into graph_version (workspace_id, hash, graph_id, number, document, author_id) values ($1, $2, $3, 2, $4, $5)",
      [desk.workspace, hash, row?.graph_id, toCanonicalJson(JSON.parse(JSON.stringify(relabelled)) as Json), desk.people.builder],
    );
    const run = await startRun(desk, "compromised", "01-upgrade.txt", hash);
    await drive(desk, run);
    expect(await query(urls.admin, "select 1 from run where id = $1", [run])).toEqual([]);
    const [asked] = await query<{ outcome: { refusal: { code: string } } }>(urls.admin, "select outcome from command where run_id = $1", [
      run,
    ]);
    expect(asked?.outcome.refusal.code).toBe("projection_mismatch");
    expect(await written()).toBe(0);
  });
});

describe("the workspace's own ledger", () => {
  const ledger = () => getWorkspaceLedgerId(desk.workspace);
  const reader = () => createAuthorityReader({ publicKeys: listPublicKeys });
  const tampered = async (sql: string, values: unknown[], check: () => Promise<void>): Promise<void> => {
    await asAdmin(urls.admin, "alter table ledger_record disable trigger all");
    await asAdmin(urls.admin, "create table kept_records as select * from ledger_record");
    try {
      await asAdmin(urls.admin, sql, values);
      await check();
    } finally {
      await asAdmin(urls.admin, "delete from ledger_record");
      await asAdmin(urls.admin, "insert into ledger_record select * from kept_records");
      await asAdmin(urls.admin, "drop table kept_records");
      await asAdmin(urls.admin, "alter table ledger_record enable trigger all");
    }
  };

  it("is distrusted after losing records since it was read", async () => {
    const known = reader();
    await known.read(desk.workspace);
    await tampered(
      "delete from ledger_record where run_id = $1 and seq = (select max(seq) from ledger_record where run_id = $1)",
      [ledger()],
      async () => {
        await expect(known.read(desk.workspace)).rejects.toMatchObject({ fault: "rolled_back" });
      },
    );
  });

  it("is distrusted after losing records while no runner was up", async () => {
    const journal = createMemoryJournal(systemClock);
    const runner = () => createAuthorityReader({ publicKeys: listPublicKeys, journal });
    await runner().read(desk.workspace);
    await tampered(
      "delete from ledger_record where run_id = $1 and seq = (select max(seq) from ledger_record where run_id = $1)",
      [ledger()],
      async () => {
        await expect(runner().read(desk.workspace)).rejects.toMatchObject({ fault: "rolled_back" });
      },
    );
    await expect(runner().read(desk.workspace)).resolves.toMatchObject({ workspace: desk.workspace });
  });

  it("is trusted when another runner records a step while this one reads it first", async () => {
    const journal = createMemoryJournal(systemClock);
    const standing = { role: "viewer", auditor: false } as const;
    const other = createAuthorityReader({ publicKeys: listPublicKeys, journal });
    const meanwhile = async (run: string) => {
      await command(desk, ledger(), desk.people.admin, {
        kind: "people_change",
        user: desk.people.builder,
        was: { ...standing, role: "builder" },
        standing,
      });
      await recordAttempts(desk.deps, desk.workspace, ledger());
      await other.read(desk.workspace);

      return journal.headOf(run);
    };
    const reading = createAuthorityReader({ publicKeys: listPublicKeys, journal: { ...journal, headOf: meanwhile } });
    await expect(reading.read(desk.workspace)).resolves.toMatchObject({ workspace: desk.workspace });
  });

  it("is distrusted after losing the latest step", async () => {
    const standing = { role: "viewer", auditor: false } as const;
    await command(desk, ledger(), desk.people.admin, {
      kind: "people_change",
      user: desk.people.viewer,
      was: standing,
      standing: { ...standing, role: "builder" },
    });
    await recordAttempts(desk.deps, desk.workspace, ledger());
    await tampered(
      "delete from ledger_record where run_id = $1 and seq = (select max(seq) from ledger_record where run_id = $1)",
      [ledger()],
      async () => {
        await expect(desk.deps.authority.read(desk.workspace)).rejects.toMatchObject({ fault: "rolled_back" });
      },
    );
  });

  it.each([
    ["a changed text", "update ledger_record set body = replace(body, 'adopted', 'changed') where run_id = $1", "hash"],
    ["another key", "update ledger_record set kid = 'unknown' where run_id = $1", "unknown_key"],
    ["an invalid signature", "update ledger_record set signature = repeat('A', 86) where run_id = $1", "signature"],
    ["a missing record", "delete from ledger_record where run_id = $1 and seq = 0", "seq_gap"],
  ])("with %s decides nothing", async (_what, sql, fault) => {
    await tampered(sql, [ledger()], async () => {
      await expect(reader().read(desk.workspace)).rejects.toMatchObject({ name: AuthorityUnverified.name, fault });
    });
  });

  it("is compared with rows, and a row arriving with its record is not a mismatch", async () => {
    const confirm = () =>
      reader().confirm(
        desk.workspace,
        "versions",
        desk.graphHash,
        async () => "row",
        () => "0".repeat(64),
      );
    await expect(confirm()).rejects.toBeInstanceOf(ProjectionMismatch);
  });

  it("refuses commands while it does not verify", async () => {
    const { run, state } = await waiting();
    const doubtful: Desk = { ...desk, deps: { ...desk.deps, authority: createAuthorityReader({ publicKeys: async () => ({}) }) } };
    expect((await ask(doubtful, run, desk.people.reviewer, decisionFor(desk, state, "approve"))).refusal?.code).toBe(
      "authority_unverified",
    );
    expect(await written()).toBe(0);
  });
});
