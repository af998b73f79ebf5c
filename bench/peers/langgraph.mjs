/** Each step durable before the next. */
import { randomUUID } from "node:crypto";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import pg from "pg";
import { answer, live, measure, order, text } from "./driver.mjs";

const State = Annotation.Root({ text: Annotation(), count: Annotation(), rounds: Annotation() });

const CONNECTIONS = 10;
const pool = new pg.Pool({ connectionString: order.databaseUrl, max: CONNECTIONS });
const saver = new PostgresSaver(pool);
await saver.setup();

const watches = new Map();
const seen = (config) => watches.get(config.configurable.thread_id)?.(config.configurable.thread_id);

const graph = new StateGraph(State)
  .addNode("first", ({ count }, config) => {
    seen(config);

    return { count };
  })
  .addNode("work", ({ count }, config) => {
    seen(config);

    return { count: count + 1 };
  })
  .addNode("more", (_state, config) => {
    seen(config);

    return {};
  })
  .addNode("done", ({ count }, config) => {
    seen(config);

    return { count };
  })
  .addEdge(START, "first")
  .addEdge("first", "work")
  .addEdge("work", "more")
  .addConditionalEdges("more", ({ count, rounds }) => (count < rounds ? "work" : "done"), ["work", "done"])
  .addEdge("done", END)
  .compile({ checkpointer: saver });

const drive = async (id, steps, onStep) => {
  watches.set(id, onStep);
  const config = { configurable: { thread_id: id }, durability: "sync", recursionLimit: steps + 10 };
  await graph.invoke({ text: text(), count: 0, rounds: (steps - 2) / 2 }, config);
};

/** Input checkpoints are numbered below 1. */
const count = async (ids) => {
  const { rows } = await pool.query(
    "select count(*)::int as n from checkpoints where thread_id = any($1) and (metadata->>'step')::int >= 1",
    [ids],
  );

  return rows[0].n;
};

const resume = (id, steps) => graph.invoke(null, { configurable: { thread_id: id }, durability: "sync", recursionLimit: steps + 10 });

if (order.mode === undefined) answer(await measure({ drive, count, newId: randomUUID }));
else await live(order.mode === "resume" ? resume : drive);
