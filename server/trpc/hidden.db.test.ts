import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { holds } from "@/server/outside/testing/records";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, drive } from "@/server/runner/testing/run";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { appRouter } from "./root";

/** Personal data, which reviewers may see. */
const PERSONAL = `canary-${randomUUID()}`;
/** Personal data as a number. */
const CREDIT_CENTS = 777_123;
/** In a refused proposal, shown to no one. */
const SECRET = `canary-${randomUUID()}`;

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let known: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await query(urls.customers, "update customers.customer set name = $1, credit_cents = $2", [PERSONAL, CREDIT_CENTS]);
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  await ask(desk, run, desk.people.starter, {
    kind: "start",
    graph_hash: desk.graphHash,
    goal: SECRET,
    constraints: [],
    inputs: {},
    model: "scripted:honest",
  });
  const [approval] = await query<{ id: string }>(urls.admin, "select id from approval where run_id = $1", [run]);
  const [graph] = await query<{ id: string }>(urls.admin, "select graph_id as id from graph_version where hash = $1", [desk.graphHash]);
  known = {
    runId: run,
    runIds: [run],
    approvalId: approval?.id,
    ids: [approval?.id],
    id: graph?.id,
    graphId: graph?.id,
    hash: desk.graphHash,
    a: run,
    b: run,
    path: "customer",
    seq: 20,
    index: 0,
    server: "customers",
    revision: 1,
  };
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

const get = (value: unknown, key: PropertyKey): unknown => Reflect.get(Object(value), key);
const procedures = Object.entries<unknown>(Object(get(get(appRouter, "_def"), "procedures"))).map(([name, each]) => {
  const schema: unknown = Object(get(get(each, "_def"), "inputs"))[0];

  return { name, type: String(get(get(each, "_def"), "type")), fields: Object.keys(Object(get(schema, "shape"))) };
});
const questions = procedures.filter(({ type }) => type !== "mutation");

const told = (error: unknown): unknown =>
  error instanceof Error ? [error.message, told(error.cause), JSON.stringify(error)] : (error ?? null);

const firstOf = async (answer: unknown): Promise<unknown> => {
  const open: unknown = get(answer, Symbol.asyncIterator);
  if (typeof open !== "function") return answer;
  const stream = Reflect.apply(open, answer, []) as AsyncIterator<unknown>;
  const first = await stream.next();
  await stream.return?.();

  return first.value;
};

const answerTo = async (name: string, fields: readonly string[], role: Role): Promise<string> => {
  const asked: unknown = name.split(".").reduce<unknown>(get, callerAs(desk.workspace, role, { id: desk.people[role] }));
  if (typeof asked !== "function") throw new Error(`${name} is not a procedure`);
  const input = Object.fromEntries(fields.flatMap((field) => (field in known ? [[field, known[field]]] : [])));
  try {
    return JSON.stringify((await firstOf(await Reflect.apply(asked, undefined, [fields.length === 0 ? undefined : input]))) ?? null);
  } catch (error) {
    return JSON.stringify(told(error));
  }
};

const ROLES = ["viewer", "builder", "admin", "reviewer"] as const;

test.each(questions)("$name reveals nothing hidden", async ({ name, fields }) => {
  for (const role of ROLES) {
    const answer = await answerTo(name, fields, role);

    expect({ role, secret: holds(answer, SECRET) }).toEqual({ role, secret: false });
    if (role === "reviewer") continue;
    expect({ role, personal: holds(answer, PERSONAL), credit: answer.includes(String(CREDIT_CENTS)) }).toEqual({
      role,
      personal: false,
      credit: false,
    });
  }
});

test("the queries really answer, about the run, its records and pending approvals", async () => {
  const answers = await Promise.all(
    questions.map(async ({ name, fields }) => ({ name, answer: await answerTo(name, fields, "reviewer") })),
  );
  const showing = answers.flatMap(({ name, answer }) => (holds(answer, PERSONAL) || answer.includes(String(CREDIT_CENTS)) ? [name] : []));

  expect(showing).toEqual(expect.arrayContaining(["runs.records", "runs.state", "approvals.get"]));
  const summariesFor = (role: Role) => answerTo("approvals.summaries", ["ids"], role);
  expect(await summariesFor("reviewer")).toContain("credit");
  expect(await summariesFor("viewer")).toContain(" hidden");
});
