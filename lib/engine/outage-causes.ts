export const OUTAGE_CAUSES = ["rate_limited", "unreachable", "failing"] as const;
export type OutageCause = (typeof OUTAGE_CAUSES)[number];

/** Since the provider answered last. */
export type Outage = { readonly provider: string; readonly cause: OutageCause; readonly since: number; readonly tries: number };

const TEXTS = { rate_limited: "is rate limited", unreachable: "cannot be reached", failing: "is failing" } as const satisfies Record<
  OutageCause,
  string
>;

const NAMES: Readonly<Record<string, string>> = { openai: "OpenAI", anthropic: "Anthropic", "openai-compatible": "The model server" };

/** Formats "OpenAI is rate limited". */
export const describeOutage = ({ provider, cause }: Pick<Outage, "provider" | "cause">): string =>
  `${Object.hasOwn(NAMES, provider) ? NAMES[provider] : provider} ${TEXTS[cause]}`;

const MINUTE_S = 60;

/** Formats "40 s", "2 min". */
export const formatWait = (waitMs: number): string => {
  const seconds = Math.ceil(waitMs / 1_000);

  return seconds < 2 * MINUTE_S ? `${seconds} s` : `${Math.ceil(seconds / MINUTE_S)} min`;
};
