import type { ProviderKind } from "@/lib/model-provider";

export const EFFORTS = ["low", "medium", "high"] as const;
export type Effort = (typeof EFFORTS)[number];

/** These think within a number of tokens, and demand their signed thoughts back. */
const EARLIER_CLAUDE = /claude-(?:instant|v?[123](?!\d)|(?:opus|sonnet|haiku)-4(?![-.][6-9]))/u;
const THINKING_GPT = /^(?:o\d|gpt-(?:[5-9]|\d{2})(?![\w.-]*chat))/u;

/** Compatible servers are asked, and say so if they take none. */
export const takesEffort = (kind: ProviderKind, model: string): boolean => {
  if (kind === "anthropic") return model.includes("claude-") && !EARLIER_CLAUDE.test(model);

  return kind === "openai-compatible" || THINKING_GPT.test(model);
};
