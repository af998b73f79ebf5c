import type { ModelMessage, ToolResultPart } from "ai";
import { isJsonObject, type Json } from "@/lib/json";
import type { ThreadMessage, ToolCall } from "@/lib/engine/thread";
import type { ModelFile } from "@/server/models/contract";
import { wrapUntrusted } from "@/server/models/envelope";
import { isText } from "@/server/models/file-kinds";

type ToolMessage = Extract<ThreadMessage, { role: "tool" }>;

/** A hostile model may use a tool name that providers reject when it is sent back. */
const wireName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "_";

const SENT_BACK = "A person looked at what you proposed and sent it back instead of allowing it. Propose again.";

/** Providers require an object; the record keeps the original. */
const wireInput = (input: Json): Json => (isJsonObject(input) ? input : { value: input });

const callPart = (call: ToolCall) => ({
  type: "tool-call" as const,
  toolCallId: call.id,
  toolName: wireName(call.name),
  input: wireInput(call.input),
});

const resultPart = (message: ToolMessage): ToolResultPart => ({
  type: "tool-result",
  toolCallId: message.call_id,
  toolName: wireName(message.name),
  output: {
    type: message.status === "ok" ? "text" : "error-text",
    value: wrapUntrusted("tool_result", {
      status: message.status,
      result: message.result,
      ...(message.by_person === undefined ? {} : { by_person: { ...message.by_person } }),
    }),
  },
});

const filePart = ({ name, mediaType, base64 }: ModelFile) =>
  isText(mediaType)
    ? { type: "text" as const, text: wrapUntrusted("file", { name, text: Buffer.from(base64, "base64").toString("utf8") }) }
    : { type: "file" as const, data: base64, mediaType, filename: name };

export const buildModelMessages = (prompt: string, thread: readonly ThreadMessage[], files: readonly ModelFile[] = []): ModelMessage[] =>
  thread.reduce<ModelMessage[]>(
    (messages, message) => {
      if (message.role === "assistant") {
        // Providers reject an empty turn, such as one cut off while it was thinking.
        const said = message.text === "" && message.tool_calls.length === 0 ? "…" : message.text;
        const text = said === "" ? [] : [{ type: "text" as const, text: said }];

        return [...messages, { role: "assistant", content: [...text, ...message.tool_calls.map(callPart)] }];
      }
      if (message.role === "person")
        return [...messages, { role: "user", content: `${SENT_BACK}\n\n${wrapUntrusted("note", message.text)}` }];
      if (message.role === "check") return [...messages, { role: "user", content: message.text }];
      const last = messages.at(-1);
      if (last?.role === "tool") return [...messages.slice(0, -1), { role: "tool", content: [...last.content, resultPart(message)] }];

      return [...messages, { role: "tool", content: [resultPart(message)] }];
    },
    [{ role: "user", content: files.length === 0 ? prompt : [{ type: "text", text: prompt }, ...files.map(filePart)] }],
  );
