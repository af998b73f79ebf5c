import { z } from "zod";
import { saidSchema } from "@/lib/engine/said-so-far";
import { taskIdSchema } from "@/lib/engine/task-id";
import { reasoningSchema, threadMessageSchema, toolCallSchema } from "@/lib/engine/thread";
import type { Json } from "@/lib/json";
import type { ExecutorInput, ModelAnswer, NodeWork, Refused, ToolAnswer } from "@/server/executors/contract";
import type { Protocol } from "@/server/ipc/peer";
import { FINISH_REASONS, type ModelCall } from "@/server/models/contract";

/** Recursive checks below stay within the stack. */
const MAX_DEPTH = 300;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const objectsIn = (value: object): readonly object[] => Object.values(value).filter(isObject);

/** Iterative, so that no value overflows the stack. */
const isShallow = (value: unknown): boolean => {
  let level: readonly object[] = isObject(value) ? [value] : [];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) level = level.flatMap(objectsIn);

  return level.length === 0;
};

const trusted = <T>() => z.custom<T>((value) => value !== undefined);
/** From a worker, already parsed as JSON. */
const json = z.custom<Json>((value) => value !== undefined && isShallow(value));
const shallow = z.unknown().refine(isShallow);
const text = z.string().max(4_194_304);
const task = taskIdSchema;

/** 128-bit random id, known only to its worker. */
const executionIdSchema = z.string().regex(/^[0-9a-f]{32}$/);
const execution = { execution: executionIdSchema };
const fact = z.strictObject({ ...execution, task });

const outcomeSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("result"), actions: z.array(json).max(200) }),
  z.strictObject({ type: z.literal("failure"), code: z.string().max(64), retryable: z.boolean(), detail: z.string().max(10_000) }),
]);

const count = z.int().min(0).max(1_000_000_000);

const rawAnswerSchema = z.strictObject({
  text: z.string().max(200_000),
  tool_calls: shallow.pipe(z.array(toolCallSchema).max(100)),
  truncated: z.literal(true).optional(),
  reasoning: reasoningSchema.optional(),
  tokens: z
    .strictObject({ input: count, cacheRead: count, cacheWrite: count, output: count, reasoning: count })
    .refine(({ input, cacheRead, cacheWrite, output, reasoning }) => cacheRead + cacheWrite <= input && reasoning <= output),
  answeredBy: z.string().max(1_000),
  finish: z.enum(FINISH_REASONS),
});

const toolRequestSchema = z.strictObject({
  task,
  call_id: z.string().max(220),
  server: z.string().max(300),
  tool: z.string().max(300),
  arguments: json,
});

const modelRequestSchema = z.strictObject({
  task,
  step: count,
  system: text,
  prompt: text,
  thread: shallow.pipe(z.array(threadMessageSchema)),
  fresh: shallow.pipe(z.array(threadMessageSchema)),
  tools: z.array(z.strictObject({ name: z.string().max(1_000), description: text, input_schema: z.record(z.string(), json) })),
  answer: z.enum(["text", "json"]),
  answerSchema: z.record(z.string(), json).exactOptional(),
  temperature: z.number().exactOptional(),
});

export type ExecuteRequest = NodeWork & { readonly execution: string; readonly input: ExecutorInput };

export const workerProtocol = {
  execute: { request: trusted<ExecuteRequest>(), response: outcomeSchema },
  stop: { request: z.strictObject(execution), response: z.null() },
  generate: { request: trusted<ModelCall & { readonly stream: string | null }>(), response: rawAnswerSchema },
} as const satisfies Protocol;

type Answered = { readonly status: "ok" } | Refused;

export const controlProtocol = {
  tool: { request: z.strictObject({ ...execution, request: toolRequestSchema }), response: trusted<ToolAnswer>() },
  model: { request: z.strictObject({ ...execution, request: modelRequestSchema }), response: trusted<ModelAnswer>() },
  action: { request: z.strictObject({ ...execution, action: json }), response: trusted<Answered>() },
  task_failed: {
    request: fact.extend({ code: z.string().max(64), detail: z.string().max(10_000) }),
    response: z.null(),
  },
  /** Of a call that streams; its id is known only to its worker. */
  said: { request: z.strictObject({ stream: executionIdSchema, ...saidSchema.shape }), response: z.null() },
  verdict: { request: fact, response: trusted<Answered>() },
} as const satisfies Protocol;
