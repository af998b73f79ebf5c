import { describe, expect, test } from "vitest";
import { agentSchema, pinnedToolSchema, type Agent, type PinnedTool } from "@/lib/graph/document";
import { fillTemplate } from "@/lib/graph/templates/template";
import { TEMPLATES } from "@/lib/graph/templates/templates";
import { hasErrors, validateGraph } from "@/lib/graph/validate";

const EFFECTS: Readonly<Record<string, PinnedTool["effect"]>> = { read_text_file: "read", find_customer: "read", update_plan: "write" };

const toolsOf = (server: string, names: readonly string[]): PinnedTool[] =>
  names.map((tool) =>
    pinnedToolSchema.parse({
      server,
      tool,
      definition_digest: "0".repeat(64),
      description: "",
      input_schema: {},
      effect: EFFECTS[tool] ?? "irreversible",
      idempotent: true,
      clearance: "pii",
    }),
  );

describe.each(TEMPLATES.map((template) => [template.id, template] as const))("the template %s", (_id, template) => {
  const tools = template.servers.flatMap(({ id, tools: names }) => toolsOf(`my-${id}`, names));

  test("publishes without an error where the workspace has its tools", () => {
    const { document, agents, needs } = fillTemplate(template, { agents: [], tools });
    const problems = validateGraph(document, { agents: [...agents], tools, versions: [] });

    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(needs.map(({ server }) => server)).toEqual(template.servers.map(({ id }) => `my-${id}`));
  });

  test("says what it needs where the workspace has nothing", () => {
    const { document, needs } = fillTemplate(template, { agents: [], tools: [] });

    expect(needs.map(({ server }) => server)).toEqual(template.servers.map(() => null));
    expect(hasErrors(validateGraph(document, { agents: [], tools: [], versions: [] }))).toBe(true);
  });

  test("keeps agents of the workspace: equal ones are used, others are not replaced", () => {
    const own = template.agents.map((agent) => agentSchema.parse(agent));
    expect(fillTemplate(template, { agents: own, tools }).agents).toEqual([]);

    const others: Agent[] = own.map((agent) => ({ ...agent, system_prompt: "Another one." }));
    const filled = fillTemplate(template, { agents: others, tools });
    const ids = others.map(({ id }) => id);
    expect(filled.agents).toHaveLength(own.length);
    expect(filled.agents.filter(({ id }) => ids.includes(id))).toEqual([]);
    expect(
      validateGraph(filled.document, { agents: [...others, ...filled.agents], tools, versions: [] }).filter(
        ({ severity }) => severity === "error",
      ),
    ).toEqual([]);
  });
});

test("a template prefers the server of its own name, and takes only one that has every tool", () => {
  const template = TEMPLATES.find(({ id }) => id === "file");
  if (!template) throw new Error("no such template");
  const partial = toolsOf("aaa", ["read_text_file"]);
  const [whole, named] = [toolsOf("other", ["read_text_file", "write_file"]), toolsOf("files", ["read_text_file", "write_file"])];
  const serverOf = (tools: readonly PinnedTool[]) => fillTemplate(template, { agents: [], tools }).needs[0]?.server;

  expect(serverOf([...partial, ...whole])).toBe("other");
  expect(serverOf([...partial, ...whole, ...named])).toBe("files");
  expect(serverOf(partial)).toBeNull();
});
