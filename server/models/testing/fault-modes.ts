/** Faults of providers and models, and their outcomes. The reference prints this table; a test plays it. */
import type { Answer } from "./fake";
import { chatCalls, describeChat } from "./openai-fake";

export type FaultOutcome = {
  /** `completed`, or the failure's code. */
  readonly end: string;
  /** Waits for the provider, by cause. */
  readonly waits?: readonly string[];
  readonly failures?: readonly string[];
  /** Turns that told the model what did not fit. */
  readonly checks?: number;
};

export type FaultMode = {
  readonly name: string;
  /** Null: answers as an honest model. @param nth request of the run, from 0 */
  readonly answer: (nth: number, honest: Answer) => Answer | null;
  readonly outcome: FaultOutcome;
};

const error = (status: number, headers: Record<string, string> = {}): Answer => ({ status, headers, body: { error: { message: "no" } } });
const once =
  (answer: Answer) =>
  (nth: number): Answer | null =>
    nth === 0 ? answer : null;
const always = (answer: Answer) => (): Answer => answer;

const ended = (reason: string, text = "{"): Answer => {
  const chat = describeChat(text);

  return { body: { ...chat, choices: chat.choices.map((choice) => ({ ...choice, finish_reason: reason })) } };
};

const textOf = (answer: Answer): string => ("body" in answer ? JSON.stringify(answer.body) : "");
const HUGE_CHARACTERS = 17_000_000;

const GIVEN_UP = { end: "model_outage", failures: ["model_outage"] } as const;
const COMPLETED = { end: "completed" } as const;

export const FAULT_MODES: readonly FaultMode[] = [
  {
    name: "429 with Retry-After",
    answer: once(error(429, { "retry-after": "30" })),
    outcome: { ...COMPLETED, waits: ["rate_limited"] },
  },
  { name: "429 without Retry-After", answer: once(error(429)), outcome: { ...COMPLETED, waits: ["rate_limited"] } },
  {
    name: "429 with a Retry-After beyond the graph's limit, for ever",
    answer: always(error(429, { "retry-after": "3600" })),
    outcome: { ...GIVEN_UP, waits: ["rate_limited"] },
  },
  ...[500, 502, 503, 504, 529].map((status): FaultMode => ({
    name: `status ${status}`,
    answer: once(error(status)),
    outcome: { ...COMPLETED, waits: ["failing"] },
  })),
  { name: "connection reset before the answer", answer: once({ reset: true }), outcome: { ...COMPLETED, waits: ["unreachable"] } },
  {
    name: "connection reset in the middle of the answer",
    answer: (nth, honest) => (nth === 0 ? { begin: textOf(honest).slice(0, 60), ends: "reset" } : null),
    outcome: { ...COMPLETED, waits: ["unreachable"] },
  },
  { name: "no answer within the agent's time", answer: once({ hang: true }), outcome: { ...COMPLETED, failures: ["model_timeout"] } },
  {
    name: "silence in the middle of the answer",
    answer: (nth, honest) => (nth === 0 ? { begin: textOf(honest).slice(0, 60), ends: "hang" } : null),
    outcome: { ...COMPLETED, failures: ["model_timeout"] },
  },
  {
    name: "JSON that ends too early",
    answer: (nth, honest) => (nth === 0 ? { body: textOf(honest).slice(0, 60) } : null),
    outcome: { ...COMPLETED, failures: ["model_failed"] },
  },
  {
    name: "a web page with status 200",
    answer: once({ body: "<html>gateway</html>" }),
    outcome: { ...COMPLETED, failures: ["model_failed"] },
  },
  { name: "an empty body", answer: once({ body: "" }), outcome: { ...COMPLETED, failures: ["model_failed"] } },
  {
    name: "an answer of more than 16 MB",
    answer: once({ body: describeChat("x".repeat(HUGE_CHARACTERS)) }),
    outcome: { ...COMPLETED, failures: ["model_failed"] },
  },
  { name: "status 400", answer: always(error(400)), outcome: { end: "model_failed", failures: ["model_failed"] } },
  { name: "status 401", answer: always(error(401)), outcome: { end: "model_failed", failures: ["model_failed"] } },
  { name: "status 404", answer: always(error(404)), outcome: { end: "model_failed", failures: ["model_failed"] } },
  {
    name: "400 to a response format",
    answer: () => null,
    outcome: COMPLETED,
  },
  { name: "cut off at the length limit once", answer: once(ended("length")), outcome: { ...COMPLETED, checks: 1 } },
  {
    name: "cut off at the length limit always",
    answer: always(ended("length")),
    outcome: { end: "answer_truncated", failures: ["answer_truncated", "answer_truncated", "answer_truncated"], checks: 6 },
  },
  {
    name: "stopped by the content filter",
    answer: always(ended("content_filter")),
    outcome: { end: "model_failed", failures: ["model_failed"] },
  },
  {
    name: "prose instead of JSON once",
    answer: once({ body: describeChat("Sure, happy to help!") }),
    outcome: { ...COMPLETED, checks: 1 },
  },
  {
    name: "values of wrong types once",
    answer: once({ body: describeChat('{"email":1,"wish":[]}') }),
    outcome: { ...COMPLETED, checks: 1 },
  },
  {
    name: "values of wrong types always",
    answer: always({ body: describeChat('{"email":1,"wish":[]}') }),
    outcome: { end: "value_invalid", failures: ["value_invalid", "value_invalid", "value_invalid"], checks: 6 },
  },
  {
    name: "a call of an unknown tool",
    answer: once({ body: chatCalls({ id: "x", name: "crm__erase", arguments: "{}" }) }),
    outcome: COMPLETED,
  },
  {
    name: "a call with broken arguments",
    answer: once({ body: chatCalls({ id: "x", name: "save_to_memory", arguments: "{broken" }) }),
    outcome: COMPLETED,
  },
];
