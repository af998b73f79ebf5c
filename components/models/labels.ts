import { count, formatMoney } from "@/lib/format";
import { OWN_BASE_URLS, type ProviderKind } from "@/lib/model-provider";
import type { ModelTest } from "@/lib/model-test";
import type { ModelUse } from "@/lib/model-info";
import type { ModelRates } from "@/lib/model-price";
import type { ModelView } from "@/server/trpc/routers/models/settings";

export const KIND_NAMES = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  "openai-compatible": "OpenAI-compatible server",
} as const satisfies Record<ProviderKind, string>;

export const USE_NAMES = { runs: "Runs", architect: "Architect" } as const satisfies Record<ModelUse, string>;

/** Default address. */
export const getUsualAddress = (kind: ProviderKind): string | null => OWN_BASE_URLS[kind];

/** Consequence of allowing a local address. */
export const describeLocalOpening = (address: string): string => {
  const origin = URL.parse(address.trim())?.origin ?? null;

  return origin === null || origin === "null"
    ? "Allows the base URL's origin, and nothing else, on this machine and its private network."
    : `Allows ${origin}, and nothing else, on this machine (127.0.0.0/8, ::1) or its private network (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7). Cloud metadata addresses stay blocked.`;
};

/** USD per million tokens. */
export const rate = (usd: number): string => `$${usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

/** Null: no price. */
export const priceSource = ({ rates, override }: Pick<ModelView, "rates" | "override">, priceList: string): string | null => {
  if (override) return override.source;
  if (rates === null) return null;
  if (rates.source === "override") return "The installation's environment";
  if (rates.source === "self-hosted") return "The operator's own server";

  return rates.source.startsWith("genai-prices:") ? `${priceList}, as ${rates.source.slice("genai-prices:".length)}` : rates.source;
};

/** Null: from no list. */
export const priceDay = ({
  rates,
  override,
}: {
  readonly rates: ModelRates | null;
  readonly override: ModelView["override"];
}): string | null => {
  if (override) return override.as_of;

  return rates?.source.startsWith("genai-prices:") === true ? `read ${new Date(rates.read_at).toISOString().slice(0, 10)}` : null;
};

/** One sentence. */
export const testSentence = ({ outcome, took_ms: tookMs }: ModelTest): string => {
  const seconds = `${(tookMs / 1_000).toFixed(1)} s`;
  if (!outcome.ok) return `${outcome.message} (${seconds})`;

  return `Responded in ${seconds}: ${count(outcome.input_tokens)} tokens in, ${count(outcome.output_tokens)} out, ${formatMoney(outcome.cost_micro_usd)}.`;
};
