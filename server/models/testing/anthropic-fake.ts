const message = (content: readonly object[], stopReason: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5",
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
});

export const anthropicText = (text: string, stopReason = "end_turn") => message([{ type: "text", text }], stopReason);

type Call = { readonly id: string; readonly name: string; readonly input: unknown };

export const anthropicCalls = (...calls: readonly Call[]) =>
  message(
    calls.map((call) => ({ type: "tool_use", ...call })),
    "tool_use",
  );
