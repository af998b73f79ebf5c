/** A typical runner request, for tests to vary. */
import type { GenerateRequest } from "@/server/models/contract";

export const requestFor = (model: string, changes: Partial<GenerateRequest> = {}): GenerateRequest => ({
  model,
  agent: "parser",
  node: "parse",
  step: 0,
  system: "You parse mails.",
  prompt: "Do your step.",
  thread: [],
  tools: [],
  answer: "text",
  timeoutMs: 5_000,
  ...changes,
});
