import { describe, expect, test } from "vitest";
import { judgeAnswer } from "@/lib/architect/judge-answer";
import { FIRST, type LoopState } from "@/lib/architect/loop";
import { buildLeadText, buildPromptParts } from "@/lib/architect/prompt";
import { agentSchema, pinnedToolSchema, type Graph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { wrapUntrusted } from "@/server/models/envelope";
import { articleSchema } from "@/server/mcp/library/data";
import { z } from "zod";
import { RESEARCH_AGENTS } from "@/server/seed/research/agents";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { replyAsHostileArchitect, HOSTILE_GRAPHS } from "./architect-compromised";
import { replyAsHonestArchitect } from "./architect";
import { readScene } from "./scene";

const tool = (name: string, effect: string, input_schema: object) =>
  pinnedToolSchema.parse({
    server: "library",
    tool: name,
    definition_digest: "0".repeat(64),
    description: "",
    input_schema,
    effect,
    idempotent: true,
    output: "public",
    outward: effect === "irreversible",
  });

const CONTEXT: ValidationContext = {
  agents: RESEARCH_AGENTS.filter(({ tools }) => tools.length === 0).map((agent) => agentSchema.parse(agent)),
  tools: [
    tool("read_page", "read", { type: "object", properties: { page: {} }, required: ["page"] }),
    tool("publish", "irreversible", z.toJSONSchema(articleSchema)),
  ],
  versions: [],
};

const sceneFor = (description: string, before: Graph | null = null, state: LoopState = FIRST, context = CONTEXT) => {
  const request = { description, pasted: "", before };
  const parts = buildPromptParts(request, state, context).map(({ type, value }) => wrapUntrusted(type, value));

  return readScene({
    prompt: [{ role: "user", content: [{ type: "text", text: [buildLeadText(request, state), ...parts].join("\n\n") }] }],
    providerOptions: { scripted: { agent: "architect", node: "architect", answer: "json" } },
  });
};

const judged = (description: string, before: Graph | null = null, state: LoopState = FIRST, context = CONTEXT) =>
  judgeAnswer(replyAsHonestArchitect(sceneFor(description, before, state, context))?.text ?? "", before, context);

const graphOf = (answer: ReturnType<typeof judged>): Graph => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.problems));

  return answer.graph;
};

const PUBLISH = "Summarise pages and publish after approval";

describe("the honest architect", () => {
  test("makes two mistakes first, and none after feedback", () => {
    const first = judged(PUBLISH);
    expect(first.ok ? [] : first.problems.map(({ code }) => code)).toEqual(["wildcard", "ungated_effect"]);
    expect(graphOf(judged(PUBLISH, null, { ...FIRST, attempt: 2 })).nodes.map(({ id }) => id)).toContain("approve");
  });

  test.each([
    ["with the agents of the demo", CONTEXT],
    ["without any agent", { ...CONTEXT, agents: [] }],
    ["with an agent without a ceiling", { ...CONTEXT, agents: [agentSchema.parse({ id: "any", name: "Any" })] }],
  ])("draws one step and an approval for anything else, %s", (_name, context) => {
    expect(graphOf(judged("Answer a question", null, FIRST, context)).nodes.at(-1)?.kind).toBe("approval");
  });

  test("draws the request: mail, draft, approval and write, under a name that ends at a word", () => {
    const file = (name: string, effect: string, input_schema: object) => ({ ...tool(name, effect, input_schema), server: "filesystem" });
    const path = { type: "string" };
    const context: ValidationContext = {
      ...CONTEXT,
      agents: SUPPORT_DESK_AGENTS.filter(({ tools }) => tools.length === 0).map((agent) => agentSchema.parse(agent)),
      tools: [
        file("read_text_file", "read", { type: "object", properties: { path }, required: ["path"] }),
        file("write_file", "irreversible", { type: "object", properties: { path, content: path }, required: ["path", "content"] }),
      ],
    };
    const wish = "Read a mail from the inbox and draft a reply and ask a person before it is written to a file";
    const graph = graphOf(judged(wish, null, FIRST, context));

    expect(graph.nodes.map(({ kind }) => kind)).toEqual(["tool", "agent", "agent", "approval", "tool"]);
    expect(graph.name).toBe("Read a mail from the inbox and draft a reply and ask a");
  });

  test("changes a graph as asked and keeps the rest", () => {
    const before = graphOf(judged(PUBLISH, null, { ...FIRST, attempt: 2 }));
    const asked = graphOf(judged("Two people shall decide", before));
    expect(asked.nodes.flatMap((node) => (node.kind === "approval" ? [node.config.quorum] : []))).toEqual([2]);
    const further = graphOf(judged("Tell the reader why", before));
    expect(further.nodes.slice(0, -1)).toEqual(before.nodes);
  });
});

describe("the compromised architect", () => {
  const before = graphOf(judged(PUBLISH, null, { ...FIRST, attempt: 2 }));

  test.each(Object.keys(HOSTILE_GRAPHS))("%s: accepted in neither a new graph nor a change", (attack) => {
    for (const start of [null, before]) {
      const reply = replyAsHostileArchitect(sceneFor(`Please attack ${attack}`, start));
      const answer = judgeAnswer(reply?.text ?? "", start, CONTEXT);
      // Weaker settings are a loss only in a change.
      const isFine = start === null && ["taint", "quorum", "harmless"].includes(attack);
      expect(answer.ok).toBe(isFine);
    }
  });
});
