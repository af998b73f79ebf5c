import { z } from "zod";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { readEnvelopes } from "@/server/models/envelope";
import { readSystemPrompt } from "@/server/models/prompt";
import type { Persona, Reply, Scene, SceneResult } from "@/server/models/scripted/scene";
import { anthropicCalls, anthropicText } from "./anthropic-fake";
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

type AgentOf = (system: string) => string;

const replyTo =
  (persona: Persona, agentOf: AgentOf) =>
  (chat: Chat): Reply => {
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

    return persona(scene);
  };

/** @param agentOf by the system text */
export const personaOverHttp =
  (persona: Persona, agentOf: AgentOf) =>
  (sent: Sent): Answer => {
    const reply = replyTo(persona, agentOf)(chatSchema.parse(sent.body));
    const calls = reply.calls.map(({ name, input }, index) => ({ id: `call_${index}`, name, arguments: JSON.stringify(input) }));

    return { body: calls.length > 0 ? chatCalls(...calls) : describeChat(reply.text) };
  };

const partSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string() }),
  z.object({ type: z.literal("tool_result"), tool_use_id: z.string(), content: z.string() }),
]);

const messagesSchema = z.object({
  system: z.array(z.object({ text: z.string() })).default([]),
  messages: z.array(z.object({ role: z.string(), content: z.array(partSchema) })),
  tools: z.array(z.object({ name: z.string() })).default([]),
});

/** Reads an Anthropic request as a chat. */
const chatOf = ({ system, messages, tools }: z.infer<typeof messagesSchema>): Chat => ({
  messages: [
    { role: "system", content: system.map(({ text }) => text).join("\n") },
    ...messages.flatMap(({ role, content }) => [
      ...content.flatMap((part) =>
        part.type === "tool_result" ? [{ role: "tool", tool_call_id: part.tool_use_id, content: part.content }] : [],
      ),
      ...(content.some(({ type }) => type !== "tool_result")
        ? [
            {
              role,
              content: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
              tool_calls: content.flatMap((part) => (part.type === "tool_use" ? [{ id: part.id, function: { name: part.name } }] : [])),
            },
          ]
        : []),
    ]),
  ],
  tools: tools.map(({ name }) => ({ function: { name } })),
});

/** The same over Anthropic's protocol. */
export const personaOverAnthropic =
  (persona: Persona, agentOf: AgentOf) =>
  (sent: Sent): Answer => {
    const reply = replyTo(persona, agentOf)(chatOf(messagesSchema.parse(sent.body)));
    const calls = reply.calls.map(({ name, input }, index) => ({ id: `toolu_${index}`, name, input }));

    return { body: calls.length > 0 ? anthropicCalls(...calls) : anthropicText(reply.text) };
  };
