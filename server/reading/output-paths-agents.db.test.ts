/** A new tool without a row fails. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { callerByHand } from "@/server/outside/caller";
import { RESOURCES, readResource } from "@/server/outside/resources";
import { callTool } from "@/server/outside/server";
import { holds } from "@/server/outside/testing/records";
import { TOOLS } from "@/server/outside/tools";
import { generateSessionSeed } from "@/server/security/session-key";
import { getAgentToken } from "@/server/store/agents/tokens";
import { testDatabase } from "@/server/testing/database";
import { openReviewDesk, type ReviewDesk } from "./testing/review-desk";

vi.setConfig({ testTimeout: 120_000 });

const CANARY = `canary ${randomUUID()} of the contract`;
const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let review: ReviewDesk;
let driven: Awaited<ReturnType<ReviewDesk["startDriven"]>>;

beforeAll(async () => {
  review = await openReviewDesk(urls, installation, CANARY);
  driven = await review.startDriven();
  await useDatabase(urls.web);
}, 240_000);
afterAll(async () => {
  closeRunBus();
  await review.desk.mcp.close();
});

const agentCall = async () => {
  const session = { id: randomUUID(), key: generateSessionSeed() };
  const token = await getAgentToken(review.desk.workspace, driven.agent.token);
  const caller =
    token && (await callerByHand(review.desk.workspace, { role: "builder", session }, token, driven.graph, driven.agent.session));
  if (!caller) throw new Error("the agent has no access");

  return { caller, signal: AbortSignal.timeout(60_000), onProgress: async () => undefined };
};

/** Null: a mutation that answers with `state` and `history`. */
const ASKED: Readonly<Record<string, readonly Record<string, string>[] | null>> = {
  state: [{}],
  history: [{}],
  next: [{}],
  verify: [{}],
  list_resources: [{}],
  read_resource: RESOURCES.map(({ uri }) => ({ uri })),
  step: null,
  fork_at: null,
  fork_from_past: null,
  reset_session: null,
  request_approval: null,
  architect_draft: null,
  architect_validate: null,
  architect_publish: null,
};

describe("while a case is open, no outside agent learns its subject from", () => {
  test("a tool without a row", () => {
    expect(TOOLS.map(({ name }) => name).toSorted()).toEqual(Object.keys(ASKED).toSorted());
  });

  test.each(Object.entries(ASKED).filter(([, asked]) => asked !== null))("%s", async (name, asked) => {
    for (const args of asked ?? []) {
      const answer = await callTool(await agentCall(), name, { ...args, session: driven.agent.session });
      expect(holds(JSON.stringify(answer), CANARY)).toBe(false);
      expect(answer.kind).toBe("success");
    }
  });

  test.each(RESOURCES.map(({ uri }) => uri))("%s", async (uri) => {
    const read = await readResource(await agentCall(), uri, driven.agent.session);
    expect(read?.text).toBeTypeOf("string");
    expect(holds(read?.text ?? "", CANARY)).toBe(false);
  });

  test("a marker beyond its reason", async () => {
    const { payload } = await callTool(await agentCall(), "state", { session: driven.agent.session });
    expect(payload["state"]).toMatchObject({ copy: { $redacted: { path: "copy", reason: "review" } } });
  });
});
