/** With its Postgres adapter, as in its example. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { GraphRunner, createWorkflowState, defineTool, graph, runTool } from "@cycgraph/orchestrator";
import pg from "pg";
import { z } from "zod";
import { answer, measure, order, text } from "./driver.mjs";

process.env.DATABASE_URL = order.databaseUrl;
process.env.LOG_LEVEL = "error";
process.env.DB_POOL_MAX = "10";
// The package index needs an unpublished package that is unused here.
const dist = new URL("./node_modules/@cycgraph/orchestrator-postgres/", import.meta.url);
const { getDb } = await import(new URL("dist/connection.js", dist));
const { DrizzlePersistenceProvider } = await import(new URL("dist/drizzle-persistence.js", dist));
const { DrizzleEventLogWriter } = await import(new URL("dist/drizzle-event-log.js", dist));

const client = new pg.Client({ connectionString: order.databaseUrl });
await client.connect();

/** The server lacks the extension of vector tables; steps do not use them. */
const migrate = async () => {
  const { rows } = await client.query("select to_regclass('public.workflow_runs') is not null as known");
  if (rows[0].known) return;
  const folder = new URL("drizzle/", dist);
  for (const name of fs
    .readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .toSorted())
    for (const statement of fs.readFileSync(new URL(name, folder), "utf8").split("--> statement-breakpoint"))
      await client.query(statement).catch((error) => {
        // Errors from the missing tables.
        if (!["42704", "42P01", "42703", "58P01", "0A000"].includes(error.code)) throw error;
      });
};
await migrate();
await getDb();

const persistence = new DrizzlePersistenceProvider();
const watches = new Map();

/** Ids are in memory. */
const counter = (name, next) =>
  defineTool({
    name,
    description: name,
    parameters: z.looseObject({ id: z.string() }),
    execute: (memory) => {
      watches.get(memory.id)?.(memory.id);

      return next(memory);
    },
  });
const tools = [
  counter("keep", () => ({ count: 0 })),
  counter("raise", ({ work_result: last }) => ({ count: (last?.result?.count ?? last?.count ?? 0) + 1 })),
];

const graphs = new Map();
const graphOf = async (steps) => {
  const known = graphs.get(steps);
  if (known) return known;
  const first = runTool("keep", { id: "first", reads: ["id", "text"], tools: ["keep"] });
  const work = runTool("raise", { id: "work", reads: ["id", "text", "work_result"], tools: ["raise"] });
  const more = runTool("keep", { id: "more", reads: ["id"], tools: ["keep"] });
  const done = runTool("keep", { id: "done", reads: ["id"], tools: ["keep"] });
  const made = graph({
    name: `counting ${steps}`,
    nodes: [first, work, more, done],
    edges: [
      { from: first, to: work },
      { from: work, to: more },
      { from: more, to: work, when: `iteration_count < ${steps - 2}` },
      { from: more, to: done, when: `iteration_count >= ${steps - 2}` },
    ],
    startNode: first,
    endNodes: [done],
  });
  await persistence.saveGraph(made);
  graphs.set(steps, made);

  return made;
};

const runIds = new Map();

const drive = async (id, steps, onStep) => {
  watches.set(id, onStep);
  const published = await graphOf(steps);
  const state = createWorkflowState({
    workflowId: published.id,
    goal: "count",
    memory: { id, text: text() },
    maxIterations: steps + 10,
  });
  runIds.set(id, state.run_id);
  await persistence.saveWorkflowRun(state);
  const runner = new GraphRunner(published, state, {
    tools,
    eventLog: new DrizzleEventLogWriter({ retain_checkpoints: 3 }),
    persistState: (snapshot) => persistence.saveWorkflowSnapshot(snapshot),
  });
  const end = await runner.run();
  if (end.status !== "completed") throw new Error(`a run is ${end.status}: ${end.last_error}`);
};

/** The first precedes the first step. */
const count = async (ids) => {
  const { rows } = await client.query(
    "select coalesce(sum(steps), 0)::int as n from (select count(distinct iteration_count) filter (where iteration_count > 0) as steps from (select run_id, (state->>'iteration_count')::int as iteration_count from workflow_states where run_id = any($1)) s group by run_id) each_run",
    [ids.map((id) => runIds.get(id))],
  );

  return rows[0].n;
};

// Loaded before the clock starts, like all peers' code.
await graphOf(order.steps);
answer(await measure({ drive, count, newId: randomUUID }));
