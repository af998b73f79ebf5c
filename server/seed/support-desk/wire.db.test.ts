import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useSameModels } from "@/server/models/contract";
import { createModels } from "@/server/models/sdk/in-process";
import { replyAsCompromised } from "@/server/models/scripted/compromised";
import { replyAsHonest } from "@/server/models/scripted/honest";
import type { Persona } from "@/server/models/scripted/scene";
import { startFake } from "@/server/models/testing/fake";
import { personaOverHttp } from "@/server/models/testing/persona-fake";
import { command, openDesk, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, readRun, refusalCodes } from "@/server/runner/testing/run";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const agentOf = (system: string): string => SUPPORT_DESK_AGENTS.find((agent) => system.startsWith(agent.system_prompt))?.id ?? "";

const runOver = async (persona: Persona, decision: "approve" | "reject") => {
  const fake = await startFake(personaOverHttp(persona, agentOf));
  try {
    const models = createModels({ OPENAI_BASE_URL: fake.url, OPENAI_MODEL: "llama" });
    const wired: Desk = { ...desk, deps: { ...desk.deps, modelsFor: useSameModels(models) } };
    const run = randomUUID();
    await command(wired, run, desk.people.starter, {
      kind: "start",
      graph_hash: desk.graphHash,
      goal: "Handle the mail",
      constraints: [],
      inputs: { mail_file: "01-upgrade.txt" },
      model: "openai-compatible:llama",
    });
    await drive(wired, run);
    const { state } = await readRun(wired, run);
    await ask(wired, run, desk.people.reviewer, decisionFor(wired, state, decision));
    const ended = await readRun(wired, run);

    return { ...ended, sent: fake.sent };
  } finally {
    await fake.close();
  }
};

test("the same graph runs on an OpenAI-compatible server, with counted calls", async () => {
  const before = await customersOf(desk);
  const { state, records, sent } = await runOver(replyAsHonest, "approve");

  expect(state.status).toBe("completed");
  expect(refusalCodes(records)).toEqual([]);
  expect((await customersOf(desk)).applied).toBe(before.applied + 1);
  const usages = records.flatMap(({ record }) => record.control.flatMap((event) => (event.type === "model_called" ? [event.usage] : [])));
  expect(usages).toHaveLength(sent.length);
  expect(usages.every((usage) => usage.price_source === "self-hosted" && usage.input_tokens === 100)).toBe(true);
});

test("a compromised model over the wire is refused like a scripted one, and the table is unchanged", async () => {
  const before = await customersOf(desk);
  const { state, records } = await runOver(replyAsCompromised, "reject");

  expect(state.status).toBe("completed");
  expect(new Set(refusalCodes(records))).toEqual(
    new Set(["write_not_granted", "key_undeclared", "tool_not_granted", "action_not_granted", "principal_not_allowed", "value_invalid"]),
  );
  expect(await customersOf(desk)).toEqual(before);
});
