/** New token limits. */
import { count, formatMoney } from "@/lib/format";
import { DEFAULT_TOKEN_LIMITS, TOKEN_LIMIT_BOUNDS, type TokenLimits } from "@/lib/outside/token-limits";

const MICRO = 1_000_000;

export type LimitTexts = Readonly<Record<keyof TokenLimits, string>>;

export const DEFAULT_LIMIT_TEXTS: LimitTexts = {
  runs: String(DEFAULT_TOKEN_LIMITS.runs),
  sessions: String(DEFAULT_TOKEN_LIMITS.sessions),
  micro_usd: String(DEFAULT_TOKEN_LIMITS.micro_usd / MICRO),
};

const WHOLE = /^\d{1,9}$/u;
const CENTS = /^\d{1,9}(?:\.\d{1,2})?$/u;

const amountOf = (limit: keyof TokenLimits, text: string): number => {
  const trimmed = text.trim();
  if (limit === "micro_usd") return CENTS.test(trimmed) ? Math.round(Number(trimmed) * MICRO) : Number.NaN;

  return WHOLE.test(trimmed) ? Number(trimmed) : Number.NaN;
};

const shown = (limit: keyof TokenLimits, amount: number): string => (limit === "micro_usd" ? formatMoney(amount) : count(amount));

const problemOf = (limit: keyof TokenLimits, amount: number): string | null => {
  const [least, most] = TOKEN_LIMIT_BOUNDS[limit];

  return amount >= least && amount <= most ? null : `Enter ${shown(limit, least)} to ${shown(limit, most)}.`;
};

/** Invalid fields have no usable amount. */
export const readLimits = (
  texts: LimitTexts,
): { readonly limits: TokenLimits; readonly problems: Readonly<Record<keyof TokenLimits, string | null>>; readonly isValid: boolean } => {
  const limits: TokenLimits = {
    runs: amountOf("runs", texts.runs),
    sessions: amountOf("sessions", texts.sessions),
    micro_usd: amountOf("micro_usd", texts.micro_usd),
  };
  const problems = {
    runs: problemOf("runs", limits.runs),
    sessions: problemOf("sessions", limits.sessions),
    micro_usd: problemOf("micro_usd", limits.micro_usd),
  };

  return { limits, problems, isValid: Object.values(problems).every((problem) => problem === null) };
};

/** Token use, as `12 of 200 runs`. */
export const describeUse = (used: TokenLimits, limits: TokenLimits): readonly { readonly text: string; readonly isFull: boolean }[] => [
  { text: `${count(used.runs)} of ${count(limits.runs)} runs`, isFull: used.runs >= limits.runs },
  { text: `${count(used.sessions)} of ${count(limits.sessions)} sessions`, isFull: used.sessions >= limits.sessions },
  { text: `${formatMoney(used.micro_usd)} of ${formatMoney(limits.micro_usd)}`, isFull: used.micro_usd >= limits.micro_usd },
];
