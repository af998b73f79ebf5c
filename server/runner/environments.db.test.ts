import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getVariables } from "@/lib/engine/environment";
import { DEFAULT_ENVIRONMENTS, type Environment } from "@/lib/environments/environment";
import type { ForkEffects } from "@/lib/engine/forks/fork-change";
import type { Variables } from "@/lib/environments/variables";
import { findLive } from "@/lib/environments/environment-fold";
import { graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { computeVersionHash, toPlainVersion } from "@/lib/graph/publish";
import { triggerSchema } from "@/lib/graph/triggers/trigger";
import { toCanonicalJson } from "@/lib/json";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { addMember, command, openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { forkRun } from "@/server/runner/testing/fork";
import { drive, readRun } from "@/server/runner/testing/run";
import { listOpenPromotions, promoteAsOperator } from "@/server/runner/operator-promotion";
import { lookAtTriggers } from "@/server/runner/triggers/worker";
import { listDifferingRows } from "@/server/runner/adopt";
import { listCurrentProjections } from "@/server/store/ledger/projections";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";
import { listAnswerable } from "@/server/web/promotion";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let second: string;

const graphOf = (text: string, id = "region"): PublishedGraph => ({
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: id,
    inputs: { type: "object" },
    memory: [{ key: "out", schema: {} }],
    nodes: [{ id: "compute", kind: "transform", write_keys: ["out"], config: { set: [{ path: "out", value: text }] } }],
    edges: [],
    start_node: "compute",
    end_nodes: ["compute"],
  }),
  agents: [],
  tools: [],
  subgraphs: [],
});

const THREE: readonly Environment[] = ["dev", "staging", "production"].map((id) => ({ id, title: id.toUpperCase() }));
let listed: readonly Environment[] = DEFAULT_ENVIRONMENTS;

const send = async (userId: string, body: WorkspaceCommand) => (await sendOwn(desk, body, userId)).refusal?.code ?? null;
const list = async (environments: readonly Environment[], by = desk.people.admin) => {
  const refused = await send(by, { kind: "environments_set", was: [...listed], environments: [...environments] });
  if (refused === null) listed = environments;

  return refused;
};
const digestOf = async (environment: string) =>
  (await desk.deps.authority.read(desk.workspace)).settings.get(`environments/${environment}`)?.digest ?? null;
const setVariables = async (environment: string, variables: Variables, by = desk.people.admin) =>
  send(by, { kind: "environment_variables", environment, was: await digestOf(environment), variables: { ...variables } });
const promote = (environment: string, version: string, base: string | null = null, by = desk.people.builder) =>
  send(by, { kind: "promote", environment, version, base });

const publishNext = async (before: string, published: PublishedGraph): Promise<string> => {
  const hash = computeVersionHash(published);
  await asAdmin(
    urls.admin,
    `insert into graph_version (workspace_id, hash, graph_id, number, document, author_id)
     select workspace_id, $2, graph_id, number + 1, $3, author_id from graph_version where hash = $1`,
    [before, hash, toCanonicalJson(toPlainVersion(published))],
  );
  await recordRows(desk.deps, desk.workspace);

  return hash;
};

const start = async (graphHash: string, environment?: string) => {
  const runId = crypto.randomUUID();
  const id = await command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: "Compute",
    constraints: [],
    inputs: {},
    model: "scripted:honest",
    ...(environment === undefined ? {} : { environment }),
  });
  await drive(desk, runId);
  const [answer] = await query<{ outcome: { refusal: { code: string } | null } | null }>(
    urls.admin,
    "select outcome from command where id = $1",
    [id],
  );

  return { runId, refused: answer?.outcome?.refusal?.code ?? null };
};
const outOf = async (runId: string) => {
  const { state } = await readRun(desk, runId);
  const cell = state.cells.find(({ path }) => path === "out");

  return cell?.content.known === true ? cell.content.value : null;
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  second = await addMember(desk, "builder");
}, 120_000);
afterAll(() => desk.mcp.close());

describe("a workspace with the default environment", () => {
  it("starts runs as before, and gives them variables once there are some", async () => {
    const hash = await publishAs(desk, graphOf("env.REGION + '!'", "default"), desk.people.builder);
    expect((await start(hash)).refused).toBe("variable_missing");
    expect(await setVariables("production", { REGION: "eu", OTHER: 1 }, desk.people.builder)).toBe("principal_not_allowed");
    expect(await setVariables("production", { REGION: "eu", OTHER: 1 })).toBeNull();
    const { runId, refused } = await start(hash);
    expect(refused).toBeNull();
    expect(await outOf(runId)).toBe("eu!");
    const { state } = await readRun(desk, runId);
    expect(state.start).not.toHaveProperty("environment");
    expect(getVariables(state)).toEqual({ REGION: "eu" });
    expect((await start(hash, "dev")).refused).toBe("environment_unknown");
  });

  it("starts nothing on a row that the signed records do not have, and reports it", async () => {
    const hash = await publishAs(desk, graphOf("env.REGION + '?'", "tampered"), desk.people.builder);
    await asAdmin(urls.admin, 'update environment_variables set variables = \'{"REGION":"evil"}\' where workspace_id = $1', [
      desk.workspace,
    ]);
    expect((await start(hash)).refused).toBe("projection_mismatch");
    const authority = await desk.deps.authority.read(desk.workspace);
    const differing = listDifferingRows(authority, await listCurrentProjections(desk.workspace));
    expect(differing.map(({ area, subject }) => [area, subject])).toContainEqual(["environments", "production"]);
    await asAdmin(urls.admin, 'update environment_variables set variables = \'{"REGION":"eu","OTHER":1}\' where workspace_id = $1', [
      desk.workspace,
    ]);
    expect((await start(hash)).refused).toBeNull();
  });

  it("is not written by the web process", async () => {
    const asWeb = (text: string) => query(urls.web, text);
    await expect(asWeb("update environment_variables set variables = '{}'")).rejects.toThrow(/permission denied/);
    await expect(asWeb("delete from environment_variables")).rejects.toThrow(/permission denied/);
  });
});

describe("several environments", () => {
  let before: string;
  let made: string;

  it("are listed by an admin, from the list on screen", async () => {
    before = await publishAs(desk, graphOf("'before'", "steps"), desk.people.builder);
    expect(await list(THREE, desk.people.builder)).toBe("principal_not_allowed");
    expect(await list(THREE)).toBeNull();
    const late: WorkspaceCommand = { kind: "environments_set", was: [...DEFAULT_ENVIRONMENTS], environments: [...THREE] };
    expect(await send(desk.people.admin, late)).toBe("environment_changed");
    made = await publishAs(desk, graphOf("env.REGION", "named"), desk.people.builder);
  });

  it("keep earlier versions in production, and run later ones in the first only", async () => {
    expect((await start(before)).refused).toBeNull();
    expect((await start(before, "dev")).refused).toBe("environment_unknown");
    expect((await start(made, "production")).refused).toBe("environment_unknown");
    expect((await start(made, "dev")).refused).toBe("variable_missing");
    expect(await setVariables("dev", { REGION: "dev-1" })).toBeNull();
    const { runId, refused } = await start(made);
    expect(refused).toBeNull();
    expect(await outOf(runId)).toBe("dev-1");
    expect((await readRun(desk, runId)).state.start?.environment).toBe("dev");
    const [row] = await query<{ environment: string }>(urls.admin, "select environment from run where id = $1", [runId]);
    expect(row?.environment).toBe("dev");
  });

  it("are reached one after the other, by builders, with the variables that the version names", async () => {
    expect(await promote("production", made)).toBe("promotion_order");
    expect(await promote("staging", made)).toBe("variable_missing");
    expect(await setVariables("staging", { REGION: "st-1" })).toBeNull();
    expect(await promote("staging", made, null, desk.people.admin)).toBe("principal_not_allowed");
    expect(await promote("staging", made)).toBeNull();
    expect(await promote("production", made)).toBeNull();
    // Without a name, the last that has it.
    const { runId } = await start(made);
    expect((await readRun(desk, runId)).state.start?.environment).toBe("production");
    expect(await outOf(runId)).toBe("eu");
  });

  it("keep each fork where its parent runs, and refuse a live one of a version that is not live there", async () => {
    const { runId } = await start(made, "production");
    const later = await publishNext(made, graphOf("env.REGION + '2'", "named"));
    const fork = async (seq: number, effects: ForkEffects, version = later) => {
      const change = version === made ? ({ type: "none" } as const) : ({ type: "version", graph_hash: version } as const);
      const { run, outcome } = await forkRun(desk, runId, seq, change, { effects });
      if (outcome.refusal !== null) return outcome.refusal.code;
      await drive(desk, run);
      const [row] = await query<{ environment: string }>(urls.admin, "select environment from run where id = $1", [run]);

      return [row?.environment, await outOf(run)];
    };
    for (const seq of [0, 1]) {
      expect(await fork(seq, "live")).toBe("environment_unknown");
      expect(await fork(seq, "simulate")).toEqual(["production", "eu2"]);
      expect(await fork(seq, "live", made)).toEqual(["production", "eu"]);
    }
  });

  it("need a second person for a version that may do more than the live one", async () => {
    const narrow = await publishAs(desk, graphOf("1", "wide"), desk.people.builder);
    expect(await promote("staging", narrow)).toBeNull();
    const wide = await publishNext(narrow, { ...desk.published, graph: { ...desk.published.graph, id: "wide" } });
    const request = crypto.randomUUID();
    expect(await promote("staging", wide, narrow)).toBe("second_person_missing");
    const asked = { environment: "staging", version: wide, base: narrow };
    expect(await send(desk.people.builder, { kind: "promotion_ask", request, ...asked })).toBeNull();
    const namesOf = async (person: string) => (await listAnswerable(desk.workspace, person)).map(({ id, to }) => [id, to]);
    expect(await namesOf(second)).toEqual([[request, "STAGING"]]);
    expect(await namesOf(desk.people.builder), "the asker").toEqual([]);
    const approve = { kind: "promotion_approve", request, version: wide } as const;
    expect(await send(desk.people.builder, approve)).toBe("own_version");
    expect(await send(second, { ...approve, version: made })).toBe("version_moved");
    expect(await send(second, approve)).toBeNull();
    expect(await send(second, approve)).toBe("not_found");
    expect(await namesOf(second)).toEqual([]);
    const { environments } = await desk.deps.authority.read(desk.workspace);
    expect(findLive(environments, "staging", [wide, narrow])).toBe(wide);
  });

  it("are approved by the operator where no member can, and only then", async () => {
    const narrow = await publishAs(desk, graphOf("2", "alone"), desk.people.builder);
    expect(await promote("staging", narrow)).toBeNull();
    const wide = await publishNext(narrow, { ...desk.published, graph: { ...desk.published.graph, id: "alone" } });
    const request = crypto.randomUUID();
    const { deps, workspace } = desk;
    const confirm = () => promoteAsOperator(deps, deps.authority, workspace, request);
    expect(await confirm()).toBe("not_found");
    expect(
      await send(desk.people.builder, { kind: "promotion_ask", request, environment: "staging", version: wide, base: narrow }),
    ).toBeNull();
    expect(await confirm()).toBe("waits");
    const setRoles = async (role: string) => {
      await asAdmin(
        urls.admin,
        "update membership set role = $3 where workspace_id = $1 and user_id <> $2 and role in ('builder', 'viewer')",
        [workspace, desk.people.builder, role],
      );
      await recordRows(deps, workspace);
    };
    await setRoles("viewer");
    expect((await listOpenPromotions(deps.authority, workspace)).map(({ id, status }) => [id, status])).toEqual([[request, "operator"]]);
    expect(await confirm()).toBeNull();
    const { environments } = await deps.authority.read(workspace);
    expect(findLive(environments, "staging", [wide, narrow])).toBe(wide);
    expect(await confirm()).toBe("not_found");
    await setRoles("builder");
  });

  it("start nothing while a server of the version lacks a secret there", async () => {
    const calls = await publishAs(
      desk,
      { ...desk.published, graph: { ...desk.published.graph, id: "calls", inputs: { type: "object" } } },
      desk.people.builder,
    );
    const insert = (environment: string) =>
      asAdmin(urls.admin, "insert into secret (workspace_id, name, environment, sealed, created_by) values ($1, 'maps-key', $2, 'x', $1)", [
        desk.workspace,
        environment,
      ]);
    const name = (headers: object) =>
      asAdmin(urls.admin, "update mcp_server set headers = $2 where workspace_id = $1 and id = $3", [
        desk.workspace,
        JSON.stringify(headers),
        desk.published.tools[0]?.server,
      ]);
    await name({ "X-Key": { secret: "maps-key" } });
    await insert("production");
    expect((await start(calls, "dev")).refused).toBe("secret_missing");
    await insert("dev");
    expect((await start(calls, "dev")).refused).not.toBe("secret_missing");
    await name({});
  });

  it("start the triggers that name them, by default the last, with the version that is live there", async () => {
    const publishTimed = async (id: string, environment?: string) => {
      const trigger = triggerSchema.parse({ id, kind: "schedule", cron: "* * * * *", ...(environment ? { environment } : {}) });
      const { graph, ...rest } = graphOf("env.REGION", id);

      return publishAs(desk, { graph: { ...graph, triggers: [trigger] }, ...rest }, desk.people.builder);
    };
    const serve = async (hash: string) => {
      const of = "(select graph_id from graph_version where hash = $1)";
      // A due time with microseconds may be later than a clock with milliseconds.
      const due = "next_at = date_trunc('minute', now()), due_at = date_trunc('minute', now())";
      await asAdmin(urls.admin, `update graph_trigger set ${due} where graph_id = ${of}`, [hash]);
      await lookAtTriggers(desk.deps);
      const [run] = await query<{ id: string }>(urls.admin, `select id from run where graph_id = ${of}`, [hash]);
      if (!run) return null;
      await drive(desk, run.id);

      return [(await readRun(desk, run.id)).state.start?.environment, await outOf(run.id)];
    };
    // A second attempt needs graphs that are live nowhere.
    const attempt = systemClock.id().slice(0, 8);
    const [staged, usual, nowhere] = [
      await publishTimed(`staged-${attempt}`, "staging"),
      await publishTimed(`usual-${attempt}`),
      await publishTimed(`lost-${attempt}`, "qa"),
    ];
    expect(await promote("staging", nowhere)).toBe("environment_unknown");
    expect(await serve(staged)).toBeNull();
    for (const version of [staged, usual]) expect(await promote("staging", version)).toBeNull();
    expect(await serve(usual)).toBeNull();
    expect(await serve(staged)).toEqual(["staging", "st-1"]);
    expect(await promote("production", usual)).toBeNull();
    expect(await serve(usual)).toEqual(["production", "eu"]);
  });

  it("forget variables, secrets and versions when they are removed", async () => {
    await asAdmin(
      urls.admin,
      "insert into secret (workspace_id, name, environment, sealed, created_by) values ($1, 'gone', 'staging', 'x', $1), ($1, 'gone', '', 'x', $1)",
      [desk.workspace],
    );
    expect(await list(THREE.filter(({ id }) => id !== "staging"))).toBeNull();
    expect(await digestOf("staging")).toBeNull();
    expect(await query(urls.admin, "select 1 from environment_variables where environment = 'staging'")).toEqual([]);
    const left = await query<{ environment: string }>(urls.admin, "select environment from secret where name = 'gone'");
    expect(left).toEqual([{ environment: "" }]);
    expect((await start(made, "staging")).refused).toBe("environment_unknown");
    expect((await query<{ trigger: string }>(urls.admin, "select trigger from graph_trigger")).map(({ trigger }) => trigger)).toEqual([
      expect.stringMatching(/^usual-/),
    ]);
  });
});
