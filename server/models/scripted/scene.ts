import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { isJsonObject, jsonSchema, ownMember, type Json, type JsonObject } from "@/lib/json";
import { readEnvelopes } from "@/server/models/envelope";
import { readSystemPrompt } from "@/server/models/prompt";

export type SceneResult = { readonly name: string; readonly status: string; readonly result: Json };

export type Scene = {
  readonly agent: string;
  readonly node: string;
  /** The model's turn in this thread; scripts count by it, so they resume anywhere. */
  readonly turn: number;
  readonly answer: "text" | "json";
  readonly memory: JsonObject;
  readonly task: Json;
  readonly recalled: Json;
  readonly goal: Json;
  readonly pasted: Json;
  readonly temperature: number | undefined;
  readonly results: readonly SceneResult[];
  readonly tools: readonly string[];
  readonly toolSchemas: Readonly<Record<string, JsonObject>>;
  /** Of the agent and its node: from the version, so they may be obeyed. */
  readonly instructions: string;
  readonly answerSchema: JsonObject | null;
};

export type Reply = {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: Json }[];
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number } | undefined;
};

/** Must be a pure function of the scene. */
export type Persona = (scene: Scene) => Reply;

export const say = (text: string): Reply => ({ text, calls: [] });
export const answerJson = (value: Json): Reply => say(JSON.stringify(value));
export const call = (...calls: Reply["calls"][number][]): Reply => ({ text: "", calls });

const text = (value: unknown): string => (typeof value === "string" ? value : "");

type Prompt = LanguageModelV4CallOptions["prompt"];

const userText = (prompt: Prompt): string =>
  prompt
    .filter((message) => message.role === "user")
    .flatMap((message) => message.content)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n");

const toolResults = (prompt: Prompt): SceneResult[] =>
  prompt
    .filter((message) => message.role === "tool")
    .flatMap((message) => message.content)
    .flatMap((part) => {
      if (part.type !== "tool-result" || (part.output.type !== "text" && part.output.type !== "error-text")) return [];
      const [body] = readEnvelopes(part.output.value, "tool_result");

      return [{ name: part.toolName, status: text(ownMember(body, "status")), result: ownMember(body, "result") ?? null }];
    });

const systemText = (prompt: Prompt): string => prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n");

const schemasOf = (tools: LanguageModelV4CallOptions["tools"]): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(
    (tools ?? []).flatMap((tool): [string, JsonObject][] => {
      if (tool.type !== "function") return [];
      const { data: schema } = jsonSchema.safeParse(tool.inputSchema);

      return isJsonObject(schema) ? [[tool.name, schema]] : [];
    }),
  );

export const readScene = (options: LanguageModelV4CallOptions): Scene => {
  const hints = options.providerOptions?.["scripted"];
  const prompt = userText(options.prompt);
  const [memory] = readEnvelopes(prompt, "memory");
  const [task = null] = readEnvelopes(prompt, "task");
  const [recalled = null] = readEnvelopes(prompt, "recalled");
  const [goal = null] = readEnvelopes(prompt, "goal");
  const [pasted = null] = readEnvelopes(prompt, "pasted");

  return {
    agent: text(hints?.["agent"]),
    node: text(hints?.["node"]),
    turn: options.prompt.filter((message) => message.role === "assistant").length,
    answer: hints?.["answer"] === "json" ? "json" : "text",
    memory: isJsonObject(memory) ? memory : {},
    task,
    recalled,
    goal,
    pasted,
    temperature: options.temperature,
    results: toolResults(options.prompt),
    tools: (options.tools ?? []).map((tool) => tool.name),
    toolSchemas: schemasOf(options.tools),
    ...readSystemPrompt(systemText(options.prompt)),
  };
};
