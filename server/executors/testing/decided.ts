import { getCode, result, started, type TestRun } from "@/lib/engine/testing/run";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import type { ModelRequest } from "@/server/executors/contract";
import { playAttempt, type Turn } from "@/server/executors/testing/play-run";
import type { Cast } from "@/server/executors/testing/stage";

const turnOf = async (cast: Cast, request: ModelRequest): Promise<Turn> => {
  const line = await (cast.model?.(request) ?? "");
  const { text = "", calls = [] } = typeof line === "string" ? { text: line } : line;

  return { tokens: 10, costMicroUsd: 10, said: { text, calls } };
};

/** Works on the current node. @returns the code of the verdict or failure */
export const workOnNode = async (run: TestRun, cast: Cast): Promise<string> => {
  const outcome = await playAttempt(run, {
    model: (request) => turnOf(cast, request),
    tool: (request) => cast.tool?.(request) ?? { status: "ok", result: {} },
  });
  if (!outcome) return "suspended";

  return outcome.type === "failure" ? outcome.code : getCode(run.work(result(...outcome.actions)));
};

/** Starts a version and works on its first node. */
export const decided = async (published: PublishedGraph, inputs: Json, cast: Cast) => {
  const run = started(published, inputs);
  const code = await workOnNode(run, cast);
  const refusals = run.records().flatMap(({ record }) => (record.refusal ? [record.refusal.code] : []));

  return { run, code, refusals };
};
