/** Snapshot after each step. */
import { randomUUID } from "node:crypto";
import { Mastra } from "@mastra/core";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { PostgresStore } from "@mastra/pg";
import pg from "pg";
import { z } from "zod";
import { answer, measure, order, text } from "./driver.mjs";

/** So that step results do not repeat it. */
const input = z.object({ id: z.string(), text: z.string(), count: z.number() });
const memory = z.object({ id: z.string(), count: z.number() });
const watches = new Map();

const stepOf = (number) =>
  createStep({
    id: `step${number}`,
    inputSchema: memory,
    outputSchema: memory,
    execute: async ({ inputData }) => {
      watches.get(inputData.id)?.(inputData.id);

      return { id: inputData.id, count: inputData.count + 1 };
    },
  });

const workflowOf = (steps) =>
  Array.from({ length: steps }, (_, number) => stepOf(number))
    .reduce((workflow, step) => workflow.then(step), createWorkflow({ id: `chain${steps}`, inputSchema: input, outputSchema: memory }))
    .commit();

const storage = new PostgresStore({ id: "bench", connectionString: order.databaseUrl, max: 10 });
const lengths = [...new Set([order.warmSteps, order.steps])];
const mastra = new Mastra({
  storage,
  workflows: Object.fromEntries(lengths.map((steps) => [`chain${steps}`, workflowOf(steps)])),
  logger: false,
});
await storage.init();

const drive = async (id, steps, onStep) => {
  watches.set(id, onStep);
  const run = await mastra.getWorkflow(`chain${steps}`).createRun({ runId: id });
  const end = await run.start({ inputData: { id, text: text(), count: 0 } });
  if (end.status !== "success") throw new Error(`a run is ${end.status}`);
};

/** In each run's last snapshot. */
const count = async (ids) => {
  const client = new pg.Client({ connectionString: order.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::int as n from mastra_workflow_snapshot, lateral jsonb_object_keys(snapshot::jsonb -> 'context') as key
     where run_id = any($1) and key like 'step%'`,
    [ids],
  );
  await client.end();

  return rows[0].n;
};

answer(await measure({ drive, count, newId: randomUUID }));
