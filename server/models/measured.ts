import { OWN_BASE_URLS, PROVIDER_KINDS, type ProviderKind } from "@/lib/model-provider";
import { countModelCall, startStopwatch, type ModelCall, type ModelProvider } from "@/server/metrics";
import { describeServer, runInSpan, type SpanAttributes } from "@/server/trace";
import { ModelError, type GenerateRequest, type GenerateResult, type ProviderDescription, type RawAnswer } from "./contract";
import type { Entry } from "./providers";

export type NoteResponse = (model: string, finish: RawAnswer["finish"]) => void;

const isKind = (provider: string): provider is ProviderKind => PROVIDER_KINDS.some((kind) => kind === provider);

/** Workspaces name their providers freely, so all of them share one label. */
const providerLabel = ({ scripted, provider }: Entry["info"]): ModelProvider => {
  if (scripted) return "scripted";

  return isKind(provider) ? provider : "own";
};

const FAILURES = ["model_failed", "model_timeout", "model_rate_limited"] as const;

const outcomeOf = (error: unknown): ModelCall["outcome"] => {
  if (!(error instanceof ModelError)) return "given_up";

  return FAILURES.find((code) => code === error.code) ?? "other";
};

/** Dates and versions such as `-2026-03-01`, without room for other text. */
const RELEASE = /^(?:[-@.:]\d{1,8}){0,4}$/;

/** Providers control this text: only a release of the requested model is reported. */
const releaseOf = (asked: string, said: string): string | null =>
  said.startsWith(asked) && RELEASE.test(said.slice(asked.length)) ? said : null;

const addressOf = (provider: ProviderDescription | null): SpanAttributes => {
  const base = provider?.type === "http" ? URL.parse(provider.baseUrl ?? OWN_BASE_URLS[provider.kind] ?? "") : null;

  return base ? describeServer(base) : {};
};

export const measureCall = (
  { info, modelId, provider: connection }: Pick<Entry, "info" | "modelId"> & { readonly provider: ProviderDescription | null },
  { agent }: Pick<GenerateRequest, "agent">,
  call: (noteResponse: NoteResponse) => Promise<GenerateResult>,
): Promise<GenerateResult> => {
  const provider = providerLabel(info);
  const asked = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": modelId,
    "gen_ai.agent.id": agent,
    ...addressOf(connection),
  };

  return runInSpan(
    `chat ${modelId}`,
    asked,
    async (note) => {
      const elapsed = startStopwatch();
      try {
        const result = await call((said, finish) => {
          note({ "gen_ai.response.finish_reasons": [finish.replace("-", "_")] });
          const release = releaseOf(modelId, said);
          if (release !== null) note({ "gen_ai.response.model": release });
        });
        const { usage } = result;
        countModelCall({ provider, outcome: "ok", seconds: elapsed(), usage });
        note({ "gen_ai.usage.input_tokens": usage.input_tokens, "gen_ai.usage.output_tokens": usage.output_tokens });

        return result;
      } catch (error) {
        const outcome = outcomeOf(error);
        countModelCall({ provider, outcome, seconds: elapsed(), usage: null });
        note({ "error.type": outcome });
        throw error;
      }
    },
    "asks",
  );
};
