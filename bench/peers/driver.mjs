/** Shared by peers. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";

/** `{ databaseUrl, runs, steps, warmSteps, stateBytes }`; `steps`: even, from 4. With `{ mode, run }`: one run, to be killed or resumed. */
export const order = JSON.parse(process.argv[2] ?? "{}");

export const must = (holds, otherwise) => {
  if (!holds) throw new Error(otherwise);
};

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
 * @param drive runs so many steps under this id and reports each
 * @param count durable steps of these runs
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

/** Exits, since some peers keep timers open. */
export const answer = (measured) => process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));

export const text = () => randomBytes(order.stateBytes).toString("base64").slice(0, order.stateBytes);

/** Reports readiness, waits for the order, then drives or resumes. */
export const live = async (work) => {
  process.stdout.write("ready\n");
  await once(process.stdin, "data");
  await work(order.run, order.steps, () => undefined);
  answer({ steps: order.steps });
};
