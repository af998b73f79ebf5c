import { afterEach, expect, test } from "vitest";
import type { SaidSoFar } from "./contract";
import { createModels } from "./sdk/in-process";
import { startFake, type Answer, type Fake, type Sent } from "./testing/fake";
import { chatCalls, describeChat } from "./testing/openai-fake";
import { requestFor } from "./testing/requests";
import { streamChat, streamMessage } from "./testing/sse";

const open: Fake[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((fake) => fake.close()));
});

const LLAMA = "openai-compatible:llama";
const CLAUDE = "anthropic:claude-sonnet-5";
const never = new AbortController().signal;

const sse = (body: string): Answer => ({ headers: { "content-type": "text/event-stream" }, body });

const play = async (answer: (sent: Sent, nth: number) => Answer, model = LLAMA) => {
  const fake = await startFake(answer);
  open.push(fake);
  const models = createModels({ OPENAI_BASE_URL: fake.url, OPENAI_MODEL: "llama", ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: fake.url });
  const said: SaidSoFar[] = [];
  const result = models.generate(requestFor(model), never, (so) => void said.push(so));

  return { fake, said, result };
};

test.each([
  ["OpenAI-compatible", LLAMA, streamChat(["Dear ", "Ann"])],
  ["Anthropic-compatible", CLAUDE, streamMessage(["Dear ", "Ann"])],
])("an %s answer is told as it grows, and is the same answer in the end", async (_, model, body) => {
  const { fake, said, result } = await play(() => sse(body), model);

  expect(await result).toMatchObject({ text: "Dear Ann", tool_calls: [] });
  expect(said.map(({ text }) => text)).toEqual(["Dear ", "Dear Ann"]);
  expect(fake.sent[0]?.body["stream"]).toBe(true);
});

test("usage of a stream is counted, and a cut-off one is truncated", async () => {
  expect(await (await play(() => sse(streamChat(["Dear A"], "length")))).result).toMatchObject({ truncated: true });
  expect((await (await play(() => sse(streamChat(["x"])))).result).usage).toMatchObject({ input_tokens: 100, output_tokens: 20 });
});

test("a stream that just ends is an outage, never an answer", async () => {
  const { result } = await play(() => sse(streamChat(["Dear "], null)));

  await expect(result).rejects.toMatchObject({ code: "model_failed", outage: "unreachable", billed: "maybe" });
});

test("a server that answers in one piece is asked once", async () => {
  const whole = await play(() => ({ body: describeChat("Dear Ann") }));
  expect(await whole.result).toMatchObject({ text: "Dear Ann" });
  expect(whole.fake.sent).toHaveLength(1);

  const called = await play(() => ({ body: chatCalls({ id: "x", name: "f", arguments: '{"a":1}' }) }));
  expect(await called.result).toMatchObject({ tool_calls: [{ name: "f", input: { a: 1 } }] });
});

test("a server that rejects streams is asked without", async () => {
  const { fake, result } = await play(({ body }) => (body["stream"] === true ? { status: 400, body: {} } : { body: describeChat("ok") }));

  expect(await result).toMatchObject({ text: "ok" });
  expect(fake.sent).toHaveLength(2);
});
