/** The port to language models. Only `sdk` and `scripted` import the AI SDK, and they run in a worker. */
import type { Usage } from "@/lib/engine/usage";
import type { ThreadMessage, ToolCall } from "@/lib/engine/thread";
import type { JsonObject } from "@/lib/json";
import type { ModelInfo } from "@/lib/model-info";
import type { ProviderKind } from "@/lib/model-provider";
import type { EgressPolicy } from "@/server/security/egress-url";
import type { PersonaName } from "./scripted/persona-names";
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

export type Tokens = {
  /** Including what was read from or written to a cache. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
};

/** How a provider is reached, as plain data that crosses to another process. A new key or address is another description. */
export type ProviderDescription =
  | { readonly type: "scripted"; readonly persona: PersonaName }
  | {
      readonly type: "http";
      readonly kind: ProviderKind;
      readonly name: string;
      /** Null: the provider's own address. */
      readonly baseUrl: string | null;
      readonly key: string | null;
      /** What the egress guard lets through; null for addresses that the operator set. */
      readonly guard: EgressPolicy | null;
    };

/** One call of a model, with all that is needed to make it anywhere. */
export type ModelCall = { readonly provider: ProviderDescription; readonly modelId: string; readonly request: GenerateRequest };

/** An answer as the provider gave it: what it cost is calculated by the control plane. */
export type RawAnswer = {
  readonly text: string;
  readonly tool_calls: readonly ToolCall[];
  readonly tokens: Tokens;
  /** What the provider says that it answered with. */
  readonly answeredBy: string;
};

/** Makes one call: no retry, no tool execution. @throws ModelError, or the signal's reason */
export type CallModel = (call: ModelCall, signal: AbortSignal) => Promise<RawAnswer>;

/** Worst case of a call before it is made: what a budget must still cover. Money in micro-USD. */
export type Estimate = { readonly tokens: number; readonly cost_micro_usd: number };

export const MODEL_ERROR_CODES = [
  "model_unknown",
  "model_not_allowed",
  "model_unusable",
  "model_price_unknown",
  "model_failed",
  "model_timeout",
  "model_rate_limited",
  "script_exhausted",
] as const;

export type ModelErrorCode = (typeof MODEL_ERROR_CODES)[number] | ScriptErrorCode;

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
