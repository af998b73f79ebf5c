/** Port to language models. Only `sdk` and `scripted` import the AI SDK. */
import type { OutageCause } from "@/lib/engine/outage-causes";
import type { Usage } from "@/lib/engine/usage";
import type { ThreadMessage, ToolCall } from "@/lib/engine/thread";
import type { JsonObject } from "@/lib/json";
import type { Effort } from "@/lib/model-effort";
import type { ModelInfo } from "@/lib/model-info";
import type { ProviderKind } from "@/lib/model-provider";
import type { EgressPolicy } from "@/server/security/egress-url";
import type { PersonaName } from "@/lib/scripted-personas";
import type { ScriptErrorCode } from "./scripted/script";

export type ModelFile = { readonly name: string; readonly mediaType: string; readonly base64: string; readonly tokens: number };

export type GenerateRequest = {
  /** `scripted:<persona>` or `<provider>:<model id>`. */
  readonly model: string;
  readonly agent: string;
  readonly node: string;
  readonly step: number;
  readonly system: string;
  readonly prompt: string;
  readonly thread: readonly ThreadMessage[];
  readonly files?: readonly ModelFile[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly input_schema: JsonObject }[];
  readonly answer: "text" | "json";
  /** Sent as the response format where the provider takes one. */
  readonly answerSchema?: JsonObject | undefined;
  readonly temperature?: number | undefined;
  readonly effort?: Effort | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly timeoutMs: number;
};

type Said = {
  readonly text: string;
  readonly tool_calls: readonly ToolCall[];
  /** Cut off at the length limit; its calls are dropped. */
  readonly truncated?: true | undefined;
  readonly reasoning?: string | undefined;
};

export type GenerateResult = Said & { readonly usage: Usage };

export type Tokens = {
  /** Including cache reads and writes. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Of the output. */
  readonly reasoning: number;
};

export type ProviderDescription =
  | { readonly type: "scripted"; readonly persona: PersonaName }
  | {
      readonly type: "http";
      readonly kind: ProviderKind;
      readonly name: string;
      readonly baseUrl: string | null;
      readonly key: string | null;
      /** Null for the operator's own addresses. */
      readonly guard: EgressPolicy | null;
    };

export type ModelCall = { readonly provider: ProviderDescription; readonly modelId: string; readonly request: GenerateRequest };

export const FINISH_REASONS = ["stop", "length", "content-filter", "tool-calls", "error", "interrupted", "other"] as const;

export type RawAnswer = Said & { readonly tokens: Tokens; readonly answeredBy: string; readonly finish: (typeof FINISH_REASONS)[number] };

/** Text so far; not state before the answer is committed. */
export type SaidSoFar = {
  readonly text: string;
  readonly tool: string | null;
};

/** Never waits or fails. */
export type NoteSaid = (said: SaidSoFar) => void;

/** One call without retry or tool execution; streams if `note` is given. @throws ModelError, or the signal's reason */
export type CallModel = (call: ModelCall, signal: AbortSignal, note?: NoteSaid) => Promise<RawAnswer>;

/** Worst case, for a budget to cover. */
export type Estimate = { readonly tokens: number; readonly cost_micro_usd: number };

export const MODEL_ERROR_CODES = [
  "model_unknown",
  "model_not_allowed",
  "model_unusable",
  "model_file_unusable",
  "model_price_unknown",
  "model_failed",
  "model_timeout",
  "model_rate_limited",
  "script_exhausted",
] as const;

export type ModelErrorCode = (typeof MODEL_ERROR_CODES)[number] | ScriptErrorCode;

export type Billed = "no" | "maybe";

export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly billed: Billed;
  /** Set if the provider is at fault, so that waiting helps. */
  readonly outage: OutageCause | null;

  constructor(
    code: ModelErrorCode,
    retryable: boolean,
    message: string,
    { retryAfterMs = null, billed, outage = null }: { retryAfterMs?: number | null; billed: Billed; outage?: OutageCause | null },
  ) {
    super(message);
    this.name = "ModelError";
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.billed = billed;
    this.outage = outage;
  }
}

export type Models = {
  list(): readonly ModelInfo[];
  estimate(request: GenerateRequest): Estimate;
  /** Null: unknown. */
  contextTokens(model: string): number | null;
  generate(request: GenerateRequest, signal: AbortSignal, note?: NoteSaid): Promise<GenerateResult>;
};

/** @param environment a run's; null: none, as in a test call */
export type ModelsFor = (workspaceId: string, environment?: string | null) => Promise<Models>;

export const useSameModels =
  (models: Models): ModelsFor =>
  () =>
    Promise.resolve(models);
