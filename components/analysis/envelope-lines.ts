import type { Envelope } from "@/lib/engine/envelope/envelope";
import { count, formatMoney } from "@/lib/format";
import type { ModelRates } from "@/lib/model-price";

export type EnvelopeLine = {
  readonly label: string;
  readonly value: string;
  readonly note: string | null;
  readonly unbounded: boolean;
};

const MILLION = 1_000_000;
const CENT = 10_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** `12,000`, or `3M` for large values. */
export const most = (value: number): string => (value < MILLION ? count(value) : `${count(Math.ceil(value / MILLION))}M`);

const cost = (microUsd: number): string => formatMoney(microUsd < CENT ? microUsd : Math.ceil(microUsd / CENT) * CENT);

const rounded = (value: number, unit: string): string => `${count(Math.ceil(value * 10) / 10)} ${unit}`;
export const duration = (ms: number): string => {
  if (ms >= HOUR_MS) return rounded(ms / HOUR_MS, "h");

  return ms >= MINUTE_MS ? rounded(ms / MINUTE_MS, "min") : rounded(ms / 1_000, "s");
};

const line = (label: string, bound: number | null, words: (value: number) => string, note: string | null = null): EnvelopeLine => ({
  label,
  value: bound === null ? "Unlimited" : bound === 0 ? words(0) : `at most ${words(bound)}`,
  note,
  unbounded: bound === null,
});

const attended = ({ changes, unattended }: Envelope): string => {
  if (changes === 0) return "Nothing changes outside the run.";

  return unattended === 0 ? "Each needs an approval." : `Up to ${most(unattended)} without an approval.`;
};

export const describeEnvelope = (envelope: Envelope): readonly EnvelopeLine[] => [
  line("Cost", envelope.costMicroUsd, cost, envelope.costMicroUsd === 0 && envelope.modelCalls > 0 ? "Its models are free." : null),
  line("Tokens", envelope.tokens, most),
  line("Model calls", envelope.modelCalls, most),
  line("External changes", envelope.changes, most, attended(envelope)),
  line("Irreversible", envelope.irreversible, most, envelope.irreversible > 0 ? "Each needs an approval." : null),
  line("Run time", envelope.timeMs, duration, "Time spent waiting for people is not counted."),
];

/** Explains missing bounds. */
export const describeUnbounded = ({ tokens, costMicroUsd }: Envelope): string | null => {
  if (tokens !== null && costMicroUsd !== null) return null;
  const [what, by] =
    tokens === null && costMicroUsd === null
      ? ["tokens or cost", "Set a token budget to limit both."]
      : tokens === null
        ? ["tokens", "Set a token budget."]
        : ["cost", "Set a budget in US dollars."];

  return `Neither the version nor its nodes limit ${what}. ${by}`;
};

const usd = (value: number): string => `$${value.toLocaleString("en-US", { maximumFractionDigits: 4 })}`;

/** Maximum cost per million tokens. */
export const describeRates = (rates: ModelRates): string =>
  rates.input_usd_per_million === 0 && rates.output_usd_per_million === 0
    ? "free"
    : `${usd(rates.input_usd_per_million)} in, ${usd(rates.output_usd_per_million)} out per million tokens`;

/** Explains why calls of this model will be refused. */
export const describeRefused = ({ model, why }: Envelope["refusedModels"][number]): string =>
  why === "no_price"
    ? `${model} has no price, so its calls will be refused. An admin can set one.`
    : `No runner provides ${model}, so its calls will be refused.`;
