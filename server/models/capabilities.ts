import type { ProviderKind } from "@/lib/model-provider";

type Capabilities = {
  /** Takes a JSON Schema as the response format, and streams; `try`: some servers of this kind answer 400. */
  readonly extras: "yes" | "try";
};

export const CAPABILITIES: Readonly<Record<ProviderKind, Capabilities>> = {
  anthropic: { extras: "yes" },
  openai: { extras: "yes" },
  "openai-compatible": { extras: "try" },
};
