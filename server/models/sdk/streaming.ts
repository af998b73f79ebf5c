import {
  InvalidResponseDataError,
  type LanguageModelV4,
  type LanguageModelV4Content,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { ModelError, type NoteSaid } from "@/server/models/contract";
import { findNotStreamed, replayAnswer } from "./fetch";

type Collected = {
  readonly texts: Map<string, string>;
  readonly thoughts: Map<string, string>;
  readonly calls: LanguageModelV4Content[];
  tool: string | null;
  modelId: string | undefined;
  end: Extract<LanguageModelV4StreamPart, { type: "finish" }> | null;
};

const cutOff = (): ModelError =>
  new ModelError("model_failed", true, "The model's provider cut the answer off.", { billed: "maybe", outage: "unreachable" });

/** The SDK says so too when a stream ends without its end. */
const unlessCut = (error: unknown): unknown => (InvalidResponseDataError.isInstance(error) ? cutOff() : error);

const append = (texts: Map<string, string>, { id, delta }: { readonly id: string; readonly delta: string }): void => {
  texts.set(id, `${texts.get(id) ?? ""}${delta}`);
};

const take = (found: Collected, part: LanguageModelV4StreamPart): void => {
  if (part.type === "text-delta") append(found.texts, part);
  if (part.type === "reasoning-delta") append(found.thoughts, part);
  if (part.type === "tool-input-start") found.tool = part.toolName;
  if (part.type === "tool-call") found.calls.push(part);
  if (part.type === "response-metadata") found.modelId = part.modelId;
  if (part.type === "finish") found.end = part;
  if (part.type === "error") throw unlessCut(part.error);
};

const collect = async (stream: ReadableStream<LanguageModelV4StreamPart>, note: NoteSaid): Promise<Collected> => {
  const found: Collected = { texts: new Map(), thoughts: new Map(), calls: [], tool: null, modelId: undefined, end: null };
  for await (const part of stream) {
    const { tool } = found;
    take(found, part);
    if (part.type === "text-delta" || tool !== found.tool) note({ text: [...found.texts.values()].join(""), tool: found.tool });
  }

  return found;
};

/** A server may answer in one piece. */
export const withStreaming = (model: LanguageModelV4, note: NoteSaid): LanguageModelV4 =>
  wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: async ({ doGenerate, doStream }) => {
        try {
          const { stream } = await doStream();
          const { texts, thoughts, calls, end, modelId } = await collect(stream, note);
          // A stream that just ends, as behind a restarted proxy, is no answer.
          if (!end || end.finishReason.raw === undefined) {
            throw cutOff();
          }
          const thought = [...thoughts.values()].map((text) => ({ type: "reasoning" as const, text }));
          const said = [...texts.values()].map((text) => ({ type: "text" as const, text }));

          return {
            content: [...thought, ...said, ...calls],
            finishReason: end.finishReason,
            usage: end.usage,
            warnings: [],
            ...(modelId === undefined ? {} : { response: { modelId } }),
          };
        } catch (error) {
          const whole = findNotStreamed(error);
          if (whole === null) throw error;

          return replayAnswer(whole, doGenerate);
        }
      },
    },
  });
