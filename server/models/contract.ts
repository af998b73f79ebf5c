/** The port to language models. Implementations live beside this file; only they import the AI SDK. */
import type { Usage } from "@/lib/engine/usage";
import type { ThreadMessage, ToolCall } from "@/lib/engine/thread";
import type { JsonObject } from "@/lib/json";
import type { ModelInfo } from "@/lib/model-info";
import type { ScriptErrorCode } from "./scripted/script";

export type GenerateRequest = {
  /** `scripted:<persona>` or `<provider>:<model id>`. */
  readonly model: string;
  readonly agent: string;
  readonly node: string;
  readonly step: number;
  readonly system: string;
  readonly prompt: string;
  readonly thread: readonly ThreadMessage[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly input_schema: JsonObject }[];
  readonly answer: "text" | "json";
  /** Absent: the provider's own. */
  readonly temperature?: number | undefined;
  /** Absent: as much as an answer ever needs. */
  readonly maxOutputTokens?: number | undefined;
  readonly timeoutMs: number;
};

export type GenerateResult = { readonly text: string; readonly tool_calls: readonly ToolCall[]; readonly usage: Usage };

/** Worst case of a call before it is made: what a budget must still cover. Money in micro-USD. */
export type Estimate = { readonly tokens: number; readonly cost_micro_usd: number };

export type ModelErrorCode =
  | "model_unknown"
  | "model_not_allowed"
  | "model_unusable"
  | "model_price_unknown"
  | "model_failed"
  | "model_timeout"
  | "model_rate_limited"
  | "script_exhausted"
  | ScriptErrorCode;

/** Whether the provider may ask money for a call that brought no answer. */
export type Billed = "no" | "maybe";

export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly billed: Billed;

  constructor(
    code: ModelErrorCode,
    retryable: boolean,
    message: string,
    { retryAfterMs = null, billed }: { retryAfterMs?: number | null; billed: Billed },
  ) {
    super(message);
    this.name = "ModelError";
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.billed = billed;
  }
}

export type Models = {
  list(): readonly ModelInfo[];
  estimate(request: GenerateRequest): Estimate;
  /** One call, no retry, no tool execution. @throws ModelError */
  generate(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResult>;
};

/** What one workspace can call at this moment: its installation's models and its own, as far as its admins allow them. */
export type ModelsFor = (workspaceId: string) => Promise<Models>;

/** The same for every workspace. */
export const sameForAll =
  (models: Models): ModelsFor =>
  () =>
    Promise.resolve(models);
