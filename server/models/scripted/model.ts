import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { simulateReadableStream } from "ai";
import { readScene, type Persona, type Reply } from "./scene";

/** Four characters per token: close enough for scripted meters. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

const contentOf = (reply: Reply): LanguageModelV4Content[] => [
  ...(reply.text === "" ? [] : [{ type: "text" as const, text: reply.text }]),
  ...reply.calls.map(({ name, input }, index) => ({
    type: "tool-call" as const,
    toolCallId: `call_${index}`,
    toolName: name,
    input: JSON.stringify(input),
  })),
];

const partsOf = (content: LanguageModelV4Content, id: string): LanguageModelV4StreamPart[] => {
  if (content.type === "tool-call") return [content];
  if (content.type !== "text") return [];

  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: content.text },
    { type: "text-end", id },
  ];
};

export class ScriptedModel implements LanguageModelV4 {
  readonly specificationVersion = "v4" as const;
  readonly provider = "scripted";
  readonly modelId: string;
  readonly supportedUrls = {};
  readonly #persona: Persona;

  constructor(modelId: string, persona: Persona) {
    this.modelId = modelId;
    this.#persona = persona;
  }

  #generate(options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
    options.abortSignal?.throwIfAborted();
    const reply = this.#persona(readScene(options));
    const input = reply.usage?.input_tokens ?? tokens(JSON.stringify(options.prompt) + JSON.stringify(options.tools ?? []));
    const output = reply.usage?.output_tokens ?? tokens(JSON.stringify(reply));

    return {
      content: contentOf(reply),
      finishReason: { unified: reply.calls.length > 0 ? "tool-calls" : "stop", raw: undefined },
      usage: {
        inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: output, text: output, reasoning: 0 },
      },
      warnings: [],
    };
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    return this.#generate(options);
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const { content, finishReason, usage, warnings } = this.#generate(options);
    const parts: LanguageModelV4StreamPart[] = [
      { type: "stream-start", warnings },
      ...content.flatMap((part, index) => partsOf(part, `text_${index}`)),
      { type: "finish", finishReason, usage },
    ];

    return { stream: simulateReadableStream({ chunks: parts, initialDelayInMs: null, chunkDelayInMs: null }) };
  }
}
