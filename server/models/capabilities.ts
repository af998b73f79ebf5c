/** What each kind of provider takes, as plain data. */
import type { ProviderKind } from "@/lib/model-provider";

type Capabilities = {
  /** Whether it takes a JSON Schema as the response format, and streams; `try`: some servers of this kind answer 400. */
  readonly extras: "yes" | "try";
};

export const CAPABILITIES: Readonly<Record<ProviderKind, Capabilities>> = {
  anthropic: { extras: "yes" },
  openai: { extras: "yes" },
  "openai-compatible": { extras: "try" },
};
