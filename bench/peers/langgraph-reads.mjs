/** Middle state and last page of a thread. Order: `{ databaseUrl, records, page, repeats }`; answers ms. */
import { randomUUID } from "node:crypto";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import pg from "pg";
import { answer, must, order } from "./driver.mjs";

const State = Annotation.Root({ text: Annotation(), count: Annotation(), rounds: Annotation() });

// Setup is unmeasured and repeatable, so not durable.
const pool = new pg.Pool({ connectionString: order.databaseUrl, max: 10, options: "-c synchronous_commit=off" });
const saver = new PostgresSaver(pool);
await saver.setup();

const graph = new StateGraph(State)
  .addNode("work", ({ count }) => ({ count: count + 1 }))
  .addEdge(START, "work")
  .addConditionalEdges("work", ({ count, rounds }) => (count < rounds ? "work" : END), ["work", END])
  .compile({ checkpointer: saver });

const config = { configurable: { thread_id: randomUUID() }, durability: "async", recursionLimit: order.records + 10 };
await graph.invoke({ text: "x".repeat(40), count: 0, rounds: order.records }, config);

const middle = Math.floor(order.records / 2);
const { rows } = await pool.query("select checkpoint_id from checkpoints where thread_id = $1 and (metadata->>'step')::int = $2", [
  config.configurable.thread_id,
  middle,
]);
const at = { configurable: { ...config.configurable, checkpoint_id: rows[0].checkpoint_id } };

const median = async (work) => {
  const taken = [];
  while (taken.length < order.repeats) {
    const startedAt = performance.now();
    await work();
    taken.push(performance.now() - startedAt);
  }

  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)];
};

const state = async () => must((await graph.getState(at)).values.count === middle, "the state is another one");

const listing = async () => {
  let listed = 0;
  for await (const _each of graph.getStateHistory({ configurable: { thread_id: config.configurable.thread_id } }, { limit: order.page })) {
    listed += 1;
  }
  must(listed >= Math.min(order.page, order.records), `${listed} checkpoints were listed`);
};

await state();
await listing();
answer({ state_ms: await median(state), page_ms: await median(listing) });
