/** What a scripted model sees: read back from the real prompt, as any model would get it. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { readEnvelopes } from "@/server/models/envelope";

export type SceneResult = { readonly name: string; readonly status: string; readonly result: Json };

export type Scene = {
  readonly agent: string;
  readonly node: string;
  /** How often the model has spoken in this thread: the scripts count by it, so they can be resumed anywhere. */
  readonly turn: number;
  readonly answer: "text" | "json";
  readonly memory: JsonObject;
  /** What this part of the step is about: an item, candidates, votes; `null` when there is no such thing. */
  readonly task: Json;
  /** What earlier runs have left: a list, or `null`. */
  readonly recalled: Json;
  /** What people want of it, as `{goal}`, and what an architect is given beside it; `null` when there is no such thing. */
  readonly goal: Json;
  readonly pasted: Json;
  /** `undefined`: the provider's own. */
  readonly temperature: number | undefined;
  readonly results: readonly SceneResult[];
  /** Names of the offered tools. */
  readonly tools: readonly string[];
};

export type Reply = {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: Json }[];
  /** Absent: counted from the words. */
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number } | undefined;
};

/** A scripted model's character. It must be a function of the scene alone. */
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

export const sceneOf = (options: LanguageModelV4CallOptions): Scene => {
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
  };
};
