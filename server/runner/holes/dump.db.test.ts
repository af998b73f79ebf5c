import { createDecipheriv, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PublishedGraph } from "@/lib/graph/document";
import type { CommandBody } from "@/lib/engine/proposal";
import { verifyLedger } from "@/lib/engine/verify/verify";
import type { ShredCommand } from "@/lib/engine/ledger/shred";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { testInstallation } from "@/server/mcp/testing/installation";
import { recordAttempts } from "@/server/runner/attempts";
import { openLedger } from "@/server/runner/load";
import { addMember, command, openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { DEMO_MAILS } from "@/server/seed/support-desk/inbox";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

/** In lower case, like mail names. */
const canaryOf = (what: string): string => `${what}${randomBytes(24).toString("hex")}`.toLowerCase();
const CANARIES = {
  goal: canaryOf("Goal"),
  constraint: canaryOf("Constraint"),
  input: canaryOf("Input"),
  mail: canaryOf("Mail"),
  customer: canaryOf("Customer"),
  reason: canaryOf("Reason"),
  cancelled: canaryOf("Cancelled"),
  missing: canaryOf("Missing"),
  refused: canaryOf("Refused"),
  waiting: canaryOf("Waiting"),
} as const;

/** External, but shares this database server. */
const FOREIGN = ["customers"];

const dumpOf = async (): Promise<ReadonlyMap<string, string>> => {
  const tables = await query<{ schema: string; name: string }>(
    urls.admin,
    `select table_schema as schema, format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const dumps = new Map<string, string>();
  for (const { schema, name } of tables) {
    if (FOREIGN.includes(schema)) continue;
    const rows = await query<{ row: string }>(urls.admin, `select t::text as row from ${name} t`);
    dumps.set(name, rows.map(({ row }) => row).join("\n"));
  }

  return dumps;
};

/** The part of a base64 text independent of alignment. */
const base64Of = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const inner = whole.slice(shift === 0 ? 0 : shift + 1, -2);

    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });

const spellings = (bytes: Buffer): string[] => {
  const texts = [
    bytes.toString("latin1"),
    bytes.toString("hex"),
    ...base64Of(bytes),
    bytes.toString("latin1").split("").toReversed().join(""),
  ];

  return [...new Set(texts.flatMap((text) => [text, Buffer.from(text, "latin1").toString("hex")]))];
};

const cellKeys = async (): Promise<Buffer[]> => {
  const rows = await query<{ workspace: string; run: string; seq: number; index: number; path: string; label: string; wrapped: Buffer }>(
    urls.admin,
    "select workspace_id as workspace, run_id as run, seq, index, path, label, wrapped_key as wrapped from cell where octet_length(wrapped_key) > 0",
  );

  return rows.map(({ wrapped, workspace, ...place }) => {
    const key = Buffer.from(hkdfSync("sha256", Buffer.from(desk.keys.vault, "hex"), workspace, "countersign/workspace-key/v1", 32));
    const { index, label, path: at, run, seq } = place;
    const open = createDecipheriv("aes-256-gcm", key, wrapped.subarray(2, 14), { authTagLength: 16 });
    open.setAAD(Buffer.from(`countersign/cell-key/v1\0${JSON.stringify({ index, label, path: at, run, seq, workspace })}`));
    open.setAuthTag(wrapped.subarray(-16));

    return Buffer.concat([open.update(wrapped.subarray(14, -16)), open.final()]);
  });
};

const ofAnyMail = ({ graph, ...version }: PublishedGraph): PublishedGraph => {
  const anyName = { type: "string" };

  return {
    ...version,
    graph: {
      ...graph,
      inputs: { ...graph.inputs, properties: { mail_file: anyName } },
      memory: graph.memory.map((key) => (key.key === "mail_file" ? { ...key, schema: anyName } : key)),
    },
  };
};

const secretsOf = async (): Promise<ReadonlyMap<string, Buffer>> => {
  const vaultKey = Buffer.from(desk.keys.vault, "hex");

  return new Map<string, Buffer>([
    ...Object.entries(CANARIES).map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]),
    ["the vault key", vaultKey],
    ["the workspace key", Buffer.from(hkdfSync("sha256", vaultKey, desk.workspace, "countersign/workspace-key/v1", 32))],
    ["the signing key", Buffer.from(desk.keys.pem.split("\n")[1] ?? "", "base64")],
    ...(await cellKeys()).map((key, index): [string, Buffer] => [`the key of cell ${index}`, key]),
  ]);
};

const foundIn = (dumps: ReadonlyMap<string, string>, secrets: ReadonlyMap<string, Buffer>): readonly string[] => {
  const found = [...secrets].flatMap(([name, bytes]) =>
    spellings(bytes).flatMap((spelling) => [...dumps].flatMap(([table, text]) => (text.includes(spelling) ? [`${name} in ${table}`] : []))),
  );

  return [...new Set(found)];
};

const everythingOpened = async (): Promise<string> => {
  const { vault } = desk.deps;
  const cells = await query<{ run: string; seq: number; index: number; path: string; label: string; sealed: Buffer; wrapped: Buffer }>(
    urls.admin,
    "select run_id as run, seq, index, path, label, sealed, wrapped_key as wrapped from cell",
  );
  const opened = cells.map(({ sealed, wrapped, ...place }) =>
    vault.openCell({ workspace: desk.workspace, ...place }, { sealed: Uint8Array.from(sealed), wrappedKey: Uint8Array.from(wrapped) }),
  );
  const commands = await query<{ id: string; body: Buffer }>(urls.admin, "select id, body from command where octet_length(body) > 0");
  const values = opened.flatMap((content) => (typeof content === "string" ? [] : [content.value]));

  return [...values, ...commands.map(({ id, body }) => vault.openCommand(desk.workspace, id, body))]
    .map((value) => JSON.stringify(value))
    .join("\n");
};

const headOf = async (run: string): Promise<{ version: number; digest: string }> => {
  const [head] = await query<{ version: number; digest: string }>(urls.admin, "select version, head as digest from run where id = $1", [
    run,
  ]);

  return head ?? { version: -1, digest: "" };
};

beforeAll(async () => {
  const opened = await openDesk(urls, installation);
  const published = ofAnyMail(opened.published);
  desk = { ...opened, published, graphHash: await publishAs(opened, published, opened.people.builder) };
  await query(urls.customers, "update customers.customer set name = $1", [CANARIES.customer]);
}, 120_000);
afterAll(() => desk.mcp.close());

const begin = async (mail: string): Promise<string> => {
  const run = randomUUID();
  await command(desk, run, desk.people.starter, startOf(mail, CANARIES.goal));
  await drive(desk, run);

  return run;
};
const startOf = (mail: string, goal: string): Extract<CommandBody, { kind: "start" }> => ({
  kind: "start",
  graph_hash: desk.graphHash,
  goal,
  constraints: [CANARIES.constraint],
  inputs: { mail_file: mail },
  model: "scripted:honest",
});

test("Carpenter: a dump of the database holds no plaintext value and no unwrapped key, whatever a run was told, did, failed at or was refused", async () => {
  const mail = `${CANARIES.input}.txt`;
  await writeFile(path.join(installation.home, "inbox", mail), `${DEMO_MAILS["02-outage-credit.txt"]}\n\n${CANARIES.mail}\n`);
  const whole = await begin(mail);
  // A second start is refused, with all its content.
  await ask(desk, whole, desk.people.starter, startOf(mail, CANARIES.refused));
  const { state } = await readRun(desk, whole);
  await ask(desk, whole, desk.people.reviewer, { ...decisionFor(desk, state, "approve"), reason: CANARIES.reason });
  expect((await readRun(desk, whole)).state.status).toBe("completed");
  const cancelled = await begin(mail);
  await ask(desk, cancelled, desk.people.builder, { kind: "cancel", reason: CANARIES.cancelled });
  // There is no such mail; the server's error names it.
  const failed = await begin(`${CANARIES.missing}.txt`);
  await command(desk, whole, desk.people.builder, { kind: "cancel", reason: CANARIES.waiting });

  // Guards against vacuous success.
  const opened = await Promise.all([whole, cancelled, failed].map((run) => readRun(desk, run)));
  const known = JSON.stringify(opened.map(({ state: { cells, aside } }) => [cells, aside]));
  for (const what of ["goal", "constraint", "input", "mail", "customer", "missing"] as const) expect(known).toContain(CANARIES[what]);

  const dumps = await dumpOf();
  expect([...dumps.keys()]).toEqual(expect.arrayContaining(["public.cell", "public.ledger_record", "public.command", "public.approval"]));
  // This search finds cleartext.
  expect(dumps.get("public.ledger_record")).toContain("read_mail");
  const secrets = await secretsOf();
  expect(secrets.size).toBeGreaterThan(40);
  expect(foundIn(dumps, secrets)).toEqual([]);

  // This search finds each of these encodings.
  const vaultKey = Buffer.from(desk.keys.vault, "hex");
  const planted: readonly unknown[] = [Buffer.from(`.${CANARIES.mail}.`), vaultKey.toString("base64"), { a: [vaultKey.toString("hex")] }];
  await query(urls.admin, "create table planted (a bytea, b text, c jsonb)");
  for (const [index, column] of ["a", "b", "c"].entries()) {
    await query(urls.admin, "truncate planted");
    await query(urls.admin, `insert into planted (${column}) values ($1)`, [planted[index]]);
    expect(foundIn(await dumpOf(), secrets)).toEqual([`${index === 0 ? "mail" : "the vault key"} in public.planted`]);
  }
  await query(urls.admin, "drop table planted");
}, 120_000);

test("a value that was shredded is not brought back by the vault key: no cell and no command holds it any more", async () => {
  const auditor = await addMember(desk, "admin", { auditor: true });
  const runs = await query<{ id: string }>(urls.admin, "select id from run");
  for (const { id } of runs) await drive(desk, id);
  expect(await everythingOpened()).toContain(CANARIES.mail);

  const ledger = getWorkspaceLedgerId(desk.workspace);
  for (const { id: run } of runs) {
    await command(desk, ledger, auditor, { kind: "shred", run, scope: { type: "run" }, reason: "leaked" } satisfies ShredCommand);
  }
  await recordAttempts(desk.deps, desk.workspace, ledger);
  expect(await everythingOpened()).toEqual("");
  for (const { id } of runs) {
    const ledgerOf = await openLedger(desk.deps.vault, { workspaceId: desk.workspace, runId: id, ...(await headOf(id)) });
    expect(await verifyLedger(ledgerOf, await listPublicKeys())).toMatchObject({ ok: true, cellsOpened: 0 });
  }
}, 60_000);
