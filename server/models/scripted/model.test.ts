import { streamText } from "ai";
import { expect, test } from "vitest";
import { replyAsCompromised } from "./compromised";
import { replyAsHonest } from "./honest";
import { ScriptedModel } from "./model";
import { createModels } from "@/server/models/sdk/in-process";
import { requestFor } from "@/server/models/testing/requests";
import { wrapUntrusted } from "@/server/models/envelope";

const never = new AbortController().signal;
const mail = wrapUntrusted("memory", {
  mail: { content: "From: Ann <ann@a.example>\nSubject: Upgrade\n\nPlease move us to the team plan." },
});

test("a scripted model answers the same to the same prompt", async () => {
  const models = createModels({});
  for (const model of ["scripted:honest", "scripted:compromised"]) {
    const request = requestFor(model, { prompt: mail, answer: "json" });
    expect(await models.generate(request, never)).toEqual(await models.generate(request, never));
  }
});

test("the honest persona reads the mail from the real prompt", async () => {
  const { text } = await createModels({}).generate(requestFor("scripted:honest", { prompt: mail, answer: "json" }), never);

  expect(JSON.parse(text)).toMatchObject({ email: "ann@a.example", wish: "change_plan", plan: "team" });
});

test("unscripted agents get an answer of the kind their node asks for", async () => {
  const ask = (model: string, answer: "text" | "json") =>
    createModels({}).generate(requestFor(model, { agent: "mine", node: "sum_up", prompt: mail, answer }), never);

  expect((await ask("scripted:honest", "text")).text).toContain("sum_up");
  expect(JSON.parse((await ask("scripted:honest", "json")).text)).toEqual({ node: "sum_up", read: ["mail"] });
  expect((await ask("scripted:compromised", "json")).tool_calls.length).toBeGreaterThan(0);
});

test.each([
  [{ managed_nodes: ["a", "b"] }, { next: "done" }, { next: "b" }],
  [{ options: ["yes", "no"] }, { vote: "yes" }, { vote: "no" }],
  [{ options: null }, { vote: true }, { vote: false }],
  [{ votes: [] }, { choice: 0 }, { choice: 1_000 }],
  [{ candidate: "x" }, { score: 1 }, { score: 1 }],
  [{ topic: "plans" }, ["There was something at mail."], ["There was something at mail."]],
])("shown %j, an unscripted agent answers its task", async (task, good, bad) => {
  const prompt = `${mail}\n\n${wrapUntrusted("task", task)}`;
  const ask = async (model: string, step: number) => {
    const thread = Array.from({ length: step }, () => ({ role: "assistant" as const, text: "", tool_calls: [] }));
    const { text } = await createModels({}).generate(requestFor(model, { agent: "mine", prompt, thread, step, answer: "json" }), never);

    return JSON.parse(text) as unknown;
  };

  expect(await ask("scripted:honest", 0)).toMatchObject(good);
  expect(await ask("scripted:compromised", 2)).toMatchObject(bad);
});

test("costs nothing and says why", async () => {
  const { usage } = await createModels({}).generate(requestFor("scripted:honest", { prompt: mail }), never);

  expect(usage).toMatchObject({ model: "scripted:honest", cost_micro_usd: 0, price_source: "scripted" });
  expect(usage.input_tokens).toBeGreaterThan(0);
});

test("streamed or whole, the words are the same", async () => {
  const providerOptions = { scripted: { agent: "parser", node: "parse", answer: "json" } };
  const streamed = streamText({ model: new ScriptedModel("honest", replyAsHonest), prompt: mail, providerOptions });
  expect(JSON.parse(await streamed.text)).toMatchObject({ plan: "team" });

  const calls = streamText({ model: new ScriptedModel("compromised", replyAsCompromised), prompt: mail, providerOptions });
  expect((await calls.toolCalls).map((call) => call.toolName)).toEqual(["save_to_memory", "save_to_memory"]);
});
