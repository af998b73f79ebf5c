/** Plays each fault mode over real HTTP. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useSameModels } from "@/server/models/contract";
import { SUMMARY_SYSTEM } from "@/server/models/prompt";
import { listInstallationEntries, toModels } from "@/server/models/registry";
import { replyAsHonest } from "@/server/models/scripted/honest";
import { createModelCaller } from "@/server/models/sdk/language-models";
import { startFake, type Answer, type Sent } from "@/server/models/testing/fake";
import { FAULT_MODES, type FaultMode, type FaultOutcome } from "@/server/models/testing/fault-modes";
import { chatCalls, describeChat } from "@/server/models/testing/openai-fake";
import { streamChat, streamMessage } from "@/server/models/testing/sse";
import { personaOverAnthropic, personaOverHttp } from "@/server/models/testing/persona-fake";
import { command, openDesk, publishAs, withoutBackoff, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import type { SaidKeeper } from "@/server/runner/said";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const IDLE_MS = 200;
const MOST_DRIVES = 20;
const caller = createModelCaller({ idleMs: IDLE_MS });
let desk: Desk;
let graphHash = "";
/** The same graph for faults of time: others must not time out on a busy machine. */
let impatient: Version;
let passedMs = 0;
const clock = { now: () => systemClock.now() + passedMs, id: () => systemClock.id() };

type Version = { readonly published: Desk["published"]; readonly hash: string };

const publishWith = async (id: string, timeoutMs: number): Promise<Version> => {
  const { graph, agents } = desk.published;
  const published = withoutBackoff({
    ...desk.published,
    graph: { ...graph, id, max_outage_ms: 120_000 },
    agents: agents.map((agent) => ({ ...agent, timeout_ms: timeoutMs })),
  });

  return { published, hash: await publishAs(desk, published, desk.people.builder) };
};

beforeAll(async () => {
  const opened = await openDesk(urls, installation);
  desk = { ...opened, deps: { ...opened.deps, clock } };
  const { published, hash } = await publishWith("patient", 20_000);
  impatient = await publishWith("impatient", 1_000);
  graphHash = hash;
  desk = { ...desk, published };
}, 120_000);
afterAll(async () => {
  await caller.close();
  await desk.mcp.close();
});

const agentOf = (system: string): string => SUPPORT_DESK_AGENTS.find((agent) => system.startsWith(agent.system_prompt))?.id ?? "";
const honest = personaOverHttp(replyAsHonest, agentOf);

const statusOf = async (run: string): Promise<string> =>
  (await queryOn<{ status: string }>(urls.admin, "select status from run where id = $1", [run]))[0]?.status ?? "";

/** Advances the clock instead of waiting. */
const driveOn = async (wired: Desk, run: string): Promise<void> => {
  for (let n = 0; n < MOST_DRIVES; n += 1) {
    await drive(wired, run);
    if ((await statusOf(run)) !== "retrying") return;
    const [row] = await queryOn<{ held: boolean }>(urls.admin, "select lease_until is not null as held from run where id = $1", [run]);
    expect(row?.held).toBe(false);
    const { state } = await readRun(wired, run);
    passedMs += Math.max(0, (state.retryAt ?? 0) - clock.now());
  }
};

const open = async (answer: (sent: Sent, nth: number) => Answer, said?: SaidKeeper) => {
  const fake = await startFake(answer);
  passedMs = 0;
  const keys = { OPENAI_BASE_URL: fake.url, OPENAI_MODEL: "llama", ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: fake.url };
  const models = toModels({ entries: listInstallationEntries(keys), refused: () => null, clock, call: caller.call });
  const wired: Desk = { ...desk, deps: { ...desk.deps, modelsFor: useSameModels(models), ...(said ? { said } : {}) } };

  return { fake, wired };
};

const begin = async (wired: Desk, hash = graphHash, model = "openai-compatible:llama"): Promise<string> => {
  const run = randomUUID();
  await command(wired, run, desk.people.starter, {
    kind: "start",
    graph_hash: hash,
    goal: "Handle the mail",
    constraints: [],
    inputs: { mail_file: "01-upgrade.txt" },
    model,
  });

  return run;
};

type Play = { readonly model?: string; readonly said?: SaidKeeper; readonly version?: Version };

const play = async (answer: (sent: Sent, nth: number) => Answer, { model, said, version }: Play = {}) => {
  const { fake, wired: opened } = await open(answer, said);
  const wired = version ? { ...opened, published: version.published } : opened;
  try {
    const run = await begin(wired, version?.hash, model);
    await driveOn(wired, run);
    const { state } = await readRun(wired, run);
    if (state.status === "waiting") {
      // The table stays as it is for the next mode.
      await ask(wired, run, desk.people.reviewer, decisionFor(wired, state, "reject"));
      await driveOn(wired, run);
    }

    return { ...(await readRun(wired, run)), sent: fake.sent };
  } finally {
    await fake.close();
  }
};

const outcomeOf = ({ state, records, sent }: Awaited<ReturnType<typeof play>>): FaultOutcome => {
  const events = records.flatMap(({ record }) => record.control);
  const waits = events.flatMap((event) => (event.type === "outage_waited" ? [event.cause] : []));
  const failures = events.flatMap((event) => (event.type === "attempt_failed" ? [event.code] : []));
  const checks = sent.filter(({ body }) => /Your answer (?:does not fit|was cut off)/.test(lastText(body))).length;

  return {
    end: state.status === "completed" ? "completed" : (state.endReason ?? state.status),
    ...(waits.length === 0 ? {} : { waits: [...new Set(waits)] }),
    ...(failures.length === 0 ? {} : { failures }),
    ...(checks === 0 ? {} : { checks }),
  };
};

const lastText = (body: Sent["body"]): string => {
  const messages = body["messages"];

  return Array.isArray(messages) ? JSON.stringify(messages.at(-1)) : "";
};

const rejectsFormats = (sent: Sent): Answer | null => (sent.body["response_format"] === undefined ? null : { status: 400, body: {} });

const answerIn =
  (mode: FaultMode) =>
  (sent: Sent, nth: number): Answer =>
    (mode.name === "400 to a response format" ? rejectsFormats(sent) : mode.answer(nth, honest(sent))) ?? honest(sent);

const versionFor = ({ outcome }: FaultMode): Pick<Play, "version"> =>
  outcome.failures?.includes("model_timeout") === true ? { version: impatient } : {};

test("there are at least 25 modes", () => {
  expect(new Set(FAULT_MODES.map(({ name }) => name)).size).toBeGreaterThanOrEqual(25);
});

test.each(FAULT_MODES)("$name", { timeout: 60_000 }, async (mode) => {
  expect(outcomeOf(await play(answerIn(mode), versionFor(mode)))).toEqual(mode.outcome);
  // No wait held the lease.
  expect(passedMs > 0).toBe(mode.outcome.waits !== undefined);
});

test("the Support desk completes on an Anthropic-compatible server", { timeout: 60_000 }, async () => {
  const { state, sent } = await play(personaOverAnthropic(replyAsHonest, agentOf), { model: "anthropic:claude-sonnet-5" });

  expect(state.status).toBe("completed");
  expect(sent.some(({ body }) => body["output_config"] !== undefined)).toBe(true);
});

const textSchema = z.object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]) });
const messageSchema = z.object({ content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]) });

/** Streams texts; calls are answered in one piece, as some servers do. */
const streamed = (answer: Answer): Answer => {
  const body = "body" in answer ? answer.body : null;
  const headers = { "content-type": "text/event-stream" };
  const chat = textSchema.safeParse(body).data?.choices[0].message.content;
  if (chat !== undefined) return { headers, body: streamChat(chat.match(/[^]{1,7}/gu) ?? []) };
  const message = messageSchema.safeParse(body).data?.content[0].text;

  return message === undefined ? answer : { headers, body: streamMessage(message.match(/[^]{1,7}/gu) ?? []) };
};

test.each([
  ["OpenAI-compatible", "openai-compatible:llama", honest],
  ["Anthropic-compatible", "anthropic:claude-sonnet-5", personaOverAnthropic(replyAsHonest, agentOf)],
])("the Support desk completes on an %s server that streams", { timeout: 60_000 }, async (_, model, answer) => {
  const said: string[] = [];
  const keeper: SaidKeeper = {
    begin:
      () =>
      ({ text }) =>
        void said.push(text),
    end: () => undefined,
  };
  const played = await play((sent) => streamed(answer(sent)), { model, said: keeper });

  expect(outcomeOf(played)).toEqual({ end: "completed" });
  expect(played.sent.every(({ body }) => body["stream"] === true)).toBe(true);
  expect(said.length).toBeGreaterThan(10);
});

test.each(FAULT_MODES)("$name, asked for a stream", { timeout: 60_000 }, async (mode) => {
  const keeper: SaidKeeper = { begin: () => () => undefined, end: () => undefined };

  expect(outcomeOf(await play(answerIn(mode), { said: keeper, ...versionFor(mode) }))).toEqual(mode.outcome);
});

const waiting = async (answer: (sent: Sent, nth: number) => Answer) => {
  const { wired, fake } = await open(answer);
  const run = await begin(wired);
  await drive(wired, run);
  expect((await readRun(wired, run)).state).toMatchObject({
    status: "retrying",
    outage: { provider: "openai-compatible", cause: "rate_limited" },
  });

  return { wired, fake, run };
};

const rateLimitedOnce = (sent: Sent, nth: number): Answer =>
  nth === 0 ? { status: 429, headers: { "retry-after": "60" }, body: {} } : honest(sent);

test("a person tries now, and the run goes on at once", { timeout: 60_000 }, async () => {
  const { wired, fake, run } = await waiting(rateLimitedOnce);
  expect(await ask(wired, run, desk.people.reviewer, { kind: "retry_now" })).toMatchObject({ refusal: { code: "principal_not_allowed" } });
  expect(fake.sent).toHaveLength(1);
  expect(await ask(wired, run, desk.people.starter, { kind: "retry_now" })).toMatchObject({ refusal: null });

  expect((await readRun(wired, run)).state.status).toBe("waiting");
  await fake.close();
});

test("a person cancels a run that waits", { timeout: 60_000 }, async () => {
  const { wired, fake, run } = await waiting(rateLimitedOnce);
  await ask(wired, run, desk.people.starter, { kind: "cancel" });

  expect((await readRun(wired, run)).state.status).toBe("cancelled");
  expect(fake.sent).toHaveLength(1);
  await fake.close();
});

test("another runner takes a waiting run over from its records alone", { timeout: 60_000 }, async () => {
  const { wired, fake, run } = await waiting((sent, nth) => (nth === 1 ? rateLimitedOnce(sent, 0) : honest(sent)));
  const { state } = await readRun(wired, run);
  passedMs += Math.max(0, (state.retryAt ?? 0) - clock.now());
  await drive({ ...wired, deps: { ...wired.deps, notify: () => undefined } }, run);
  const after = await readRun(wired, run);

  expect(after.state.status).toBe("waiting");
  // The step before the outage was neither repeated nor charged again.
  const calls = after.records.flatMap(({ record }) => record.control.filter((event) => event.type === "model_called"));
  expect(calls).toHaveLength(fake.sent.length - 1);
  await fake.close();
});

test("the fallback answers while the agent's provider is down, on record, and without a wait", { timeout: 60_000 }, async () => {
  const anthropic = personaOverAnthropic(replyAsHonest, agentOf);
  const { wired, fake } = await open((sent) => (sent.url.endsWith("/messages") ? anthropic(sent) : { status: 500, body: {} }));
  const fallback = "anthropic:claude-sonnet-5";
  const published = { ...desk.published, agents: desk.published.agents.map((agent) => ({ ...agent, fallback })) };
  const run = await begin(wired, await publishAs(desk, published, desk.people.builder));
  await drive(wired, run);
  const { state, records } = await readRun(wired, run);
  const models = records.flatMap(({ record }) =>
    record.control.flatMap((event) => (event.type === "model_called" ? [event.usage.model] : [])),
  );

  expect(state).toMatchObject({ status: "waiting", outage: null });
  expect(new Set(models)).toEqual(new Set([fallback]));
  await fake.close();
});

/** Each other request: wrong types, cut off, or prose instead of a tool call. */
const WEAKNESSES: readonly Answer[] = [
  { body: describeChat('{"email":7,"plan":[],"customer_id":false}') },
  { body: { ...describeChat("Hel"), choices: describeChat("Hel").choices.map((choice) => ({ ...choice, finish_reason: "length" })) } },
  { body: describeChat("I would look that up now.") },
];

test("the Support desk completes on a weak model, wrong each other time", { timeout: 60_000 }, async () => {
  const played = await play((request, nth) =>
    nth % 2 === 0 ? (WEAKNESSES[(nth / 2) % WEAKNESSES.length] ?? honest(request)) : honest(request),
  );

  expect(outcomeOf(played)).toMatchObject({ end: "completed", checks: 2 });
  expect(played.records.some(({ record }) => record.proposal_kind === "effect_outcome")).toBe(true);
});

test("a conversation that outgrows the graph's limit is summarised on record, and the run completes", { timeout: 60_000 }, async () => {
  const published = { ...desk.published, graph: { ...desk.published.graph, id: "long", max_thread_tokens: 4_000 } };
  const version = { published, hash: await publishAs(desk, published, desk.people.builder) };
  const words = "w".repeat(3_000);
  let turns = 0;
  const isOf = (sent: Sent, text: string) => JSON.stringify(sent.body).includes(JSON.stringify(text).slice(1, 60));
  const chatty = (sent: Sent): Answer => {
    if (isOf(sent, SUMMARY_SYSTEM)) return { body: describeChat("looked up so far") };
    if (!isOf(sent, SUPPORT_DESK_AGENTS[1]?.system_prompt ?? "") || turns >= 6) return honest(sent);
    turns += 1;
    const called = chatCalls({ id: "x", name: "customers__find_customer", arguments: '{"email":"maria.lopez@example.com"}' });

    return {
      body: { ...called, choices: called.choices.map((one) => ({ ...one, message: { ...one.message, content: `${turns}${words}` } })) },
    };
  };
  const { state, records, sent } = await play(chatty, { version });
  const events = records.flatMap(({ record }) => record.control);
  const shortened = events.filter((event) => event.type === "thread_compacted");

  expect(state.status).toBe("completed");
  expect(shortened.map(({ how, turns: replaced }) => [how, replaced])).toEqual([
    ["summarise", 2],
    ["summarise", 4],
  ]);
  expect(events.filter((event) => event.type === "model_called")).toHaveLength(sent.length);
  const after = sent.filter(
    ({ body }) => JSON.stringify(body).includes("looked up so far") && !JSON.stringify(body).includes("summary_so_far"),
  );
  expect(after.length).toBeGreaterThan(0);
  expect(after.some(({ body }) => JSON.stringify(body).includes(`1${words}`))).toBe(false);
  expect(JSON.stringify(records)).not.toContain("looked up so far");
});
