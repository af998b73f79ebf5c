import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { authorityClassSchema, classifyRisk } from "@/lib/engine/approvals/authority-class";
import { inboxFilterSchema, type InboxFilter } from "@/lib/engine/approvals/inbox";
import type { Seat } from "@/lib/people/approvers";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { listInboxPage } from "@/server/store/approvals/inbox";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;
const STARTER = randomUUID();
const REVIEWER = randomUUID();

const urls = await testDatabase("web");
let workspace: string;
let graphs: { readonly desk: string; readonly shop: string };

type Asked = {
  readonly prompt: string;
  readonly graph?: "desk" | "shop";
  readonly authority?: string | null;
  readonly openedMs?: number;
  readonly expiresMs?: number;
  readonly resolvedMs?: number;
  readonly status?: string;
  readonly barred?: readonly string[];
  readonly role?: string;
  readonly named?: { readonly groups?: readonly string[]; readonly people?: readonly string[] };
};

const RUN =
  "insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at) values ($1, $2, $3, 'h', $4, 'waiting', 1, 'h', now(), now())";
const APPROVAL = `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, authority, risk, barred,
    opened_at, expires_at, resolved_at, named, named_groups, named_people)
  values ($1, $2, $3, 'ask', 'approval_node', $4, $5, 'd', $6, $7, $12, $8, to_timestamp($9 / 1000.0), to_timestamp($10 / 1000.0),
    to_timestamp($11::double precision / 1000), $13, $14, $15)`;

const ask = async (asked: Asked, inside = workspace): Promise<string> => {
  const [id, run] = [randomUUID(), randomUUID()];
  await asAdmin(urls.admin, RUN, [inside, run, graphs[asked.graph ?? "desk"], STARTER]);
  const { openedMs = NOW - HOUR / 2, expiresMs = NOW + 24 * HOUR, resolvedMs = null } = asked;
  const { prompt, role = "reviewer", status = "open", authority = "none", barred = [STARTER], named } = asked;
  const risk = authority === null ? null : classifyRisk(authorityClassSchema.parse(authority));
  await asAdmin(urls.admin, APPROVAL, [
    inside,
    id,
    run,
    prompt,
    role,
    status,
    authority,
    barred,
    openedMs,
    expiresMs,
    resolvedMs,
    risk,
    named !== undefined,
    named?.groups ?? [],
    named?.people ?? [],
  ]);

  return id;
};

type Reading = {
  readonly by?: string;
  readonly role?: Role | null;
  readonly sinceMs?: number;
  readonly cursor?: string | null;
  readonly seats?: readonly Seat[];
};

const read = (
  filter: Partial<InboxFilter> = {},
  { by = REVIEWER, role = "reviewer", sinceMs = NOW, cursor = null, seats = [{ for: [], groups: [] }] }: Reading = {},
) =>
  listInboxPage({ workspaceId: workspace, filter: inboxFilterSchema.parse(filter), userId: by, role, seats, nowMs: NOW, sinceMs }, cursor);

const promptsOf = async (filter: Partial<InboxFilter> = {}, reading: Reading = {}): Promise<string[]> =>
  (await read(filter, reading)).rows.map((row) => row.prompt);

beforeAll(async () => {
  await useDatabase(urls.web);
  workspace = await testWorkspace(urls.admin);
  graphs = { desk: randomUUID(), shop: randomUUID() };
  for (const [name, id] of Object.entries(graphs)) {
    await asAdmin(urls.admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3)", [workspace, id, name]);
  }
  await ask({ prompt: "tomorrow", authority: "write", openedMs: NOW - 9 * HOUR });
  await ask({ prompt: "in 10 minutes", expiresMs: NOW + HOUR / 6 });
  await ask({ prompt: "the shop's, 100%", graph: "shop", authority: "irreversible", expiresMs: NOW + 2 * HOUR });
  await ask({ prompt: "asked before", authority: null, expiresMs: NOW + 3 * HOUR, barred: [STARTER, REVIEWER] });
  await ask({ prompt: "an admin's", role: "admin", authority: "protected", expiresMs: NOW + 4 * HOUR });
  await ask({ prompt: "decided first", status: "approved", resolvedMs: NOW - 2 * HOUR });
  await ask({ prompt: "decided last", status: "rejected", resolvedMs: NOW - HOUR, graph: "shop", authority: "write" });
});

describe("the queue", () => {
  test("shows the highest risk and then the next expiry first, and the latest decision first", async () => {
    expect(await promptsOf()).toEqual(["the shop's, 100%", "asked before", "an admin's", "tomorrow", "in 10 minutes"]);
    expect(await promptsOf({ tab: "decided" })).toEqual(["decided last", "decided first"]);
  });

  test.each<[string, Partial<InboxFilter>, readonly string[]]>([
    ["of low risk", { risk: "low" }, ["in 10 minutes"]],
    ["of medium risk", { risk: "medium" }, ["tomorrow"]],
    ["of high risk", { risk: "high" }, ["the shop's, 100%", "an admin's"]],
    ["of one graph", { graph: "shop" }, ["the shop's, 100%"]],
    ["that waits for long", { age: "8h" }, ["tomorrow"]],
    ["that is about to expire", { expiring: true }, ["in 10 minutes"]],
    ["with these words in it", { text: "MINUTES" }, ["in 10 minutes"]],
    ["whose graph is called so", { text: "shop" }, ["the shop's, 100%"]],
    ["with a sign that means something to the database", { text: "0%" }, ["the shop's, 100%"]],
    ["with an underscore that nothing has", { text: "in_10" }, []],
    ["for which all of it is true", { risk: "high", graph: "shop", text: "100" }, ["the shop's, 100%"]],
    ["that one may decide", { mine: true }, ["the shop's, 100%", "tomorrow", "in 10 minutes"]],
  ])("shows requests %s", async (_what, filter, expected) => {
    const graph = filter.graph === undefined ? null : graphs.shop;
    expect(await promptsOf({ ...filter, graph })).toEqual(expected);
  });

  test("excludes people who took part or decided, and other roles", async () => {
    expect(await promptsOf({ mine: true }, { by: STARTER })).toEqual([]);
    expect(await promptsOf({ mine: true }, { by: randomUUID() })).toContain("asked before");
    expect(await promptsOf({ mine: true }, { role: "admin" })).toEqual(["an admin's"]);
    expect(await promptsOf({ mine: true }, { role: null })).toEqual([]);
  });

  test("assigns what names the reader, their groups or a delegator who is no party", async () => {
    const ADA = randomUUID();
    const ids = new Map<string, string>();
    const place = async (prompt: string, named: NonNullable<Asked["named"]>, barred = [STARTER]) =>
      ids.set(await ask({ prompt, named, barred }), prompt);
    await place("names the reader", { people: [REVIEWER] });
    await place("names a group", { groups: ["Finance"] });
    await place("names a delegator", { people: [ADA] });
    await place("names a delegator who is a party", { people: [ADA] }, [STARTER, ADA]);
    await place("names others", { groups: ["Support"], people: [STARTER] });
    await place("names no approver", { groups: [] });
    const seats = [
      { for: [], groups: ["Finance"] },
      { for: [ADA], groups: [] },
    ];
    const { rows, counts } = await read({ assigned: true }, { seats });
    const found = rows.flatMap(({ id }) => ids.get(id) ?? []).toSorted();
    expect(found).toEqual(["names a delegator", "names a group", "names the reader"]);
    expect(counts?.assigned).toBe(3);
    expect((await read({ assigned: true }, { seats, role: null })).rows).toEqual([]);
    await asAdmin(urls.admin, "delete from approval where id = any ($1)", [[...ids.keys()]]);
  });

  test("counts each filter independently of the others", async () => {
    const { counts } = await read({ risk: "low" });
    expect(counts).toEqual({
      all: 5,
      assigned: 0,
      matching: 1,
      mine: 3,
      expiring: 1,
      aside: 0,
      risk: { low: 1, medium: 1, high: 2 },
      graphs: [
        { id: graphs.desk, name: "desk", count: 4 },
        { id: graphs.shop, name: "shop", count: 1 },
      ],
      newer: 0,
      gone: 0,
    });
  });

  test("keeps decided items in place and appends new ones until reordered", async () => {
    const since = NOW - HOUR;
    const gone = await ask({ prompt: "gone", status: "approved", resolvedMs: since + 1, openedMs: since - 1, expiresMs: NOW + HOUR / 2 });
    const asked = await ask({ prompt: "new", openedMs: since + 1, expiresMs: NOW + 1 });
    try {
      const { rows, counts } = await read({ text: "", graph: graphs.desk }, { sinceMs: since });
      expect(rows.find(({ prompt }) => prompt === "gone")).toMatchObject({ status: "approved", mine: false });
      expect(rows.map(({ prompt }) => prompt).indexOf("gone")).toBeLessThan(rows.findIndex(({ newer }) => newer));
      expect(rows.filter(({ newer }) => newer).map(({ prompt }) => prompt)).toContain("new");
      expect(counts).toMatchObject({ gone: 1 });
      expect(await promptsOf({ graph: graphs.desk })).not.toContain("gone");
    } finally {
      await asAdmin(urls.admin, "delete from approval where id = any ($1)", [[gone, asked]]);
    }
  });

  test("is hidden from other workspaces", async () => {
    const other = await testWorkspace(urls.admin);
    expect((await callerAs(other, "reviewer").approvals.queue({ filter: {} })).rows).toEqual([]);
    expect((await callerAs(workspace, "viewer").approvals.queue({ filter: {} })).rows.some(({ mine }) => mine)).toBe(false);
  });

  test("continues each page after the last item, without duplicates", async () => {
    const many = await testWorkspace(urls.admin);
    await asAdmin(urls.admin, RUN, [many, randomUUID(), graphs.desk, STARTER]);
    await asAdmin(
      urls.admin,
      `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at)
       select $1, gen_random_uuid(), id, 'ask', 'effect', 'n' || n, 'reviewer', 'd', 'open', to_timestamp($2 / 1000.0) - interval '1 h',
         to_timestamp($2 / 1000.0) + n / 3 * interval '1 s' from run, generate_series(1, 450) as n where run.workspace_id = $1`,
      [many, NOW],
    );
    const question = {
      workspaceId: many,
      filter: inboxFilterSchema.parse({}),
      userId: REVIEWER,
      role: null,
      seats: [],
      nowMs: NOW,
      sinceMs: NOW,
    };
    const pages = [];
    for (let cursor: string | null = null; pages.length === 0 || cursor !== null;) {
      const page = await listInboxPage(question, cursor);
      pages.push(page);
      cursor = page.nextCursor;
    }
    const rows = pages.flatMap((page) => page.rows);
    expect(pages.map((page) => [page.rows.length, page.counts?.all ?? null])).toEqual([
      [200, 450],
      [200, null],
      [50, null],
    ]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(450);
    expect(rows.map(({ expiresAt }) => expiresAt)).toEqual(rows.map(({ expiresAt }) => expiresAt).toSorted((a, b) => a - b));
  });

  test.each([
    ["open", "open", [0, 1]],
    ["decided", "approved", [0]],
  ] as const)("pages the %s tab in order, with new items at the end", async (tab, status, parts) => {
    const many = await testWorkspace(urls.admin);
    await asAdmin(urls.admin, RUN, [many, randomUUID(), graphs.desk, STARTER]);
    await asAdmin(
      urls.admin,
      `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, risk, opened_at, expires_at, resolved_at)
       select $1, gen_random_uuid(), id, 'ask', 'effect', 'n' || n, 'reviewer', 'd', $3, (array['low', 'medium', 'high', null])[n % 4 + 1], to_timestamp($2 / 1000.0) + (n % 2) * interval '1 ms',
         to_timestamp($2 / 1000.0) + n / 6 * interval '7 ms', case when $3 = 'open' then null else to_timestamp($2 / 1000.0) - n / 6 * interval '7 ms' end
       from run, generate_series(1, 500) as n where run.workspace_id = $1`,
      [many, NOW, status],
    );
    const filter = inboxFilterSchema.parse({ tab });
    const rows: Awaited<ReturnType<typeof listInboxPage>>["rows"] = [];
    let cursor: string | null = null;
    do {
      const page = await listInboxPage(
        { workspaceId: many, filter, userId: REVIEWER, role: null, seats: [], nowMs: NOW, sinceMs: NOW },
        cursor,
      );
      rows.push(...page.rows);
      cursor = page.nextCursor;
    } while (cursor !== null);
    const place = ({ risk }: (typeof rows)[number]) => (tab === "decided" || risk === null ? 0 : ["high", "medium", "low"].indexOf(risk));
    const sortedAt = (row: (typeof rows)[number]) => (tab === "open" ? row.expiresAt : -(row.resolvedAt ?? 0));
    const inOrder = parts.flatMap((part) =>
      rows
        .filter(({ newer }) => Number(newer) === part)
        .toSorted((a, b) => place(a) - place(b) || sortedAt(a) - sortedAt(b) || (a.id < b.id ? -1 : 1)),
    );
    expect(rows.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(500);
    expect(new Set(rows.map(({ newer }) => Number(newer)))).toEqual(new Set(parts));
  });
});
