const events = (all: readonly (readonly [event: string | null, data: unknown])[]): string =>
  all
    .map(
      ([event, data]) => `${event === null ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
    )
    .join("");

const chunk = (delta: object, finish: string | null = null) =>
  [
    null,
    { id: "c", object: "chat.completion.chunk", created: 1, model: "fake", choices: [{ index: 0, delta, finish_reason: finish }] },
  ] as const;

/** @param end null: the stream just ends */
export const streamChat = (parts: readonly string[], end: string | null = "stop"): string =>
  events([
    ...parts.map((content) => chunk({ role: "assistant", content })),
    ...(end === null
      ? []
      : [
          chunk({}, end),
          [
            null,
            {
              id: "c",
              object: "chat.completion.chunk",
              created: 1,
              model: "fake",
              choices: [],
              usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
            },
          ] as const,
          [null, "[DONE]"] as const,
        ]),
  ]);

export const streamMessage = (parts: readonly string[], stopReason = "end_turn"): string =>
  events([
    [
      "message_start",
      {
        type: "message_start",
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "claude-sonnet-5",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      },
    ],
    ["content_block_start", { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }],
    ...parts.map(
      (text) => ["content_block_delta", { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }] as const,
    ),
    ["content_block_stop", { type: "content_block_stop", index: 0 }],
    ["message_delta", { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 5 } }],
    ["message_stop", { type: "message_stop" }],
  ]);
