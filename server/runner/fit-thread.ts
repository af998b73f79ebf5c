import {
  DEFAULT_POLICY,
  countTurnsToReplace,
  getCompaction,
  getThreadLimit,
  getTurnsAfter,
  MAX_SUMMARY_CHARACTERS,
} from "@/lib/engine/compaction";
import type { BodyOf } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import type { Graph } from "@/lib/graph/document";
import type { Refused } from "@/server/executors/contract";
import type { GenerateRequest, GenerateResult } from "@/server/models/contract";
import { buildSummaryPrompt, SUMMARY_SYSTEM, withEarlierTurns } from "@/server/models/prompt";
import { estimateInput, MAX_OUTPUT_TOKENS } from "@/server/models/usage";

const MAX_SUMMARY_TOKENS = 2_000;
const NO_SUMMARY = "The model gave no summary.";

type Body = BodyOf<"compaction">;

export type Fitting = {
  readonly graph: Graph;
  readonly state: () => RunState;
  readonly task: string;
  readonly activation: number;
  /** Null: unknown. */
  readonly contextTokens: number | null;
  readonly spend: (call: GenerateRequest) => Promise<{ readonly reservation: string; readonly answer: GenerateResult } | Refused>;
  readonly record: (body: Body) => Promise<Refused | null>;
};

/** Small models still read half of their context. */
const getInputTokens = (contextTokens: number): number => Math.max(contextTokens - MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 2));

const shorten = (call: GenerateRequest, { state, task }: Fitting): GenerateRequest => {
  const compaction = getCompaction(state(), task);

  return { ...call, thread: getTurnsAfter(call.thread, compaction), prompt: withEarlierTurns(call.prompt, compaction) };
};

const summarise = async (call: GenerateRequest, turns: number, limit: number, fitting: Fitting): Promise<Body["summarised"] | Refused> => {
  const { answerSchema: _schema, effort: _effort, temperature: _temperature, files: _files, ...rest } = call;
  const before = getCompaction(fitting.state(), fitting.task);
  const replaced = getTurnsAfter(call.thread, before).slice(0, -getTurnsAfter(call.thread, { turns, summary: null }).length);
  const spent = await fitting.spend({
    ...rest,
    system: SUMMARY_SYSTEM,
    prompt: buildSummaryPrompt(before?.summary ?? null, replaced, limit),
    thread: [],
    tools: [],
    answer: "text",
    maxOutputTokens: MAX_SUMMARY_TOKENS,
  });
  if ("status" in spent) return spent;
  const { text, usage } = spent.answer;

  return { summary: text.slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed() || NO_SUMMARY, reservation_id: spent.reservation, usage };
};

/** @throws ModelError, Suspended */
export const fitThread = async (call: GenerateRequest, fitting: Fitting): Promise<GenerateRequest | Refused> => {
  const { graph, contextTokens, state, task, activation } = fitting;
  const limit = getThreadLimit(graph, contextTokens === null ? null : getInputTokens(contextTokens));
  const now = shorten(call, fitting);
  if (limit === null || estimateInput(now) <= limit) return now;
  const room = limit - estimateInput({ ...now, thread: [] });
  const measure = (thread: GenerateRequest["thread"]) => estimateInput({ ...now, thread }) - estimateInput({ ...now, thread: [] });
  const turns = countTurnsToReplace(call.thread, getCompaction(state(), task)?.turns ?? 0, room, measure);
  if (turns === 0) return now;
  const summarised = (graph.over_thread ?? DEFAULT_POLICY) === "drop" ? null : await summarise(call, turns, limit, fitting);
  if (summarised && "status" in summarised) return summarised;
  const refusal = await fitting.record({ kind: "compaction", activation, task, turns, summarised });

  return refusal ?? shorten(call, fitting);
};
