import type { NodeOf } from "@/lib/graph/document";
import { handleOf } from "@/lib/engine/isolation";
import { createSourceLabel } from "@/lib/graph/label";
import { getValueAtText } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { runAgentTask, type TaskEnd, type Work } from "@/server/executors/agent-task";
import type { ExecutorInput, ExecutorOutcome } from "@/server/executors/contract";
import { workOn, type ItemEnd, type Worker } from "@/server/executors/map-item";
import { isSpent } from "@/server/executors/part";
import { findParty } from "@/server/executors/party";
import { runPooled } from "@/server/executors/pool";
import { agentMissing, createFailure, executeKind, buildOutcome } from "@/server/executors/written";

const UNTRUSTED = createSourceLabel("untrusted", "internal", "map");

type MapNode = NodeOf<"map">;
/** Absent: stopped because another item ended the map. */
type Ends = readonly (ItemEnd | undefined)[];

const SYNTHESIZE = "Make one answer of the results, which are given as data in the order of the items. Failed items are null.";

const STOPPED = new Error("another item has failed");

const itemsOf = ({ config }: MapNode, input: ExecutorInput): readonly Json[] | null => {
  if ("value" in config.items) return config.items.value;
  const value = getValueAtText(input.view, config.items.from);

  return Array.isArray(value) ? (value as readonly Json[]) : null;
};

const isFatal = ({ config }: MapNode, end: ItemEnd | undefined): boolean =>
  end?.type === "failure" && (config.error_strategy === "fail_fast" || isSpent(end));

const allItems = (node: MapNode, worker: Worker, items: readonly Json[], { input, gateways, signal }: Work): Promise<Ends> => {
  const stop = new AbortController();
  const work = { input, gateways, signal: AbortSignal.any([signal, stop.signal]) };
  const one = async (value: Json, index: number): Promise<ItemEnd | undefined> => {
    try {
      const end = await workOn(worker, { index, total: items.length, value }, work);
      if (isFatal(node, end)) stop.abort(STOPPED);

      return end;
    } catch (error) {
      if (error !== STOPPED) throw error;

      return undefined;
    }
  };

  return runPooled(items, node.config.max_concurrency, one, (end) => isFatal(node, end));
};

const synthesized = async (node: MapNode, data: Json, work: Work): Promise<TaskEnd> => {
  const { synthesizer } = node.config;
  const party = findParty(work.input, synthesizer?.agent_id);
  if (!party) return agentMissing;

  return runAgentTask(
    {
      ...party,
      task: "synthesizer",
      instructions: [synthesizer?.instructions ?? "", SYNTHESIZE],
      data,
      answer: "text",
      writes: [],
    },
    work,
  );
};

/** Results derived from an item are as untrusted, and withheld likewise. */
const shownResults = (results: readonly Json[], { isolated, worker }: ExecutorInput): readonly Json[] =>
  isolated && worker?.node.kind !== "agent" ? results.map((value, index) => handleOf(`results.${index}`, value, UNTRUSTED)) : results;

const finished = async (node: MapNode, ends: Ends, work: Work): Promise<ExecutorOutcome> => {
  const results = ends.map((end) => (end?.type === "value" ? end.value : null));
  const errors = ends.flatMap((end, index) => (end?.type === "failure" ? [{ index, code: end.code }] : []));
  const beside = [{ path: node.config.errors_to, value: errors }];
  if (!node.config.synthesizer) return buildOutcome(work.input, node.config.write_to, results, beside);
  const answer = await synthesized(node, { results: shownResults(results, work.input), errors }, work);

  return answer.type === "failure" ? answer : buildOutcome(work.input, node.config.write_to, answer.text, beside);
};

/** Runs the worker per item; retrying the whole map would repeat successful effects. */
export const mapExecutor = executeKind("map", async (node, input, gateways, signal) => {
  const { worker } = input;
  if (!worker) return createFailure("map_no_worker", false, "The map's worker is not part of this version.");
  const items = itemsOf(node, input);
  if (!items) return createFailure("map_no_list", false, "There is no list at the path that the map works on.");
  if (items.length > node.config.max_items) {
    return createFailure("map_too_many_items", false, `The list has ${items.length} items, and the map takes ${node.config.max_items}.`);
  }
  const work = { input, gateways, signal };
  const ends = await allItems(node, worker, items, work);
  const index = ends.findIndex((end) => isFatal(node, end));
  const fatal = ends[index];
  if (fatal?.type === "failure") return createFailure(fatal.code, false, `Item ${index}: ${fatal.detail}`);

  return finished(node, ends, work);
});
