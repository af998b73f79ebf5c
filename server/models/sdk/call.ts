import type { LanguageModelV4 } from "@ai-sdk/provider";
import { APICallError, generateText, jsonSchema, tool, UnsupportedFunctionalityError, type ModelMessage, type ToolSet } from "ai";
import { MAX_REASONING_CHARACTERS, type ToolCall } from "@/lib/engine/thread";
import { toPlainJson } from "@/lib/json";
import { ModelError, type GenerateRequest, type NoteSaid, type RawAnswer } from "@/server/models/contract";
import { MAX_OUTPUT_TOKENS } from "@/server/models/usage";
import { toModelError } from "./failure";
import { buildModelMessages } from "./messages";
import { isSendable, withResponseFormat } from "./response-format";
import { withStreaming } from "./streaming";
import { countTokens } from "./tokens";
import { withUniqueCallIds } from "./unique-ids";

const MAX_CALLS = 100;
const MAX_NAME_CHARACTERS = 300;
const MAX_TEXT_CHARACTERS = 200_000;
const INPUT_LIMITS = { maxBytes: 262_144, maxDepth: 32 };

/** Accepts any input; the control plane checks it against the pinned schema. */
const toolSet = (request: GenerateRequest): ToolSet =>
  Object.fromEntries(
    request.tools.map(({ name, description, input_schema }) => [name, tool({ description, inputSchema: jsonSchema({ ...input_schema }) })]),
  );

/** Non-JSON input is kept as text, so that its refusal is recorded. */
const inputJson = (input: unknown): ToolCall["input"] => {
  const plain = toPlainJson(input, INPUT_LIMITS);
  if (plain.ok) return plain.value;

  return (typeof input === "string" ? input : (JSON.stringify(input) ?? "")).toWellFormed().slice(0, 2_000);
};

const bounded = (text: string, most: number): string => text.toWellFormed().slice(0, most).toWellFormed();

/** Ours: a repeated id from a model would return another call's recorded answer. */
const toolCall = (name: string, input: unknown, step: number, index: number): ToolCall => ({
  id: `s${step}c${index}`,
  name: bounded(name, MAX_NAME_CHARACTERS),
  input: inputJson(input),
});

const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

const withCacheMarks = (system: string, messages: readonly ModelMessage[], hasTools: boolean) => {
  const last = messages.at(-1);

  return {
    instructions: { role: "system" as const, content: system, providerOptions: CACHED },
    // A step without tools is rarely followed by another.
    messages: last && hasTools ? [...messages.slice(0, -1), { ...last, providerOptions: CACHED }] : [...messages],
  };
};

const ask = async (model: LanguageModelV4, request: GenerateRequest, signal: AbortSignal): Promise<RawAnswer> => {
  const { answerSchema: schema } = request;
  const messages = buildModelMessages(request.prompt, request.thread, request.files);
  const result = await generateText({
    model: withUniqueCallIds(isSendable(schema) ? withResponseFormat(model, schema) : model),
    ...(model.provider.startsWith("anthropic")
      ? withCacheMarks(request.system, messages, request.tools.length > 0)
      : { instructions: request.system, messages }),
    tools: toolSet(request),
    maxOutputTokens: request.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
    maxRetries: 0,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.effort === undefined ? {} : { reasoning: request.effort }),
    abortSignal: signal,
    // Read only by scripted models.
    ...(model.provider === "scripted"
      ? { providerOptions: { scripted: { agent: request.agent, node: request.node, answer: request.answer } } }
      : {}),
  });
  const ended = result.finishReason;
  if (ended === "error" || ended === "content-filter") {
    throw new ModelError("model_failed", ended === "error", "The model's provider cut the answer off.", { billed: "maybe" });
  }
  if (result.toolCalls.length > MAX_CALLS) {
    throw new ModelError("model_failed", true, "The model made too many calls at once.", { billed: "maybe" });
  }
  const text = bounded(result.text, MAX_TEXT_CHARACTERS);
  // The last call of a cut-off turn is incomplete, and the earlier ones may depend on it.
  const truncated = ended === "length";
  const tool_calls = truncated ? [] : result.toolCalls.map((call, index) => toolCall(call.toolName, call.input, request.step, index));
  const tokens = countTokens(result.usage, request, { text, tool_calls });

  const reasoning = bounded(result.reasoningText ?? "", MAX_REASONING_CHARACTERS);

  return {
    text,
    tool_calls,
    ...(truncated ? { truncated } : {}),
    ...(reasoning === "" ? {} : { reasoning }),
    tokens,
    answeredBy: result.response.modelId,
    finish: ended,
  };
};

/** Features that a server lacks; its first 400 teaches them. */
export type ServerMemory = { takesEffort: boolean; takesSchema: boolean; streams: boolean };

type Asking = { readonly memory?: ServerMemory | null | undefined; readonly note?: NoteSaid | undefined };
type Used = Readonly<ServerMemory>;

const isBadRequest = (error: unknown): boolean => APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422);

const isAboutFiles = (error: unknown): boolean =>
  UnsupportedFunctionalityError.isInstance(error) ||
  isBadRequest(error) ||
  (APICallError.isInstance(error) && [413, 415].includes(error.statusCode ?? 0));

/** In turn: a 400 does not say which feature it is about. */
const listAttempts = (used: Used): readonly Used[] => {
  const plain = { ...used, takesSchema: false };
  const all = [
    used,
    { ...used, takesEffort: false },
    plain,
    { ...plain, streams: false },
    { takesEffort: false, takesSchema: false, streams: false },
  ];

  return [...new Map(all.map((each) => [Object.values(each).join(" "), each])).values()];
};

const askWith = (
  model: LanguageModelV4,
  { answerSchema, effort, ...plain }: GenerateRequest,
  signal: AbortSignal,
  { takesEffort, takesSchema, streams, note }: Used & { readonly note: NoteSaid | undefined },
): Promise<RawAnswer> =>
  ask(
    streams && note ? withStreaming(model, note) : model,
    { ...plain, ...(takesSchema ? { answerSchema } : {}), ...(takesEffort ? { effort } : {}) },
    signal,
  );

const askAsTaken = async (
  model: LanguageModelV4,
  request: GenerateRequest,
  signal: AbortSignal,
  { memory, note }: Asking,
): Promise<RawAnswer> => {
  const used: Used = {
    takesEffort: request.effort !== undefined && memory?.takesEffort !== false,
    takesSchema: isSendable(request.answerSchema) && memory?.takesSchema !== false,
    streams: note !== undefined && model.provider !== "scripted" && memory?.streams !== false,
  };
  const [first = used, ...others] = listAttempts(used);
  const tryNext = async (takes: Used, left: readonly Used[]): Promise<RawAnswer> => {
    try {
      const answer = await askWith(model, request, signal, { ...takes, note });
      if (memory && takes !== used)
        for (const feature of ["takesEffort", "takesSchema", "streams"] as const) memory[feature] &&= takes[feature] || !used[feature];

      return answer;
    } catch (error) {
      const [next, ...rest] = left;
      if (!memory || !next || !isBadRequest(error)) throw error;

      return tryNext(next, rest);
    }
  };

  return tryNext(first, others);
};

/** Calls a model: one step, no tool execution, no retry except for `memory`. @throws ModelError, or the signal's reason */
export const askModel = async (
  model: LanguageModelV4,
  request: GenerateRequest,
  signal: AbortSignal,
  asking: Asking = {},
): Promise<RawAnswer> => {
  const timer = AbortSignal.timeout(request.timeoutMs);
  try {
    return await askAsTaken(model, request, AbortSignal.any([signal, timer]), asking);
  } catch (error) {
    signal.throwIfAborted();
    if (request.files?.length && isAboutFiles(error)) {
      throw new ModelError(
        "model_file_unusable",
        false,
        "The model's provider refused a call with files: it may take none, or not of this type or size.",
        { billed: "no" },
      );
    }
    throw toModelError(error, timer.aborted, Date.now());
  }
};
