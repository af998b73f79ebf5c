const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 64 },
};

type Call = { readonly id: string; readonly name: string; readonly arguments: string };

const completion = (message: object, finish_reason: string, extra: object = { usage }) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "fake",
  choices: [{ index: 0, finish_reason, message: { role: "assistant", ...message } }],
  ...extra,
});

export const describeChat = (content: string) => completion({ content }, "stop");
export const chatTextWithoutUsage = (content: string) => completion({ content }, "stop", {});
export const chatCalls = (...calls: Call[]) =>
  completion(
    {
      content: null,
      tool_calls: calls.map(({ id, name, arguments: input }) => ({ id, type: "function", function: { name, arguments: input } })),
    },
    "tool_calls",
  );
