import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FRESH_COMMANDS } from "@/lib/people/fresh-proof";
import type { JsonObject } from "@/lib/json";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { readAskedByUser } from "@/server/runner/user-request";
import { identify, identifyAttempt } from "@/server/runner/identify";
import { openCommand, type OpenedCommand } from "@/server/runner/open-command";
import { openDesk, publishAs, startRun, type Desk } from "@/server/runner/testing/desk";
import { awaitAnswer, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import type { SessionKey } from "@/server/security/session-key";
import { sealEnvelope } from "@/server/store/runs/command-envelope";
import { openTestSession, writeCommand } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const sessionOf = async (userId: string, proved: "now" | "long ago" | "never"): Promise<SessionKey> => {
  const session = await openTestSession(urls.admin, userId);
  const provedAt = { now: "now()", "long ago": "now() - interval '301 seconds'", never: "null" }[proved];
  await asAdmin(urls.admin, `update session set proved_at = ${provedAt} where id = $1`, [session.id]);

  return session;
};

const pending = (session: SessionKey, body: JsonObject, kind: string, place: string) => {
  const { workspace: workspaceId, people, deps } = desk;
  const runId = getWorkspaceLedgerId(workspaceId);
  const author = { type: "user", id: people.admin, session } as const;
  const sealed = sealEnvelope(deps.vault, { workspaceId, place, runId, author, sentAt: Date.now(), body });

  return { workspaceId, id: place, runId, author: { userId: people.admin }, kind, body: sealed };
};
const opened = (session: SessionKey, body: JsonObject): OpenedCommand => {
  const command = openCommand(desk.deps, pending(session, body, "any", randomUUID()));
  if (typeof command === "string") throw new Error(command);

  return command;
};

const KINDS = Object.keys(FRESH_COMMANDS).filter((kind) => kind !== "decision");

test.each(KINDS)("%s needs a session with a fresh proof of identity", async (kind) => {
  const body = { kind, ...(kind === "open_cell" ? { purpose: "audit" } : {}) };
  const fresh = opened(await sessionOf(desk.people.admin, "now"), body);
  expect(await identifyAttempt(desk.deps, fresh)).toMatchObject({ type: "user", id: desk.people.admin });
  expect(await identify(desk.deps, fresh)).toMatchObject({ type: "user", id: desk.people.admin });
  const never = opened(await sessionOf(desk.people.admin, "never"), body);
  expect(await identifyAttempt(desk.deps, never)).toBe("step_up_required");
  expect(await identify(desk.deps, never)).toBe("step_up_required");
  const stale = await identifyAttempt(desk.deps, opened(await sessionOf(desk.people.admin, "long ago"), body));
  // A link's proof precedes the redirect to the provider.
  const isTaken = typeof stale === "object";
  expect(isTaken).toBe(kind === "people_link_identity");
});

test("commands without step-up need no proof", async () => {
  const session = await sessionOf(desk.people.admin, "never");
  for (const body of [{ kind: "checkpoint" }, { kind: "open_cell", purpose: "review" }]) {
    expect(await identifyAttempt(desk.deps, opened(session, body))).toMatchObject({ type: "user" });
  }
});

test("the console always needs step-up, the registry for loosening", async () => {
  const read = readAskedByUser(desk.deps);
  const stale = await sessionOf(desk.people.admin, "long ago");
  const activate = { type: "activate", id: "files", revision: 1 };
  const suspend = { type: "suspend", id: "files", revision: 1 };
  expect(await read(pending(stale, {}, "console", randomUUID()))).toBe("step_up_required");
  expect(await read(pending(stale, activate, "registry", randomUUID()))).toBe("step_up_required");
  expect(await read(pending(stale, suspend, "registry", randomUUID()))).toMatchObject({ body: suspend });
  const fresh = await sessionOf(desk.people.admin, "now");
  expect(await read(pending(fresh, activate, "registry", randomUUID()))).toMatchObject({ body: activate });
});

test("approving an irreversible effect needs step-up; rejections and fresh sessions do not", async () => {
  const { reviewer, builder } = desk.people;
  const tools = desk.published.tools.map((tool) =>
    tool.tool === "update_plan" ? { ...tool, effect: "irreversible" as const, idempotent: false } : tool,
  );
  const published = { ...desk.published, tools };
  const dangerous = { ...desk, published, graphHash: await publishAs(desk, published, builder) };
  const ask = async (decision: "approve" | "reject", proved: "now" | "long ago") => {
    const run = await startRun(dangerous, "honest", "02-outage-credit.txt", dangerous.graphHash);
    await drive(dangerous, run);
    const author = { type: "user", id: reviewer, session: await sessionOf(reviewer, proved) } as const;
    const body = decisionFor(dangerous, (await readRun(dangerous, run)).state, decision);
    const id = await writeCommand(urls.admin, desk.deps, { workspace: desk.workspace, runId: run, author, body });
    await drive(dangerous, run);

    return [(await awaitAnswer(dangerous, id)).refusal?.code ?? "none", (await readRun(dangerous, run)).state.status];
  };

  expect(await ask("approve", "long ago")).toEqual(["step_up_required", "waiting"]);
  expect((await ask("reject", "long ago"))[0]).toBe("none");
  expect((await ask("approve", "now"))[0]).toBe("none");
});
