/** What the drivers of all peers share: what they are told, their watch, how they answer. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";

/**
 * `{ databaseUrl, runs, steps, warmSteps, stateBytes }`: so many runs at once, of so many steps each, an even number from 4 on, after
 * one run of `warmSteps` before the clock starts. With `{ mode, run }` it is about one run: a process that drives it, to be killed, or (`resume`) one that goes on with it.
 */
export const order = JSON.parse(process.argv[2] ?? "{}");

export const must = (holds, otherwise) => {
  if (!holds) throw new Error(otherwise);
};

/** Takes down when each run made its steps. */
export const stopwatch = () => {
  const last = new Map();
  const latencies = [];

  return {
    latencies,
    step: (run) => {
      const now = performance.now();
      const before = last.get(run);
      if (before !== undefined) latencies.push(now - before);
      last.set(run, now);
    },
  };
};

/**
 * Warms up, drives all runs at once against the clock, and has the durable steps counted afterwards.
 * @param drive one run of so many steps under this id; tells the watch of each
 * @param count how many durable steps the runs with these ids have in the database
 */
export const measure = async ({ drive, count, newId }) => {
  const warm = newId();
  await drive(warm, order.warmSteps, () => undefined);
  const ids = Array.from({ length: order.runs }, newId);
  const watch = stopwatch();
  const startedAt = performance.now();
  await Promise.all(ids.map((id) => drive(id, order.steps, watch.step)));
  const seconds = (performance.now() - startedAt) / 1_000;

  return { steps: await count(ids), warmed: await count([warm]), seconds, latencies: watch.latencies };
};

/** The last line of the output is the answer. Some peers keep timers that nobody ends. */
export const answer = (measured) => process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));

/** Nothing that a database could make smaller. */
export const text = () => randomBytes(order.stateBytes).toString("base64").slice(0, order.stateBytes);

/** Says that it is ready, waits to be told, and drives the run or goes on with it. */
export const live = async (work) => {
  process.stdout.write("ready\n");
  await once(process.stdin, "data");
  await work(order.run, order.steps, () => undefined);
  answer({ steps: order.steps });
};
