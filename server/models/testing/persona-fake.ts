import { z } from "zod";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { readEnvelopes } from "@/server/models/envelope";
import { readSystemPrompt } from "@/server/models/prompt";
import type { Persona, Scene, SceneResult } from "@/server/models/scripted/scene";
import type { Answer, Sent } from "./fake";
import { chatCalls, describeChat } from "./openai-fake";

const chatSchema = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.string().nullish(),
      tool_call_id: z.string().optional(),
      tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string() }) })).optional(),
    }),
  ),
  temperature: z.number().optional(),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

type Chat = z.infer<typeof chatSchema>;

const textOf = (chat: Chat, role: string): string =>
  chat.messages
    .filter((message) => message.role === role)
    .map((message) => message.content ?? "")
    .join("\n");

const resultsOf = (chat: Chat): SceneResult[] => {
  const names = new Map(chat.messages.flatMap((message) => (message.tool_calls ?? []).map((call) => [call.id, call.function.name])));

  return chat.messages.flatMap((message) => {
    if (message.role !== "tool") return [];
    const [body] = readEnvelopes(message.content ?? "", "tool_result");
    const status: Json | undefined = ownMember(body, "status");

    return [
      {
        name: names.get(message.tool_call_id ?? "") ?? "",
        status: typeof status === "string" ? status : "",
        result: ownMember(body, "result") ?? null,
      },
    ];
  });
};

/** @param findAgent by the system text */
export const personaOverHttp =
  (persona: Persona, agentOf: (system: string) => string) =>
  (sent: Sent): Answer => {
    const chat = chatSchema.parse(sent.body);
    const [memory] = readEnvelopes(textOf(chat, "user"), "memory");
    const [task = null] = readEnvelopes(textOf(chat, "user"), "task");
    const system = textOf(chat, "system");
    const scene: Scene = {
      agent: agentOf(system),
      node: "",
      turn: chat.messages.filter((message) => message.role === "assistant").length,
      answer: system.includes("one JSON value") ? "json" : "text",
      memory: isJsonObject(memory) ? memory : {},
      task,
      recalled: null,
      goal: null,
      pasted: null,
      temperature: chat.temperature,
      results: resultsOf(chat),
      tools: chat.tools.map((tool) => tool.function.name),
      toolSchemas: {},
      ...readSystemPrompt(system),
    };
    const reply = persona(scene);
    const calls = reply.calls.map(({ name, input }, index) => ({ id: `call_${index}`, name, arguments: JSON.stringify(input) }));

    return { body: calls.length > 0 ? chatCalls(...calls) : describeChat(reply.text) };
  };
