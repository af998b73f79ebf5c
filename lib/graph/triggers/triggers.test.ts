import { describe, expect, it, test } from "vitest";
import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority } from "@/lib/architect/authority-diff";
import { needsSecondPerson } from "@/lib/architect/second-person";
import { compileExpression } from "@/lib/graph/condition";
import { graphSchema, type Graph, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { computeVersionHash } from "@/lib/graph/publish";
import { validateGraph } from "@/lib/graph/validate";
import type { JsonObject } from "@/lib/json";
import { listInForce } from "./in-force";
import { mapEvent } from "./mapping";
import { computeJitterMs, findScheduleFault, getLastTime, getNextTime } from "./occurrence";
import { triggerSchema, type Trigger } from "./trigger";

const webhook = (change: object = {}): Trigger =>
  triggerSchema.parse({
    id: "shop",
    kind: "webhook",
    scheme: "standard",
    secret: "shop_secret",
    payload: { type: "object", properties: { order: { type: "string" }, cents: { type: "integer" } }, required: ["order"] },
    inputs: { order: "event.order" },
    ...change,
  });

const mailbox = (change: object = {}): Trigger =>
  triggerSchema.parse({
    id: "desk",
    kind: "email",
    host: "imap.example.com",
    user: "desk@example.com",
    secret: "mailbox",
    inputs: { order: "event.subject" },
    ...change,
  });

const graphWith = (triggers: readonly Trigger[] | undefined, change: Partial<GraphInput> = {}): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "orders",
    name: "Orders",
    inputs: { type: "object", properties: { order: { type: "string" } }, required: ["order"], additionalProperties: false },
    memory: [
      { key: "order", schema: { type: "string" } },
      { key: "loud", schema: { type: "string" } },
    ],
    nodes: [
      {
        id: "shout",
        kind: "transform",
        read_keys: ["order"],
        write_keys: ["loud"],
        config: { set: [{ path: "loud", value: "memory.order" }] },
      },
      { id: "done", kind: "router", read_keys: ["loud"], config: {} },
    ],
    edges: [{ id: "on", source: "shout", target: "done" }],
    start_node: "shout",
    end_nodes: ["done"],
    ...(triggers ? { triggers } : {}),
    ...change,
  });

const published = (graph: Graph): PublishedGraph => ({ graph, agents: [], tools: [], subgraphs: [] });

const other = published({ ...graphWith(undefined), id: "payments" });

const codes = (graph: Graph) =>
  validateGraph(graph, { agents: [], tools: [], versions: [{ version: computeVersionHash(other), published: other }] }).map(
    ({ code }) => code,
  );

test("leave the hash of a graph without triggers as it was", () => {
  const { triggers: _none, ...plain } = graphWith(undefined);
  expect(computeVersionHash(published(plain))).toBe("5108c40eda95259d80ce837ebc97d4181e098372f4dc786eb41dfc81b30f8d4c");
  expect(computeVersionHash(published(graphWith([webhook()])))).not.toBe(computeVersionHash(published(plain)));
});

describe("a trigger", () => {
  it("passes with the inputs that the graph declares", () => {
    expect(codes(graphWith([webhook()]))).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["fills an unknown field", { inputs: { order: "event.order", size: "event.cents" } }, "trigger_input"],
    ["leaves a required field empty", { inputs: {} }, "trigger_input"],
    ["does not parse", { inputs: { order: "event." } }, "trigger_expression"],
    ["has another type than its field", { inputs: { order: "event.cents" } }, "trigger_expression"],
    ["reads the memory of a run", { inputs: { order: "memory.order" } }, "trigger_expression"],
    ["has an unusable payload schema", { payload: { $ref: "#/nowhere" } }, "trigger_unusable"],
    ["has a schedule of four fields", { kind: "schedule", cron: "* * * *", inputs: { order: "event.at" } }, "trigger_schedule"],
    [
      "has an unknown time zone",
      { kind: "schedule", cron: "0 3 * * *", time_zone: "Mars/Base", inputs: { order: "event.at" } },
      "trigger_schedule",
    ],
    ["never comes", { kind: "schedule", cron: "0 0 30 2 *", inputs: { order: "event.at" } }, "trigger_schedule"],
    ["follows its own graph", { kind: "run_end", graph_id: "orders", inputs: { order: "event.run" } }, "trigger_unusable"],
    [
      "reads an unknown member",
      { kind: "email", host: "a.example", user: "a", secret: "a", inputs: { order: "event.html" } },
      "trigger_expression",
    ],
    ["follows an unpublished graph", { kind: "run_end", graph_id: "nowhere", inputs: { order: "event.run" } }, "trigger_unusable"],
  ])("is an error when it %s", (_what, change, code) => {
    const { scheme, secret, payload, ...rest } = { scheme: undefined, secret: undefined, payload: undefined, ...webhook() } as Record<
      string,
      unknown
    >;
    const isWebhook = !("kind" in change);
    const trigger = triggerSchema.parse({ ...(isWebhook ? { ...rest, scheme, secret, payload } : rest), ...change });
    expect(codes(graphWith([trigger]))).toContain(code);
  });

  it("is an error in a graph that outside agents drive, or with another's id", () => {
    expect(codes(graphWith([webhook()], { external: {} }))).toContain("trigger_unusable");
    expect(codes(graphWith([webhook(), webhook({ scheme: "github" })]))).toContain("trigger_doubled");
  });

  it("names an environment that exists", () => {
    const problemsIn = (environments: readonly string[], change: object = { environment: "staging" }) =>
      validateGraph(graphWith([webhook(change)]), { agents: [], tools: [], versions: [], environments }).map(({ message }) => message);
    expect(problemsIn(["dev", "staging"])).toEqual([]);
    expect(problemsIn(["dev"], {})).toEqual([]);
    expect(problemsIn(["dev", "production"])).toEqual(["Trigger shop can never start a run: no environment has the id staging."]);
  });

  it("fills no key that takes only vouched values, unless nobody outside chooses them", () => {
    const memory = [
      { key: "order", schema: { type: "string" }, min_integrity: "reviewed" as const },
      { key: "loud", schema: { type: "string" } },
    ];
    const nightly = triggerSchema.parse({ id: "nightly", kind: "schedule", cron: "0 3 * * *", inputs: { order: "event.at" } });
    expect(codes(graphWith([webhook()], { memory }))).toContain("trigger_input");
    expect(codes(graphWith([nightly], { memory }))).not.toContain("trigger_input");
  });
});

describe("the analysis", () => {
  const guarded: Partial<GraphInput> = {
    memory: [
      { key: "order", schema: { type: "string" } },
      { key: "loud", schema: { type: "string" }, min_integrity: "trusted" },
    ],
  };

  it("treats the sender of a webhook as hostile, and a schedule as the version's own", () => {
    const nightly = triggerSchema.parse({ id: "nightly", kind: "schedule", cron: "0 3 * * *", inputs: { order: "event.at" } });
    expect(codes(graphWith(undefined, guarded))).toEqual([]);
    expect(codes(graphWith([nightly], guarded))).toEqual([]);
    expect(codes(graphWith([webhook()], guarded))).toContain("untrusted_to_key");
  });

  it("treats the sender of an e-mail as hostile, even one who must sign", () => {
    expect(codes(graphWith([mailbox()]))).toEqual([]);
    for (const change of [{}, { signed_by: [] }, { signed_by: ["example.com"] }])
      expect(codes(graphWith([mailbox(change)], guarded))).toContain("untrusted_to_key");
  });
});

describe("the authority of a version", () => {
  const changesOf = (before: Graph, after: Graph) =>
    diffAuthority(readAuthority(published(before)), readAuthority(published(after))).map(({ direction, facet, text }) => [
      direction,
      facet,
      text,
    ]);

  it("widens with a new trigger and with any change of one, so that a second person publishes it", () => {
    expect(changesOf(graphWith(undefined), graphWith([webhook()]))).toEqual([
      ["wider", "triggers", "The graph may be started without a person by shop: a webhook signed as Standard Webhooks with shop_secret"],
    ]);
    expect(needsSecondPerson(published(graphWith([webhook()])), published(graphWith(undefined)), false)).toMatchObject({ why: "wider" });
    for (const change of [
      { secret: "other" },
      { inputs: { order: "'x'" } },
      { payload: { type: "object" } },
      { concurrency: "drop" },
      { environment: "dev" },
    ])
      expect(changesOf(graphWith([webhook()]), graphWith([webhook(change)]))[0]).toMatchObject(["wider", "triggers", expect.any(String)]);
  });

  it("widens with any change of a mailbox, and says whose messages start a run", () => {
    const changed = (change: object) => changesOf(graphWith([mailbox()]), graphWith([mailbox(change)]))[0];
    for (const change of [{ host: "imap.example.org" }, { tls: "starttls" }, { mailbox: "Orders" }, { max_age_hours: 1 }])
      expect(changed(change)).toMatchObject(["wider", "triggers", expect.stringContaining(" from anyone")]);
    expect(changed({ signed_by: [] })).toMatchObject([
      expect.any(String),
      "triggers",
      expect.stringContaining(" signed by the sender's domain"),
    ]);
    expect(changed({ signed_by: ["a.example", "b.example"] })).toMatchObject([
      expect.any(String),
      "triggers",
      expect.stringContaining(" signed by a.example or b.example"),
    ]);
  });

  it("narrows when a trigger goes", () => {
    expect(changesOf(graphWith([webhook()]), graphWith(undefined)).map(([direction]) => direction)).toEqual(["narrower"]);
  });
});

describe("the triggers in force", () => {
  const named = (id: string, environment?: string) =>
    webhook({ id, secret: environment ?? "last", ...(environment ? { environment } : {}) });
  const list = (...live: readonly (readonly [string, readonly Trigger[]])[]) =>
    listInForce(
      live.map(([environment, triggers]) => ({ environment, triggers })),
      "production",
    ).map(({ id, environment }) => [id, environment ?? "last"]);

  it("are those of the version that is live in the environment they name, by default the last", () => {
    const version = [named("shop"), named("trial", "staging"), named("local", "dev")];
    expect(list(["dev", version])).toEqual([["local", "dev"]]);
    expect(list(["staging", version], ["dev", version])).toEqual([
      ["trial", "staging"],
      ["local", "dev"],
    ]);
    expect(list(["production", [named("trial", "staging")]])).toEqual([]);
  });

  it("have one name each, that of the last environment", () => {
    expect(list(["production", [named("shop")]], ["dev", [named("shop", "dev"), named("other", "dev")]])).toEqual([
      ["shop", "last"],
      ["other", "dev"],
    ]);
  });
});

describe("a mapping", () => {
  const map = (event: JsonObject, inputs: Record<string, string>) => mapEvent(webhook({ inputs }), event);

  it("computes inputs from the payload, whose other members may be anything", () => {
    expect(map({ order: "A-7", more: [1] }, { order: "event.order + '!'" })).toEqual({ ok: true, value: { order: "A-7!" } });
  });

  it("fails on a payload of another form, and on an expression without a value", () => {
    expect(map({ order: 7 }, { order: "event.order" }).ok).toBe(false);
    expect(map({ order: "A-7" }, { order: "event.nothing.at_all" }).ok).toBe(false);
  });

  it("is the only place where event is a name", () => {
    expect(compileExpression("event.order")).toMatchObject({ ok: false });
    expect(compileExpression("event.order", "event")).toMatchObject({ ok: true });
  });
});

describe("a schedule", () => {
  const ms = (text: string) => Date.parse(text);
  const daily = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };

  it("comes once a day when the clocks change", () => {
    const times = (from: string, count: number) => {
      const found: string[] = [];
      for (let at = ms(from); found.length < count;) {
        at = getNextTime(daily, at) ?? Infinity;
        found.push(new Date(at).toISOString());
      }

      return found;
    };
    const spring = times("2026-03-27T12:00:00Z", 4);
    expect(spring.map((at) => at.slice(0, 10))).toEqual(["2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31"]);
    const autumn = times("2026-10-23T12:00:00Z", 4);
    expect(autumn.map((at) => at.slice(0, 10))).toEqual(["2026-10-24", "2026-10-25", "2026-10-26", "2026-10-27"]);
  });

  it("finds the last time of a long gap", () => {
    const minutely = { cron: "* * * * *", time_zone: "UTC" };
    const from = ms("2024-01-01T00:00:00Z");
    expect(getLastTime(minutely, from, ms("2026-05-05T05:05:30Z"))).toBe(ms("2026-05-05T05:05:00Z"));
    expect(getLastTime(daily, from, from + 1)).toBe(from);
    expect(getLastTime({ cron: "0 0 29 2 *", time_zone: "UTC" }, ms("2020-02-29T00:00:00Z"), ms("2026-01-01T00:00:00Z"))).toBe(
      ms("2024-02-29T00:00:00Z"),
    );
  });

  it("says why it is invalid", () => {
    expect(findScheduleFault(daily)).toBeNull();
    expect(findScheduleFault({ ...daily, cron: "* * * * * *" })).toContain("five fields");
    expect(findScheduleFault({ ...daily, cron: "99 * * * *" })).toEqual(expect.any(String));
  });

  it("has a delay that its ids alone decide", () => {
    const place = { workspace: "w", graph: "g", trigger: "t" };
    const delay = computeJitterMs(place, 600_000);
    expect(delay).toBeGreaterThanOrEqual(0);
    expect(delay).toBeLessThanOrEqual(600_000);
    expect(computeJitterMs(place, 600_000)).toBe(delay);
    expect(computeJitterMs({ ...place, trigger: "u" }, 600_000)).not.toBe(delay);
    expect(computeJitterMs(place, 0)).toBe(0);
  });
});
