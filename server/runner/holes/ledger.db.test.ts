import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toMemory } from "@/lib/engine/state";
import { ownMember } from "@/lib/json";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openLedger } from "@/server/runner/load";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const MAIL = "02-outage-credit.txt";
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const verdictOn = async (run: string) => {
  const { state } = await readRun(desk, run);
  const ledger = await openLedger(desk.deps.vault, { workspaceId: desk.workspace, runId: run, version: state.version, digest: state.head });

  return verifyLedger(ledger, await listPublicKeys());
};

const refuseEntries = async (kind: string): Promise<() => Promise<unknown>> => {
  await asAdmin(
    urls.admin,
    `create or replace function refuse_entry() returns trigger language plpgsql as $$
     begin
       if (new.body::json ->> 'proposal_kind') = '${kind}' then raise exception 'the disk is full'; end if;
       return new;
     end $$`,
  );
  await asAdmin(urls.admin, "create trigger refuse_entry before insert on ledger_record for each row execute function refuse_entry()");

  return () => asAdmin(urls.admin, "drop trigger refuse_entry on ledger_record");
};

test.each(["approve", "reject"] as const)(
  "cycgraph: an approval and a rejection at the same time: one counts, and only an approval that counts pays (%s first)",
  async (first) => {
    const before = await customersOf(desk);
    const run = await startRun(desk, "honest", MAIL);
    await drive(desk, run);
    const { state } = await readRun(desk, run);
    const other = first === "approve" ? "reject" : "approve";
    const ids = [
      await command(desk, run, desk.people.reviewer, decisionFor(desk, state, first)),
      await command(desk, run, desk.people.second, decisionFor(desk, state, other)),
    ];
    await Promise.all([drive(desk, run), drive(desk, run)]);
    await drive(desk, run);
    const answers = await query<{ id: string; status: string }>(urls.admin, "select id, status from command where id = any($1)", [ids]);
    const accepted = answers.filter(({ status }) => status === "accepted").map(({ id }) => (id === ids[0] ? first : other));
    expect(accepted).toHaveLength(1);
    expect((await customersOf(desk)).applied - before.applied).toBe(accepted[0] === "approve" ? 1 : 0);
    const ended = await readRun(desk, run);
    expect(Object.values(ended.state.gates).map(({ status }) => status)).toEqual([accepted[0] === "approve" ? "approved" : "rejected"]);
  },
);

test("cycgraph: an entry that could not be written leaves the ledger whole, and the run goes on when it can", async () => {
  const before = await customersOf(desk);
  const run = await startRun(desk, "honest", MAIL);
  const letGo = await refuseEntries("node_result");
  try {
    await drive(desk, run).catch(() => undefined);
    const { state } = await readRun(desk, run);
    expect(state.status).toBe("running");
    expect(toMemory(state.cells)).not.toHaveProperty("mail");
  } finally {
    await letGo();
  }
  await asAdmin(urls.admin, "update run set lease_until = now() where id = $1", [run]);
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  expect(state.status).toBe("waiting");
  expect((await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"))).refusal).toBeNull();
  expect((await readRun(desk, run)).state.status).toBe("completed");
  expect((await customersOf(desk)).applied).toBe(before.applied + 1);
  expect(await verdictOn(run)).toMatchObject({ ok: true });
});

test("Theodosia: the entry comes before the effect: without it nothing is called", async () => {
  const before = await customersOf(desk);
  const run = await startRun(desk, "honest", MAIL);
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  const letGo = await refuseEntries("effect_intent");
  try {
    await command(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"));
    await drive(desk, run).catch(() => undefined);
    const stopped = await readRun(desk, run);
    expect(Object.values(stopped.state.gates).map(({ status }) => status)).toEqual(["approved"]);
    expect(stopped.state.currentNode).toBe("write_change");
    expect(await customersOf(desk)).toEqual(before);
  } finally {
    await letGo();
  }
  await asAdmin(urls.admin, "update run set lease_until = now() where id = $1", [run]);
  await drive(desk, run);
  expect((await customersOf(desk)).applied).toBe(before.applied + 1);
});

test("cycgraph: a NUL in a tool's answer fails the step that asked, and the run says that it ended", async () => {
  const mail = "04-downgrade.txt";
  await writeFile(path.join(installation.home, "inbox", mail), "before\0after");
  const run = await startRun(desk, "honest", mail);
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  expect(state).toMatchObject({ status: "failed", currentNode: null });
  const [row] = await query<{ status: string }>(urls.admin, "select status from run where id = $1", [run]);
  expect(row?.status).toBe("failed");
  expect(await verdictOn(run)).toMatchObject({ ok: true });
});

test("Theodosia, Carpenter: no value of a run is in clear anywhere in the database, and neither is a key", async () => {
  const canary = "canary-4f1d9c";
  await writeFile(path.join(installation.home, "inbox", MAIL), `From: Ann <ann@a.example>\nSubject: ${canary}\n\n${canary}`);
  const run = await startRun(desk, "honest", MAIL);
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  expect(ownMember(ownMember(toMemory(state.cells), "mail"), "content")).toContain(canary);

  const tables = await query<{ name: string }>(
    urls.admin,
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
  );
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["public.cell", "public.ledger_record", "public.command"]));
  const spellings = (text: string) => [text, Buffer.from(text).toString("hex"), Buffer.from(text).toString("base64").replaceAll("=", "")];
  const secrets = [...spellings(canary), ...spellings("Handle the mail"), desk.keys.vault, desk.keys.pem.split("\n")[1] ?? desk.keys.vault];
  const dumps = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(urls.admin, `select t::text as row from ${name} t`);
    dumps.set(name, rows.map(({ row }) => row).join("\n"));
  }
  // This search finds cleartext.
  expect(dumps.get("public.ledger_record")).toContain("read_mail");
  const found = [...dumps].flatMap(([name, text]) => secrets.filter((secret) => text.includes(secret)).map((secret) => ({ name, secret })));
  expect(found).toEqual([]);
});
