import { afterEach, expect, test } from "vitest";
import type { ProviderKind } from "@/lib/model-provider";
import { MAX_REASONING_CHARACTERS } from "@/lib/engine/thread";
import type { GenerateRequest } from "./contract";
import { createModels } from "./sdk/in-process";
import { createModelCaller } from "./sdk/language-models";
import { anthropicText } from "./testing/anthropic-fake";
import { startFake, type Answer, type Fake, type Sent } from "./testing/fake";
import { describeChat } from "./testing/openai-fake";
import { requestFor } from "./testing/requests";
import { streamChat } from "./testing/sse";

const open: Fake[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((fake) => fake.close()));
});

const LLAMA = "openai-compatible:llama";
const FORM = { type: "object", properties: { plan: { type: "string" } }, required: ["plan"] };
const BAD: Answer = { status: 400, body: { error: { message: "no" } } };
const never = new AbortController().signal;

const start = async (answer: (sent: Sent, nth: number) => Answer) => {
  const fake = await startFake(answer);
  open.push(fake);

  return { fake, models: createModels({ OPENAI_BASE_URL: fake.url, OPENAI_MODEL: "llama" }) };
};

const askFor = async (kind: ProviderKind, modelId: string, change: Partial<GenerateRequest> = { effort: "high" }) => {
  const { fake } = await start(() => ({ body: kind === "anthropic" ? anthropicText("ok") : describeChat("ok") }));
  const { call, close } = createModelCaller();
  const provider = { type: "http", kind, name: kind, baseUrl: fake.url, key: "test-key", guard: null } as const;
  await call({ provider, modelId, request: requestFor(`${kind}:${modelId}`, change) }, never);
  await close();

  return fake.sent[0]?.body ?? {};
};

test("an effort reaches each kind of provider in its own words", async () => {
  expect(await askFor("anthropic", "claude-sonnet-5")).toMatchObject({
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "high" },
  });
  expect(await askFor("openai", "gpt-5.4")).toMatchObject({ reasoning_effort: "high" });
  expect(await askFor("openai-compatible", "llama")).toMatchObject({ reasoning_effort: "high" });
});

test("an effort does not raise the output that the budget reserved", async () => {
  const [plain, high] = [await askFor("anthropic", "claude-sonnet-5", {}), await askFor("anthropic", "claude-sonnet-5")];
  expect(plain["thinking"]).toBeUndefined();
  expect(high["max_tokens"]).toBe(plain["max_tokens"]);
});

test("a model without an effort is asked without one", async () => {
  expect(await askFor("anthropic", "claude-haiku-4-5")).not.toHaveProperty("thinking");
  expect(await askFor("openai", "gpt-4.1")).not.toHaveProperty("reasoning_effort");
});

const request = requestFor(LLAMA, { effort: "low", answer: "json", answerSchema: FORM });
const features = ({ sent }: Fake) =>
  sent.map(({ body }) => [body["reasoning_effort"] !== undefined, body["response_format"] !== undefined].join(" "));

test("a compatible server that rejects an effort keeps the response format, and is not offered an effort again", async () => {
  const { fake, models } = await start(({ body }) => (body["reasoning_effort"] === undefined ? { body: describeChat("{}") } : BAD));
  await models.generate(request, never);
  await models.generate(request, never);

  expect(features(fake)).toEqual(["true true", "false true", "false true"]);
});

test("a compatible server that rejects a response format keeps the effort", async () => {
  const { fake, models } = await start(({ body }) => (body["response_format"] === undefined ? { body: describeChat("{}") } : BAD));
  await models.generate(request, never);
  await models.generate(request, never);

  expect(features(fake)).toEqual(["true true", "false true", "true false", "true false"]);
});

test("a rejected effort does not cost a response format that was not asked for", async () => {
  const { fake, models } = await start(({ body }) => (body["reasoning_effort"] === undefined ? { body: describeChat("{}") } : BAD));
  await models.generate(requestFor(LLAMA, { effort: "low" }), never);
  await models.generate(request, never);

  expect(features(fake)).toEqual(["true false", "false false", "false true"]);
});

test("a server that rejects everything fails once each way was tried, and is offered everything again", async () => {
  const { fake, models } = await start(() => BAD);
  await expect(models.generate(request, never)).rejects.toMatchObject({ code: "model_failed" });
  await expect(models.generate(request, never)).rejects.toMatchObject({ code: "model_failed" });

  expect(features(fake)).toEqual([
    "true true",
    "false true",
    "true false",
    "false false",
    "true true",
    "false true",
    "true false",
    "false false",
  ]);
});

const thinking = (reasoning: string) => {
  const chat = describeChat("Dear Ann");

  return {
    ...chat,
    choices: chat.choices.map((choice) => ({ ...choice, message: { ...choice.message, reasoning_content: reasoning } })),
    usage: { ...("usage" in chat ? (chat.usage as object) : {}), completion_tokens_details: { reasoning_tokens: 12 } },
  };
};

test("the thinking is told apart from the answer, and its tokens are counted among the output", async () => {
  const { models } = await start(() => ({ body: thinking("She asks for a plan.") }));

  expect(await models.generate(requestFor(LLAMA), never)).toMatchObject({
    text: "Dear Ann",
    reasoning: "She asks for a plan.",
    usage: { output_tokens: 20, reasoning_tokens: 12 },
  });
});

test("an answer without thinking has none", async () => {
  const { models } = await start(() => ({ body: describeChat("Dear Ann") }));
  const answer = await models.generate(requestFor(LLAMA), never);

  expect(answer).not.toHaveProperty("reasoning");
  expect(answer.usage).not.toHaveProperty("reasoning_tokens");
});

test("more thinking than is kept is cut, and broken characters are replaced", async () => {
  const { models } = await start(() => ({ body: thinking(`\ud800${"x".repeat(MAX_REASONING_CHARACTERS)}`) }));
  const { reasoning } = await models.generate(requestFor(LLAMA), never);

  expect(reasoning).toHaveLength(MAX_REASONING_CHARACTERS);
  expect(reasoning?.startsWith("\ufffdx")).toBe(true);
});

test("streamed thinking is kept, and is not told as the answer", async () => {
  const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "fake" };
  const thought = { ...chunk, choices: [{ index: 0, delta: { role: "assistant", reasoning_content: "Hm." }, finish_reason: null }] };
  const body = `data: ${JSON.stringify(thought)}\n\n${streamChat(["Dear ", "Ann"])}`;
  const { models } = await start(() => ({ headers: { "content-type": "text/event-stream" }, body }));
  const said: string[] = [];

  expect(await models.generate(requestFor(LLAMA), never, ({ text }) => void said.push(text))).toMatchObject({
    text: "Dear Ann",
    reasoning: "Hm.",
  });
  expect(said).toEqual(["Dear ", "Dear Ann"]);
});
