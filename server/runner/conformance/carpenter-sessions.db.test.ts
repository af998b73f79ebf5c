/** Carpenter check 43 (docs/decisions/conformance.md): server-side sessions. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { outsider, publishCounter, startedBy } from "@/server/runner/testing/outside";
import { readRun } from "@/server/runner/testing/run";
import { findAgentPrincipal } from "@/server/store/people/principals";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let counter: string;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  counter = await publishCounter(desk);
}, 120_000);
afterAll(() => desk.mcp.close());

const CHANGES = [
  ["an expired session", "update agent_session set expires_at = now() - interval '1 second' where id = $2 and $1::uuid is not null"],
  ["a revoked session", "update agent_session set revoked_at = now() where id = $2 and $1::uuid is not null"],
  ["an expired token", "update agent_token set expires_at = now() - interval '1 second' where id = $1 and $2::uuid is not null"],
  ["a token that its owner could not make any more", "update agent_token set integrity = 'trusted' where id = $1 and $2::uuid is not null"],
  ["a revoked token", "update agent_token set revoked_at = now() where id = $1 and $2::uuid is not null"],
] as const;

it.each(CHANGES)("43. a session allows its own run alone, and %s nothing; what it did stays on record", async (_name, sql) => {
  const agent = await outsider(desk, counter);
  const run = await startedBy(desk, agent);
  const ask = (session: string | null, of = run) =>
    findAgentPrincipal(desk.deps.authority, desk.workspace, agent.token, { sessionId: session, runId: of, startHash: null }, Date.now());
  expect(await ask(agent.session)).toMatchObject({ type: "agent", token: agent.token, session: agent.session });
  expect(await ask(null)).toBeNull();
  expect(await ask(randomUUID())).toBeNull();
  expect(await ask(agent.session, randomUUID())).toBeNull();
  expect(
    await findAgentPrincipal(
      desk.deps.authority,
      randomUUID(),
      agent.token,
      { sessionId: agent.session, runId: run, startHash: null },
      Date.now(),
    ),
  ).toBeNull();

  await asAdmin(urls.admin, sql, [agent.token, agent.session]);
  await recordRows(desk.deps, desk.workspace);
  expect(await ask(agent.session)).toBeNull();
  const { records } = await readRun(desk, run);
  expect(records[0]?.record.principal).toMatchObject({ type: "agent", session: agent.session });
  expect(await query(urls.admin, "select 1 from agent_session where id = $1", [agent.session])).toHaveLength(1);
});
