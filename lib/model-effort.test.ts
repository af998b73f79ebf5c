import { expect, test } from "vitest";
import { takesEffort } from "@/lib/model-effort";
import type { ProviderKind } from "@/lib/model-provider";

const CASES: readonly (readonly [ProviderKind, readonly string[], readonly string[]])[] = [
  [
    "anthropic",
    ["claude-sonnet-5", "claude-opus-5", "claude-opus-4-6", "anthropic.claude-sonnet-4-6-v1"],
    [
      "claude-haiku-4-5",
      "claude-haiku-4-5-20251001",
      "claude-opus-4-1",
      "claude-sonnet-4-20250514",
      "claude-opus-4",
      "claude-3-haiku-20240307",
    ],
  ],
  ["anthropic", ["claude-next"], ["claude-2.1", "claude-instant-1", "kimi-k2"]],
  ["openai", ["gpt-5.4", "gpt-5.4-mini", "gpt-5", "o3", "gpt-10"], ["gpt-4.1", "gpt-4o", "gpt-5-chat-latest", "gpt-5.2-chat"]],
  ["openai-compatible", ["llama", "deepseek-r1"], []],
];

test.each(CASES)("%s: %j take an effort, %j do not", (kind, taking, others) => {
  expect(taking.map((model) => takesEffort(kind, model))).toEqual(taking.map(() => true));
  expect(others.map((model) => takesEffort(kind, model))).toEqual(others.map(() => false));
});
