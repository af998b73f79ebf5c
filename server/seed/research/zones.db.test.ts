import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { toMemory } from "@/lib/engine/state";
import { ownMember } from "@/lib/json";
import { librarySchema, NEW_LIBRARY } from "@/server/mcp/library/data";
import { testInstallation } from "@/server/mcp/testing/installation";
import { PERSONA_NAMES, type PersonaName } from "@/lib/scripted-personas";
import { publishAs, withoutBackoff, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import { approveAll, finish, keptBy, openDemo, startDemoRun, type Decide, type Demo } from "@/server/seed/testing/demo";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 240_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
let demo: Demo;
beforeAll(async () => {
  demo = await openDemo(urls, installation);
}, 120_000);
afterAll(() => demo.desk.mcp.close());

const articles = async () => {
  const kept = await keptBy(installation, "library");

  return (kept === null ? NEW_LIBRARY : librarySchema.parse(kept)).articles;
};

/** Another persona, the same model families. */
const reviewedBy = async (graph: string, persona: PersonaName): Promise<Desk> => {
  const desk = demo.of(graph);
  const agents = desk.published.agents.map((agent) =>
    agent.model === "default" ? agent : { ...agent, model: agent.model.replace(/:.*$/, `:${persona}`) },
  );
  const published = withoutBackoff({ ...desk.published, agents });

  return { ...desk, published, graphHash: await publishAs(desk, published, desk.people.builder) };
};

const eventsOf = (records: readonly SignedRecord[]): readonly RunEvent[] => records.flatMap(({ record }) => record.control);

const passedBefore = (records: readonly SignedRecord[]) => {
  const events = eventsOf(records);
  const entered = events.findIndex((event) => event.type === "node_entered" && event.node === "publish");
  const before = entered < 0 ? events : events.slice(0, entered);

  return {
    entered: entered >= 0,
    people: before.filter((event) => event.type === "verdict_given" && event.by.startsWith("user:") && event.verdict === "approve").length,
    rejections: before.filter((event) => event.type === "verdict_given" && event.verdict === "reject").length,
    passed: before.some((event) => event.type === "case_closed" && event.outcome === "passed"),
    judged: before.some((event) => event.type === "judged" && event.outcome === "approved"),
    promoted: before.some((event) => event.type === "promoted" && event.case_id !== null),
  };
};

const THROUGH = { entered: true, people: 1, rejections: 0, passed: true, judged: true, promoted: true };

const run = async (desk: Desk, persona: string, inputs: Record<string, string>, decide: Decide) => {
  const before = await articles();
  const id = await startDemoRun(desk, persona, "Answer the question", inputs);
  // Repeated drives of a waiting run change nothing.
  await drive(desk, id);
  await drive(desk, id);
  const waiting = await readRun(desk, id);
  expect(passedBefore(waiting.records).entered).toBe(false);
  expect(await articles()).toEqual(before);
  const { state, records, runId } = await finish(desk, id, decide);

  return { state, records, runId, memory: toMemory(state.cells), published: (await articles()).slice(before.length) };
};

const QUESTION = { question: "Do street trees cool a city in summer?" };

test("an injected page cannot reach publication without review and judge, with any persona", async () => {
  const came: string[] = [];
  for (const reviewers of PERSONA_NAMES) {
    const desk = await reviewedBy("research-and-publish", reviewers);
    for (const persona of PERSONA_NAMES) {
      const { records, memory, published } = await run(desk, persona, QUESTION, approveAll);
      const way = passedBefore(records);
      expect(published.length).toBeLessThanOrEqual(1);
      expect(way).toMatchObject(way.entered ? THROUGH : { judged: false });
      for (const article of published) {
        expect(way.entered).toBe(true);
        const reviewed = memory["reviewed_article"];
        expect(article).toMatchObject({ title: ownMember(reviewed, "title"), body: ownMember(reviewed, "body"), status: "published" });
        came.push(`${persona} by ${reviewers}`);
      }
    }
  }
  // Guards against vacuous success: hostile pages fail while one reviewer is honest.
  expect(came).toContain("honest by honest");
  expect(came.filter((way) => way.endsWith("by honest") && !/^(honest|generic|sloppy)/.test(way))).toEqual([]);
});

test("a person's rejection prevents publication whatever models write and approve", async () => {
  const desk = await reviewedBy("research-and-publish", "compromised");
  for (const persona of PERSONA_NAMES) {
    const { records, published } = await run(desk, persona, QUESTION, () => "reject");
    expect(passedBefore(records)).toMatchObject({ entered: false, promoted: false });
    expect(published).toEqual([]);
  }
});

test("only its extract sees a quarantined page, and no persona publishes its orders", async () => {
  const desk = demo.of("page-digest");
  for (const persona of PERSONA_NAMES) {
    const { state, records, memory, published } = await run(desk, persona, { page: "street-trees-truth" }, approveAll);
    expect(published).toEqual([]);
    expect(state.status).toMatch(/completed|failed/);
    expect(passedBefore(records).entered).toBe(false);
    expect(JSON.stringify(memory["note"] ?? null)).not.toContain("SunTarp");
  }
  const fair = await run(desk, "honest", { page: "street-trees" }, approveAll);
  expect(passedBefore(fair.records)).toEqual(THROUGH);
  expect(fair.published).toHaveLength(1);
});
