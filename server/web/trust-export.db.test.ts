import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { SignedIn } from "@/server/auth/signed-in";
import { asAdmin } from "@/server/mcp/testing/registered";
import { freshSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { exportTrust } from "./trust-export";

const urls = await testDatabase("web");
const workspace = randomUUID();
const NOW = 1_800_000_000_000;
/** One more than three pages. */
const ROWS = 3_001;

beforeAll(async () => {
  await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, 'One'), ($2, 'Other')", [workspace, randomUUID()]);
  await asAdmin(
    urls.admin,
    `insert into trust_event (workspace_id, run_id, seq, index, at, type, node, principal, path, detail)
     select w.id, gen_random_uuid(), n, 0, to_timestamp($1::double precision / 1000 - n / 10), 'access_denied', null,
       case w.name when 'One' then 'agent:a' else 'agent:b' end, case n when 7 then '=1+1' else 'mail' end, '{"code":"not_found"}'
     from workspace w, generate_series(1, $2::int) n`,
    [NOW, ROWS],
  );
});

const member = (role: SignedIn["role"], auditor = false): SignedIn => ({
  user: { id: randomUUID(), name: role, email: `${role}@example.com` },
  workspace: { id: workspace, name: "One", demo: false },
  role,
  auditor,
  session: freshSession(),
});

const ask = (query: string, who: SignedIn | null = member("admin")): Promise<Response> =>
  exportTrust(new URL(`http://localhost/api/trust/export?${query}`), { signedIn: async () => who, requestId: "request" }, NOW);

describe("the trust log's export", () => {
  it("has every matching row once, newest first, of its workspace only", async () => {
    const lines = (await (await ask("format=jsonl")).text()).trimEnd().split("\n");
    const events = lines.map((line) => JSON.parse(line) as { at: number; run: string; principal: string });
    expect(events).toHaveLength(ROWS);
    expect(new Set(events.map(({ run }) => run)).size).toBe(ROWS);
    expect(new Set(events.map(({ principal }) => principal))).toEqual(new Set(["agent:a"]));
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => b - a));
  });

  it("applies the page's filter and neutralises formulas", async () => {
    const text = await (await ask("format=csv&path=%3D1")).text();
    expect(text.split("\r\n")).toHaveLength(3);
    expect(text).toContain(",'=1+1,");
    expect(await (await ask("format=csv&type=promotion")).text()).toBe("at,type,principal,node,path,run,seq,index,detail\r\n");
  });

  it("is an uncacheable download", async () => {
    const { headers } = await ask("format=csv");
    expect(headers.get("content-disposition")).toBe('attachment; filename="trust-log-2027-01-15.csv"');
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  it("streams on demand and stops with its reader", async () => {
    const reader = (await ask("format=jsonl")).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });

  it.each([
    ["an admin", member("admin"), 200],
    ["a builder who audits", member("builder", true), 200],
    ["a viewer who audits", member("viewer", true), 200],
    ["a reviewer", member("reviewer"), 403],
    ["a builder", member("builder"), 403],
    ["an anonymous request", null, 401],
  ])("answers %s", async (_name, who, status) => {
    expect((await ask("format=csv", who)).status).toBe(status);
  });

  it.each(["", "format=xml", "format=csv&type=nothing", "format=csv&from=yesterday", "format=csv&who=%00"])("refuses %j", async (query) => {
    const response = await ask(query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "bad_request", request_id: "request" } });
  });

  it("refuses too many rows with advice, instead of truncating", async () => {
    await asAdmin(
      urls.admin,
      `insert into trust_event (workspace_id, run_id, seq, index, at, type, principal, detail)
       select $1, gen_random_uuid(), 0, 0, now(), 'opening', 'engine', '{}' from generate_series(1, 100001)`,
      [workspace],
    );
    const response = await ask("format=csv&type=opening");
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("More than 100,000 rows match");
    expect((await ask("format=csv&type=access_denied")).status).toBe(200);
  });
});
