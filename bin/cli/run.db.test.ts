import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { RUG_PULL } from "@/server/mcp/testing/installation";
import { describe, expect, test, vi } from "vitest";
import { countersign, SMALL_GRAPH, startCountersign } from "./testing.ts";
import {
  adminUrl,
  folder,
  origin,
  printedSchema,
  argumentsOf,
  run,
  invalid,
  databases,
  isAlive,
  says,
  ECHO,
  GATED,
  WITH_ECHO,
  callEcho,
  type Files,
} from "./testing-run.ts";

// Several runs create databases concurrently.
vi.setConfig({ testTimeout: 90_000 });

describe("countersign run", () => {
  test("exits with 0 after a completed run and prints one verified object", async () => {
    const before = await databases();
    const done = await run(SMALL_GRAPH, {
      inputs: { topic: "rain" },
      script: says({ text: "It rains.", usage: { input_tokens: 70, output_tokens: 7 } }),
    });

    expect(done).toMatchObject({
      code: 0,
      status: "completed",
      memory: { topic: "rain", answer: "It rains." },
      visited_nodes: ["write"],
      refusals: [],
      usage: { input_tokens: 70, output_tokens: 7, total_tokens: 77, model_calls: 1 },
      cost_usd: 0,
      verify: { ok: true, records: done.records.length, problems: [] },
    });
    expect(Object.keys(done.labels).toSorted()).toEqual(["answer", "topic"]);
    expect(done.records.map(({ seq }) => seq)).toEqual(done.records.map((_, index) => index));
    expect(await databases()).toBeLessThanOrEqual(before);
  });

  test("computes with the variables of --env, and starts nothing without them", async () => {
    const graph = {
      format: "countersign/graph/v1",
      id: "regional",
      name: "Regional",
      memory: [{ key: "region", schema: { type: "string" } }],
      nodes: [{ id: "name", kind: "transform", write_keys: ["region"], config: { set: [{ path: "region", value: "env.REGION" }] } }],
      edges: [],
      start_node: "name",
      end_nodes: ["name"],
    };
    expect(await run(graph, { env: { REGION: "eu" } })).toMatchObject({ code: 0, memory: { region: "eu" }, verify: { ok: true } });
    expect(await invalid(graph, {})).toEqual(["variable_missing"]);
  });

  test("exports the run that it reports, for verification anywhere", async () => {
    const bundle = path.join(folder, "bundle.json");
    const args = [...argumentsOf(SMALL_GRAPH, { inputs: { topic: "rain" }, script: says({ text: "It rains." }) }), "--out", bundle];
    const { code, stdout } = await countersign(args, { DATABASE_URL: adminUrl });
    const told = printedSchema.parse(JSON.parse(stdout));
    expect([code, fs.statSync(bundle).mode & 0o777]).toEqual([0, 0o600]);
    const verified = await countersign(["verify", bundle]);
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([
      0,
      expect.objectContaining({ ok: true, run: told.run_id, records: told.records.length, head: told.records.at(-1)?.digest }),
    ]);
    fs.writeFileSync(bundle, fs.readFileSync(bundle, "utf8").replace("It rains.", "It snows."));
    expect((await countersign(["verify", bundle])).code).toBe(1);
  });

  test("records a refusal of a forbidden step, and the run continues", async () => {
    const done = await run(SMALL_GRAPH, {
      script: says({ tool_calls: [{ name: "save_to_memory", input: { topic: "mine", is_admin: true } }] }, { text: "Fine." }),
    });

    expect(done).toMatchObject({ code: 0, status: "completed", memory: { answer: "Fine." } });
    expect(done.refusals).toMatchObject([{ code: "key_undeclared", node: "write" }]);
    expect(done.records.filter(({ kind }) => kind === "refusal")).toMatchObject([{ code: "key_undeclared" }]);
  });

  test("exits with 2 and says so when the script runs out", async () => {
    const failed = await run(SMALL_GRAPH, { script: says(callEcho) });

    expect(failed).toMatchObject({ code: 2, status: "failed", error: { node: "write", code: "script_exhausted" } });
    expect(failed.error?.message).toContain("has only 1 step for the agent writer");
  });

  test("reports a script error as a model failure with the same code, and retries a retryable one", async () => {
    const retried = await run(SMALL_GRAPH, { script: says({ error: { code: "overloaded", retryable: true } }, { object: { n: 1 } }) });
    expect(retried).toMatchObject({ code: 0, memory: { answer: '{"n":1}' } });
    expect(retried.records.flatMap(({ code }) => code ?? [])).toEqual(["overloaded"]);

    const failed = await run(SMALL_GRAPH, { script: says({ error: { code: "content_filter", retryable: false } }) });
    expect(failed).toMatchObject({ code: 2, error: { code: "content_filter" } });
  });

  test("exits with 3 without a decision, with 0 when approved, and with 2 when rejected without an edge", async () => {
    const script = says({ text: "It rains." });
    const [waiting, approved, rejected] = await Promise.all([
      run(GATED, { script }),
      run(GATED, { script, decide: [{ decision: "approve", reason: "True.", by: "ada" }] }),
      run(GATED, { script, decide: [{ decision: "reject" }] }),
    ]);

    expect(waiting).toMatchObject({ code: 3, status: "waiting", verify: { ok: true } });
    expect(approved).toMatchObject({ code: 0, status: "completed", visited_nodes: ["write", "ask", "done"] });
    expect(rejected).toMatchObject({ code: 2, status: "cancelled" });
  });

  test("refuses and records a decision by the run's starter, and the gate stays closed", async () => {
    const refused = await run(GATED, { script: says({ text: "x" }), decide: [{ decision: "approve", by: "starter" }] });

    expect(refused).toMatchObject({ code: 3, status: "waiting" });
    expect(refused.refusals).toMatchObject([{ code: "role_missing", node: "ask" }]);
  });

  test("counts unnamed decisions as different people in a quorum, and the same name once", async () => {
    const quorum = {
      ...GATED,
      nodes: GATED.nodes.map((node) => (node.id === "ask" ? { ...node, config: { prompt: "?", quorum: 2 } } : node)),
    };
    const script = says({ text: "x" });
    const [two, same] = await Promise.all([
      run(quorum, { script, decide: [{ decision: "approve" }, { decision: "approve" }] }),
      run(quorum, {
        script,
        decide: [
          { decision: "approve", by: "ada" },
          { decision: "approve", by: "ada" },
        ],
      }),
    ]);

    expect(two).toMatchObject({ code: 0, status: "completed", refusals: [] });
    expect(same).toMatchObject({ code: 3, refusals: [{ code: "duplicate_decision" }] });
  });

  test("treats a tool as irreversible unless the operator declares its effect, and its answers as untrusted", async () => {
    const script = says(callEcho, { text: "Done." });
    const [unspoken, spoken, approved] = await Promise.all([
      run(WITH_ECHO, { script, mcp: ECHO }),
      run(WITH_ECHO, { script, mcp: { ...ECHO, effects: { echo__echo: "read" } } }),
      run(WITH_ECHO, { script, mcp: ECHO, decide: [{ decision: "approve" }] }),
    ]);

    // Although the server declares readOnlyHint.
    expect(unspoken).toMatchObject({ code: 3, status: "waiting" });
    expect(spoken).toMatchObject({ code: 0, memory: { answer: "Done." }, labels: { answer: { integrity: "untrusted" } } });
    expect(spoken.labels["answer"]?.provenance).toContain("mcp:echo/echo");
    expect(approved).toMatchObject({ code: 0, status: "completed" });
  });

  test("gives a server the operator's variables, basic ones and public keys, and no secrets", async () => {
    const graph = {
      ...SMALL_GRAPH,
      memory: [{ key: "answer", schema: {} }],
      inputs: { type: "object", additionalProperties: false },
      nodes: [
        {
          id: "write",
          kind: "tool",
          write_keys: ["answer"],
          config: { server: "echo", tool: "misbehave", arguments: { how: { value: "environment" } } },
        },
      ],
      agents: [],
    };
    const env = { MY_SETTING: "on" };
    const args = argumentsOf(graph, {
      mcp: { mcpServers: { echo: { ...ECHO.mcpServers.echo, env } }, effects: { echo__misbehave: { effect: "read", idempotent: true } } },
    });
    const { code, stdout } = await countersign(args, { DATABASE_URL: adminUrl, ANTHROPIC_API_KEY: "sk-ours" });
    const { memory } = printedSchema.parse(JSON.parse(stdout));
    const answer = z.object({ content: z.tuple([z.object({ text: z.string() })]) }).parse(memory["answer"]);
    const seen = z.object({ env: z.record(z.string(), z.string()) }).parse(JSON.parse(answer.content[0].text)).env;

    expect(code).toBe(0);
    expect(seen).toMatchObject({
      MY_SETTING: "on",
      COUNTERSIGN_PUBLIC_KEYS: expect.stringContaining("{") as string,
      COUNTERSIGN_TRUST_ANCHOR: expect.stringContaining("trust-anchor.json") as string,
    });
    expect(fs.existsSync(seen["COUNTERSIGN_TRUST_ANCHOR"] ?? "")).toBe(false);
    expect(stdout).not.toContain("sk-ours");
    expect(Object.keys(seen)).not.toContain("DATABASE_URL");
  });

  test("accepts a server address on this machine, and YAML for graph and files", async () => {
    const graph = `
format: countersign/graph/v1
id: small
name: Small
memory: [{ key: answer, schema: {} }]
nodes:
  - { id: ask, kind: tool, write_keys: [answer], config: { server: old, tool: echo } }
edges: []
start_node: ask
end_nodes: [ask]
`;
    const mcp = `
mcpServers: { old: { url: "${origin}/mcp" } }
effects: { old__echo: read }
`;
    const done = await run(graph, { mcp });

    expect(done).toMatchObject({ code: 0, memory: { answer: { content: [{ text: "hello" }] } } });
    expect(done.labels["answer"]).toMatchObject({
      integrity: "untrusted",
      provenance: expect.arrayContaining(["mcp:old/echo"]) as string[],
    });
  });

  test("does not call a server again after it changed its tools", async () => {
    const agents = SMALL_GRAPH.agents.map((agent) => ({ ...agent, max_steps: 5, tools: ["echo__echo", "echo__become"] }));
    const become = { tool_calls: [{ name: "echo__become", input: { shape: "description", announce: true } }] };
    const done = await run(
      { ...SMALL_GRAPH, agents },
      { script: says(become, callEcho, { text: "Done." }), mcp: { ...ECHO, effects: { echo__echo: "read", echo__become: "read" } } },
    );

    expect(done).toMatchObject({ code: 0, refusals: [{ code: "tool_drifted" }] });
  });
});

describe("invalid input exits with 1, starts no run and names the problem", () => {
  const script = says({ text: "x" });

  test.each<[string, unknown, Files, string]>([
    ["a graph with an error", { ...SMALL_GRAPH, start_node: "nowhere" }, { script }, "unknown_start"],
    ["a graph without its agents", { ...SMALL_GRAPH, agents: undefined }, { script }, "agent_unknown"],
    ["a tool that no server has", WITH_ECHO, { script }, "tool_unavailable"],
    ["inputs that do not fit", SMALL_GRAPH, { script, inputs: { topic: 7 } }, "inputs_invalid"],
    ["inputs that are not an object", SMALL_GRAPH, { script, inputs: ["rain"] }, "inputs_invalid"],
    ["a script of another shape", SMALL_GRAPH, { script: { agents: { writer: [{ say: "x" }] } } }, "input_invalid"],
    ["decisions of another shape", GATED, { script, decide: [{ decision: "maybe" }] }, "input_invalid"],
    ["an MCP file of another shape", SMALL_GRAPH, { script, mcp: { mcpServers: { echo: { cmd: "x" } } } }, "input_invalid"],
    ["an effect of an unknown tool", SMALL_GRAPH, { script, mcp: { ...ECHO, effects: { echo__none: "read" } } }, "tool_unknown"],
    [
      "a server that does not start",
      SMALL_GRAPH,
      { script, mcp: { mcpServers: { gone: { command: "/nonexistent/server" } } } },
      "server_unreachable",
    ],
  ])("%s", async (_what, graph, files, code) => {
    expect(await invalid(graph, files)).toContain(code);
  });

  test("a tool node's declared write without a gate, as at publication", async () => {
    const call = {
      id: "write",
      kind: "tool",
      write_keys: ["answer"],
      config: { server: "echo", tool: "echo", arguments: {}, write_to: "answer" },
    };
    const graph = { ...WITH_ECHO, nodes: [call], edges: [], start_node: "write", end_nodes: ["write"] };
    expect(await invalid(graph, { script, mcp: { ...ECHO, effects: { echo__echo: "write" } } })).toContain("ungated_effect");
  });

  test("no agent's write, which waits like one that is not declared", async () => {
    const declared = await run(WITH_ECHO, {
      script: says(callEcho, { text: "Done." }),
      mcp: { ...ECHO, effects: { echo__echo: "write" } },
    });
    expect(declared).toMatchObject({ code: 3, status: "waiting" });
  });
});

describe("cleanup", () => {
  test("prints progress on stderr without --json, only the object on stdout, and removes the embedded Postgres", async () => {
    const temporary = fs.mkdtempSync(path.join(folder, "tmp-"));
    fs.chmodSync(folder, 0o711);
    fs.chmodSync(temporary, 0o777);
    const args = argumentsOf(SMALL_GRAPH, { script: says({ text: "x" }) }).filter((argument) => argument !== "--json");
    const { code, stdout, stderr } = await countersign(args, { TMPDIR: temporary });

    expect(code).toBe(0);
    expect(printedSchema.parse(JSON.parse(stdout)).status).toBe("completed");
    expect(stderr).toContain("records");
    expect(fs.readdirSync(temporary)).toEqual([]);
  }, 60_000);

  test("Ctrl-C during a run stops the servers and removes the database", async () => {
    const agents = WITH_ECHO.agents.map((agent) => ({ ...agent, tools: ["echo__misbehave"] }));
    const slow = { tool_calls: [{ name: "echo__misbehave", input: { how: "slow" } }] };
    const pidFile = path.join(folder, "server.pid");
    const command = `echo $$ > ${pidFile}; exec ${process.execPath} ${RUG_PULL}`;
    const mcp = { mcpServers: { echo: { command: "/bin/sh", args: ["-c", command] } }, effects: { echo__misbehave: "read" } };
    const args = argumentsOf({ ...SMALL_GRAPH, agents }, { script: says(slow), mcp }).filter((argument) => argument !== "--json");
    const before = await databases();
    const { child, ended } = startCountersign(args, { DATABASE_URL: adminUrl });
    // After 4 records the tool call is in progress.
    await new Promise<void>((resolve) =>
      child.stderr?.on("data", (chunk: Buffer) => chunk.toString("utf8").includes("4 records") && resolve()),
    );
    const pid = Number(fs.readFileSync(pidFile, "utf8"));
    expect(isAlive(pid)).toBe(true);
    child.kill("SIGINT");

    expect((await ended).code).toBe(130);
    expect(isAlive(pid)).toBe(false);
    expect(await databases()).toBeLessThanOrEqual(before);
  });

  test("leaves no process running", () => {
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(folder);
  });
});
