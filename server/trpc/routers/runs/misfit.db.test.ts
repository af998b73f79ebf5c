import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import { recordSchema } from "@/lib/engine/ledger/record";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { zoneDesk } from "@/server/runner/testing/zone";
import { openedSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
let desk: Desk;
let run: string;
/** Of the planner, who read personal data, and the parser, who did not. */
let seq: number;
let earlier: number;

const misfitsOf = async (id: string): Promise<readonly number[]> => {
  const rows = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 order by seq", [id]);

  return rows.flatMap(({ body }, index) => (recordSchema.parse(JSON.parse(body)).refusal?.code === "value_invalid" ? [index] : []));
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  run = await startRun(desk, "compromised", "02-outage-credit.txt");
  await drive(desk, run);
  const misfits = await misfitsOf(run);
  [seq = -1, earlier = -1] = [misfits.at(-1), misfits[0]];
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

/** The review zone after an agent whose answers do not fit, and whose failure the graph catches. */
const loudZone = async (): Promise<Desk> => {
  const zone = await zoneDesk(desk);
  const { graph, agents } = zone.published;
  const note = { type: "object", properties: { plan: { enum: ["team"] } }, required: ["plan"], additionalProperties: false };
  const published = {
    ...zone.published,
    agents: [...agents, agentSchema.parse({ id: "loud", name: "loud", model: "scripted:compromised" })],
    graph: graphSchema.parse({
      ...graph,
      id: "loud-zone",
      memory: [...graph.memory, { key: "note", schema: note }],
      nodes: [...graph.nodes, { id: "loud", kind: "agent", write_keys: ["note"], config: { agent_id: "loud", answer: "json" } }],
      edges: [
        ...graph.edges.filter(({ source }) => source !== "read_mail"),
        { id: "heard", source: "read_mail", target: "loud" },
        { id: "said", source: "loud", target: "extract" },
        { id: "caught", source: "loud", target: "extract", kind: "error" },
      ],
    }),
  };

  return { ...zone, published, graphHash: await publishAs(desk, published, desk.people.builder) };
};

type As = { readonly demo?: boolean; readonly id?: string; readonly workspace?: string; readonly of?: string };

const misfitFor = async (role: Role, { demo = false, id = desk.people[role], workspace = desk.workspace, of = run }: As = {}, at = seq) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id, name: role, email: `${role}@test.invalid` },
      workspace: { id: workspace, name: "Support", demo },
      role,
      auditor: false,
      session: await openedSession(urls.admin, id),
    }),
  }).runs.misfit({ runId: of, seq: at });

describe("a value that does not fit", () => {
  test("names field and expectation for everybody, and the value by clearance only", async () => {
    const [builder, reviewer] = [await misfitFor("builder"), await misfitFor("reviewer")];
    expect(builder?.faults.map(({ path: at, expected }) => [at, expected])).toEqual(
      reviewer?.faults.map(({ path: at, expected }) => [at, expected]),
    );
    expect(builder?.faults.length).toBeGreaterThan(0);
    expect(builder).toMatchObject({ withheld: "clearance" });
    expect(builder?.faults.every(({ found }) => found === null)).toBe(true);
    expect(reviewer?.withheld).toBeNull();
    expect(reviewer?.faults.every(({ found }) => found !== null)).toBe(true);
  });

  test("is shown to a builder whose clearance covers it", async () => {
    expect(earlier).toBeLessThan(seq);
    expect(await misfitFor("builder", {}, earlier)).toMatchObject({ withheld: null });
  });

  test("is shown to the author of the version in the demo, and to no other builder there", async () => {
    expect(await misfitFor("builder", { demo: true })).toMatchObject({ withheld: null });
    expect(await misfitFor("builder", { demo: true, id: desk.people.starter })).toMatchObject({ withheld: "clearance" });
    expect(await misfitFor("viewer", { demo: true })).toMatchObject({ withheld: "clearance" });
  });

  test("is not found in another workspace, and other records have none", async () => {
    await expect(misfitFor("reviewer", { workspace: randomUUID() })).rejects.toThrow();
    expect(await misfitFor("reviewer", {}, seq - 1)).toBeNull();
    expect(await misfitFor("reviewer", {}, 9_999)).toBeNull();
  });

  test("is under review for everybody while a case of the run is open, and no longer", async () => {
    await useDatabase(urls.runner);
    const zone = await loudZone();
    const of = await startRun(zone, "honest", "01-upgrade.txt", zone.graphHash);
    await drive(zone, of);
    const [at = -1] = await misfitsOf(of);
    const { state } = await readRun(zone, of);
    expect(state.status).toBe("waiting");
    await useDatabase(urls.web);
    for (const role of ["reviewer", "admin", "builder"] as const) {
      const found = await misfitFor(role, { of, demo: true }, at);
      expect(found?.faults.length).toBeGreaterThan(0);
      expect(found).toMatchObject({ withheld: "review" });
      expect(found?.faults.every(({ found: shown }) => shown === null)).toBe(true);
    }

    await useDatabase(urls.runner);
    await command(zone, of, zone.people.reviewer, decisionFor(zone, state, "reject"));
    await drive(zone, of);
    await useDatabase(urls.web);
    expect(await misfitFor("reviewer", { of }, at)).toMatchObject({ withheld: null });
  });
});
