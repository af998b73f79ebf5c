/** What each kind of provider takes, as plain data. */
import type { ProviderKind } from "@/lib/model-provider";

type Capabilities = {
  /** Whether it takes a JSON Schema as the response format; `try`: some servers of this kind answer 400. */
  readonly answerSchema: "yes" | "try";
};

export const CAPABILITIES: Readonly<Record<ProviderKind, Capabilities>> = {
  anthropic: { answerSchema: "yes" },
  openai: { answerSchema: "yes" },
  "openai-compatible": { answerSchema: "try" },
};
