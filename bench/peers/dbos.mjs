import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { answer, live, measure, order, text } from "./driver.mjs";

const watches = new Map();

const counting = DBOS.registerWorkflow(
  async (id, steps, memory) => {
    let { count } = memory;
    const step = (name, next) =>
      DBOS.runStep(
        async () => {
          watches.get(id)?.(id);

          return next(count);
        },
        { name },
      );
    count = await step("first", (now) => now);
    for (let round = 0; round < (steps - 2) / 2; round += 1) {
      count = await step("work", (now) => now + 1);
      count = await step("more", (now) => now);
    }

    return step("done", (now) => now);
  },
  { name: "counting" },
);

DBOS.setConfig({ name: "bench", systemDatabaseUrl: order.databaseUrl, logLevel: "error", runAdminServer: false, applicationVersion: "1" });
// Recovery starts on launch.
if (order.mode !== "resume") await DBOS.launch();

const drive = async (id, steps, onStep) => {
  watches.set(id, onStep);
  const handle = await DBOS.startWorkflow(counting, { workflowID: id })(id, steps, { text: text(), count: 0 });
  await handle.getResult();
};

const count = async (ids) => {
  const client = new pg.Client({ connectionString: order.databaseUrl });
  await client.connect();
  const { rows } = await client.query("select count(*)::int as n from dbos.operation_outputs where workflow_uuid = any($1)", [ids]);
  await client.end();

  return rows[0].n;
};

const resume = async (id) => {
  await DBOS.launch();
  await DBOS.retrieveWorkflow(id).getResult();
};

if (order.mode === undefined) answer(await measure({ drive, count, newId: randomUUID }));
else await live(order.mode === "resume" ? resume : drive);
