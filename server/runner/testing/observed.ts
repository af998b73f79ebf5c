import { randomUUID } from "node:crypto";
import { agentSchema, graphSchema, type PublishedGraph } from "@/lib/graph/document";
import type { Answer } from "@/server/models/testing/fake";
import { chatCalls, describeChat } from "@/server/models/testing/openai-fake";
import type { Desk } from "@/server/runner/testing/desk";

export const CANARIES = {
  goal: "canary-goal-7d1f0c",
  input: "canary-input-a90b33.txt",
  result: "canary-result-5e77d2",
  prompt: "canary-prompt-c4d810",
  instructions: "canary-instructions-19ab6e",
  argument: "canary-argument-f02c45@example.com",
  tool: "canary_tool_84e1aa",
  answer: "canary-answer-b6309f",
  thought: "canary-thought-4ac913",
  model: "canary-model-2f9e58",
  error: "canary-error-d7c1e4",
  key: "canary-key-60f2b9",
  asked: "canary-asked-3b8c71",
} as const;

export const observedGraph = (desk: Desk): PublishedGraph => ({
  ...desk.published,
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "observed",
    name: "Observed",
    inputs: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
    memory: [
      { key: "file", schema: { type: "string" } },
      { key: "mail", schema: {} },
      { key: "note", schema: { type: "string" } },
    ],
    nodes: [
      {
        id: "read",
        kind: "tool",
        read_keys: ["file"],
        write_keys: ["mail"],
        effect: "read",
        config: { server: "filesystem", tool: "read_text_file", arguments: { path: { from: "file" } } },
      },
      {
        id: "clerk",
        kind: "agent",
        read_keys: ["mail"],
        write_keys: ["note"],
        effect: "read",
        failure_policy: { attempts: 1 },
        config: { agent_id: "planner", instructions: CANARIES.instructions },
      },
    ],
    edges: [{ id: "e", source: "read", target: "clerk" }],
    start_node: "read",
    end_nodes: ["clerk"],
  }),
  agents: [
    agentSchema.parse({
      id: "planner",
      name: "Clerk",
      system_prompt: CANARIES.prompt,
      permissions: { read_keys: ["mail"], write_keys: ["note"] },
      tools: [{ server: "customers", tool: "find_customer" }],
      max_steps: 8,
      effort: "high",
    }),
  ],
});

const called = (name: string, input: object): Answer => ({
  body: { ...chatCalls({ id: randomUUID(), name, arguments: JSON.stringify(input) }), model: CANARIES.model },
});

const thoughtful = (content: string, reasoning: string): Answer => {
  const chat = describeChat(content);

  return { body: { ...chat, choices: chat.choices.map((one) => ({ ...one, message: { ...one.message, reasoning_content: reasoning } })) } };
};

export const ANSWERS: readonly Answer[] = [
  called("customers__find_customer", { email: CANARIES.argument }),
  called(CANARIES.tool, {}),
  thoughtful(CANARIES.answer, CANARIES.thought),
  { status: 401, body: { error: { message: CANARIES.error, type: CANARIES.error, code: CANARIES.error } } },
];

export const samples = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
/** Base64 has three alignments. */
export const spellings = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -8),
  );

  return [secret, ...base64, bytes.toString("hex"), encodeURIComponent(secret), Array.from(secret).toReversed().join("")];
};
