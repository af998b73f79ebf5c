import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentSchema, graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { useSameModels } from "@/server/models/contract";
import { createModels } from "@/server/models/sdk/in-process";
import { startFake, type Answer } from "@/server/models/testing/fake";
import { describeChat } from "@/server/models/testing/openai-fake";
import { openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import {
  runAgentCommand,
  answerTo,
  askForRun,
  outsider,
  publishCounter,
  startedBy,
  takeStep,
  type Outsider,
} from "@/server/runner/testing/outside";
import { drive, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let counter: string;
let thinker: string;

const THINKER: PublishedGraph = {
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "thinker",
    name: "Thinker",
    memory: [{ key: "thought", schema: { type: "string" } }],
    external: {},
    start_node: "think",
    end_nodes: ["end"],
    max_iterations: 100,
    nodes: [
      {
        id: "think",
        kind: "agent",
        write_keys: ["thought"],
        failure_policy: { attempts: 1 },
        config: { agent_id: "thinker", instructions: "Think." },
      },
      { id: "end", kind: "router", config: {} },
    ],
    edges: [
      { id: "again", source: "think", target: "think" },
      { id: "ending", source: "think", target: "end" },
    ],
  }),
  agents: [
    agentSchema.parse({
      id: "thinker",
      name: "Thinker",
      system_prompt: "You think.",
      permissions: { read_keys: [], write_keys: ["thought"] },
      tools: [],
      max_steps: 2,
      timeout_ms: 1_500,
    }),
  ],
  tools: [],
  subgraphs: [],
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  counter = await publishCounter(desk);
  thinker = await publishAs(desk, THINKER, desk.people.builder);
}, 120_000);
afterAll(() => desk.mcp.close());

const LIMITS = { runs: 3, sessions: 10, micro_usd: 1_000_000_000 };

const codes = async (commands: readonly { readonly commandId: string }[]) =>
  (await Promise.all(commands.map(({ commandId }) => answerTo(desk, commandId)))).map((answer) => answer?.refusal?.code ?? null);

const countRuns = async ({ token }: Outsider) => {
  const [row] = await query<{ runs: number }>(urls.admin, "select count(*)::int as runs from run where token_id = $1", [token]);

  return row?.runs;
};

const ageRuns = (token: string) =>
  asAdmin(
    urls.admin,
    "update run set created_at = created_at - interval '25 hours', updated_at = updated_at - interval '25 hours' where token_id = $1",
    [token],
  );

describe("runs", () => {
  test("are limited per token under concurrency", async () => {
    const agent = await outsider(desk, counter, { limits: LIMITS });
    const asked = await Promise.all(Array.from({ length: 8 }, (_, ordinal) => askForRun(desk, agent, { ordinal })));
    await Promise.all(asked.map(({ runId }) => drive(desk, runId)));

    const answers = await codes(asked);
    expect(["token_run_limit", null].map((code) => answers.filter((answer) => answer === code).length)).toEqual([5, 3]);
    expect(await countRuns(agent)).toBe(3);
  });

  test("include forks, within 24 hours", async () => {
    const agent = await outsider(desk, counter, { limits: { ...LIMITS, runs: 2 } });
    const runId = await startedBy(desk, agent);
    const fork = async (run: string) => {
      const commandId = await runAgentCommand(desk, agent, runId, {
        kind: "fork",
        run,
        parent_run: runId,
        parent_seq: 1,
        change: { type: "none" },
        effects: "simulate",
      });
      await drive(desk, runId);

      return (await codes([{ commandId }]))[0];
    };
    expect(await fork(desk.deps.clock.id())).toBeNull();
    expect(await fork(desk.deps.clock.id())).toBe("token_run_limit");
    await ageRuns(agent.token);
    expect(await fork(desk.deps.clock.id())).toBeNull();
  });

  test("are counted by the runner: the web process's timestamps change nothing", async () => {
    const agent = await outsider(desk, counter, { limits: { ...LIMITS, runs: 1 } });
    await startedBy(desk, agent);
    await asAdmin(urls.admin, "alter table agent_session_run disable trigger user", []);
    await asAdmin(urls.admin, "update agent_session_run set at = '2000-01-01' where session_id = $1", [agent.session]);
    await asAdmin(urls.admin, "alter table agent_session_run enable trigger user", []);
    const more = await askForRun(desk, agent, { ordinal: 1 });
    await drive(desk, more.runId);
    expect(await codes([more])).toEqual(["token_run_limit"]);
  });

  test("do not start when a limit was raised directly in the row", async () => {
    const agent = await outsider(desk, counter, { limits: { ...LIMITS, runs: 1 } });
    await asAdmin(urls.admin, "update agent_token set limits = jsonb_set(limits, '{runs}', '9') where id = $1", [agent.token]);
    const asked = await askForRun(desk, agent);
    await drive(desk, asked.runId);
    expect(await codes([asked])).toEqual(["projection_mismatch"]);
  });
});

/** In micro-USD. */
const RESERVED = 8_192 * 125;
const ANSWERED = 20 * 125;

const withProvider = async (answer: () => Answer, work: (desk: Desk, sent: readonly unknown[]) => Promise<void>) => {
  const fake = await startFake(answer);
  const models = createModels({
    OPENAI_BASE_URL: fake.url,
    OPENAI_MODEL: "llama",
    COUNTERSIGN_MODEL_PRICES: { "openai-compatible:llama": { input_usd_per_million: 0, output_usd_per_million: 125 } },
  });
  try {
    await work({ ...desk, deps: { ...desk.deps, modelsFor: useSameModels(models) } }, fake.sent);
  } finally {
    await fake.close();
  }
};

const model = "openai-compatible:llama";
const spentBy = async ({ token }: Outsider) => {
  const [row] = await query<{ spent: number }>(urls.admin, "select sum(total_micro_usd)::int as spent from run where token_id = $1", [
    token,
  ]);

  return row?.spent;
};

describe("money", () => {
  test("of parallel calls across runs stays within the token's limit, and uncovered calls are not made", async () => {
    await withProvider(
      () => ({ hang: true }),
      async (on, sent) => {
        const agent = await outsider(on, thinker, { limits: { runs: 10, sessions: 10, micro_usd: 2 * RESERVED + ANSWERED } });
        const runs: string[] = [];
        for (let ordinal = 0; ordinal < 6; ordinal += 1) runs.push(await startedBy(on, agent, { ordinal, model }));
        await Promise.all(runs.map((runId) => takeStep(on, agent, runId, "think")));

        expect(sent).toHaveLength(2);
        // Without an answer the reservation counts.
        expect(await spentBy(agent)).toBe(2 * RESERVED);
        const ends = await Promise.all(runs.map(async (runId) => (await readRun(on, runId)).state.lastError?.code));
        expect(ends.filter((code) => code === "token_cost_limit")).toHaveLength(4);
      },
    );
  });

  test("once spent, blocks further runs until it is a day old, also when spent by older runs", async () => {
    await withProvider(
      () => ({ body: describeChat("A thought.") }),
      async (on) => {
        const agent = await outsider(on, thinker, { limits: { runs: 10, sessions: 10, micro_usd: RESERVED } });
        const runId = await startedBy(on, agent, { model });
        expect((await takeStep(on, agent, runId, "think")).refusal).toBeNull();
        expect(await spentBy(agent)).toBe(ANSWERED);
        await asAdmin(
          urls.admin,
          "update run set created_at = created_at - interval '25 hours', total_micro_usd = $2 where token_id = $1",
          [agent.token, RESERVED],
        );
        const more = await askForRun(on, agent, { ordinal: 1, model });
        await drive(on, more.runId);
        expect(await codes([more])).toEqual(["token_cost_limit"]);
        await ageRuns(agent.token);
        const later = await askForRun(on, agent, { ordinal: 2, model });
        await drive(on, later.runId);
        expect(await codes([later])).toEqual([null]);
      },
    );
  });
});
