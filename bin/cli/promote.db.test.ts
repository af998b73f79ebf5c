import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DEFAULT_ENVIRONMENTS } from "@/lib/environments/environment";
import { graphSchema } from "@/lib/graph/document";
import { DRAFT } from "@/server/api/testing/calls";
import { useDatabase } from "@/server/db/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { addMember, publishAs, query } from "@/server/runner/testing/desk";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openTestSession, recordRows } from "@/server/testing/authority";
import { submitToWorkspace } from "@/server/web/submit-command";
import { countersign } from "./testing.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const open = await openStand();
let stand: Stand;
let second: string;
let token: string;

type Source = "installed" | "remote";

const call = async (source: Source, args: readonly string[], shown = token) => {
  const isRemote = source === "remote";
  const env = isRemote ? { COUNTERSIGN_TOKEN: shown } : { COUNTERSIGN_HOME: stand.desk.installation.home };
  const { code, stdout, stderr } = await countersign([...args, ...(isRemote ? ["--remote", stand.origin] : [])], env);

  return { code, stderr, line: stdout.startsWith("{") ? (JSON.parse(stdout) as Record<string, unknown>) : {} };
};
const submit = async (id: string, body: Parameters<typeof submitToWorkspace>[1]) => {
  const author = { type: "user", id, session: await openTestSession(stand.desk.urls.admin, id) } as const;

  return submitToWorkspace({ workspaceId: stand.desk.workspace, author }, body);
};

const publish = async () => {
  await useDatabase(stand.desk.urls.runner);
  const graph = graphSchema.parse({ ...DRAFT, id: `p-${randomUUID()}` });
  const hash = await publishAs(stand.desk, { graph, agents: [], tools: [], subgraphs: [] }, stand.desk.people.builder);
  await useDatabase(stand.desk.urls.web);

  const [row] = await query<{ graph_id: string }>(stand.desk.urls.admin, "select graph_id from graph_version where hash = $1", [hash]);

  return { id: row?.graph_id ?? "", hash };
};

beforeAll(async () => {
  stand = await open();
  fs.writeFileSync(path.join(stand.desk.installation.home, "database.json"), JSON.stringify(stand.desk.urls), { mode: 0o600 });
  await useDatabase(stand.desk.urls.runner);
  second = await addMember(stand.desk, "builder");
  await useDatabase(stand.desk.urls.web);
  token = (await stand.mint({ ownerId: stand.desk.people.builder, scopes: ["graphs:read", "graphs:write"] })).token;
  const environments = ["dev", "staging", "production"].map((id) => ({ id, title: id }));
  await submit(stand.desk.people.admin, { kind: "environments_set", was: [...DEFAULT_ENVIRONMENTS], environments });
});
afterAll(() => stand.close());

describe.each(["installed", "remote"] as const)("%s", (source) => {
  test("asks for what is live in the environment before, and says how a person answered", async () => {
    const { id, hash } = await publish();
    const promote = (...args: string[]) => call(source, ["promote", id, ...args]);
    const asked = await promote("--to", "staging");
    expect([asked.stderr, asked.code, asked.line]).toEqual([
      "",
      3,
      expect.objectContaining({ hash, environment: "staging", status: "waiting" }),
    ]);
    const again = await promote("--to", "staging", "--version", "1");
    expect([again.code, again.line["request"]], "the open request").toEqual([3, asked.line["request"]]);
    const request = String(asked.line["request"]);
    const waited = promote("--to", "staging", "--wait");
    await submit(second, { kind: "promotion_approve", request, version: hash });
    expect(await waited).toMatchObject({ code: 0, line: { status: "promoted" } });
    expect(await promote("--to", "staging", "--version", "newest")).toMatchObject({ code: 0, line: { status: "promoted" } });

    const next = await promote("--to", "production");
    await submit(second, { kind: "promotion_decline", request: String(next.line["request"]) });
    expect(await promote("--to", "production")).toMatchObject({ code: 2, line: { status: "refused", code: "declined" } });
    expect(await promote("--to", "production", "--again")).toMatchObject({ code: 3 });
  });

  test("names what is wrong", async () => {
    const { id } = await publish();
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await call(source, ["promote", ...args]);

      return [code, stderr] as const;
    };
    expect(await wrong(id)).toEqual([1, expect.stringContaining("--to ENVIRONMENT is needed")]);
    expect(await wrong(id, "--to", "qa")).toEqual([1, expect.stringContaining("environment qa not found (dev, staging, production)")]);
    expect(await wrong(id, "--to", "production")).toEqual([1, expect.stringContaining("choose one with --version")]);
    expect(await wrong(id, "--to", "production", "--version", "1")).toEqual([1, expect.stringContaining("before this one first")]);
    expect(await wrong(id, "--to", "staging", "--version", "7")).toEqual([1, expect.anything()]);
    expect(await wrong(`missing-${id}`, "--to", "staging")).toEqual([1, expect.stringContaining("not found")]);
  });
});

test("the operator does not approve a promotion that the operator asked for", async () => {
  const { id, hash } = await publish();
  const { line } = await call("installed", ["promote", id, "--to", "staging"]);
  const request = String(line["request"]);
  const confirm = () => call("installed", ["promotions", "confirm", request, "--yes"]);
  const { urls, deps, workspace, people } = stand.desk;
  const setOthers = async (role: string) => {
    await useDatabase(urls.runner);
    await asAdmin(
      urls.admin,
      "update membership set role = $3 where workspace_id = $1 and user_id <> $2 and role in ('builder', 'viewer')",
      [workspace, people.builder, role],
    );
    await recordRows(deps, workspace);
    await useDatabase(urls.web);
  };
  await setOthers("viewer");
  expect(await confirm()).toMatchObject({ code: 1, stderr: expect.stringContaining("a builder must approve it") as string });
  await setOthers("builder");
  expect(await confirm()).toMatchObject({ code: 1, stderr: expect.stringContaining("can answer it") as string });
  await submit(second, { kind: "promotion_approve", request, version: hash });
  expect((await call("installed", ["promote", id, "--to", "staging", "--version", "1"])).line).toMatchObject({ status: "promoted" });
});

test("a program asks only within its graphs and environments", async () => {
  const { id } = await publish();
  const { people } = stand.desk;
  const dev = await stand.mint({ ownerId: people.builder, scopes: ["graphs:read", "graphs:write"], environments: ["dev"] });
  expect(await call("remote", ["promote", id, "--to", "staging"], dev.token)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("environment_not_granted") as string,
  });
  const reader = await stand.mint({ ownerId: people.builder, scopes: ["graphs:read"] });
  expect((await call("remote", ["promote", id, "--to", "staging"], reader.token)).stderr).toContain("scope_missing");
});
