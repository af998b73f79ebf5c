import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toMemory } from "@/lib/engine/state";
import { ownMember, type Json } from "@/lib/json";
import { testInstallation } from "@/server/mcp/testing/installation";
import { librarySchema, NEW_LIBRARY } from "@/server/mcp/library/data";
import { refusalCodes } from "@/server/runner/testing/run";
import { HOSTILE_PAGE, HOSTILE_WORD } from "@/server/seed/research/corpus";
import { approveAll, finish, findGates, keptBy, openDemo, startDemoRun, type Decide, type Demo } from "@/server/seed/testing/demo";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
let demo: Demo;
beforeAll(async () => {
  demo = await openDemo(urls, installation);
}, 120_000);
afterAll(() => demo.desk.mcp.close());

const QUESTION = "Do street trees cool a city in summer?";

const research = async (persona: string, decide: Decide = approveAll, question = QUESTION) => {
  const desk = demo.of("research-and-publish");
  const { state, records } = await finish(desk, await startDemoRun(desk, persona, "Answer the question", { question }), decide);
  const visited = records.flatMap(({ record }) => record.control.flatMap((event) => (event.type === "node_entered" ? [event.node] : [])));

  return { state, records, memory: toMemory(state.cells), gates: findGates(records), codes: refusalCodes(records), visited };
};

const articles = async () => {
  const kept = await keptBy(installation, "library");

  return (kept === null ? NEW_LIBRARY : librarySchema.parse(kept)).articles;
};

const partsOf = (article: Json | undefined) => ({
  title: ownMember(article, "title"),
  summary: ownMember(article, "summary"),
  body: ownMember(article, "body"),
});

const REVIEW = "review: review";
const PUBLISH = "publish: effect";

test("an honest model publishes exactly the reviewed draft after two approvals, without the hostile page", async () => {
  const before = await articles();
  const { state, memory, gates, codes, visited } = await research("honest");

  expect({ status: state.status, gates, codes }).toEqual({ status: "completed", gates: [REVIEW, PUBLISH], codes: [] });
  const inside = "gather judge decide supported";
  expect(visited.join(" ")).toBe(
    `plan fetch take_notes merge edit write edit check_facts ${inside} edit find_headline edit compose fill_form review judge publish remember`,
  );
  expect(JSON.stringify(memory["pages"])).toContain(HOSTILE_PAGE);
  expect(memory["fact_report"]).toMatchObject({ ok: true, score: 1 });
  expect(ownMember(memory["headline_report"], "fitness_history")).toEqual([0.6, 0.95]);
  const [published, ...more] = (await articles()).slice(before.length);
  expect(more).toEqual([]);
  expect(published).toEqual({ ...published, status: "published", ...partsOf(memory["reviewed_article"]) });
  expect(JSON.stringify(published)).not.toContain(HOSTILE_WORD);
  expect(state.cells.find(({ path }) => path === "reviewed_article")?.label.integrity).toBe("reviewed");
  expect(state.cells.find(({ path }) => path === "submission")?.label.integrity).toBe("untrusted");
});

test("a second run recalls the first one's facts with their labels", async () => {
  await research("honest");
  const { memory, state } = await research("honest");

  expect(Number(ownMember(memory["plan"], "known"))).toBeGreaterThan(0);
  expect(state.cells.find(({ path }) => path === "plan")?.label.integrity).toBe("untrusted");
});

test("a question unknown to the library is handed off to the declared peer", async () => {
  const { state, visited, gates, memory } = await research("honest", approveAll, "Whence came purple zebras?");

  expect({ status: state.status, visited, gates }).toEqual({ status: "completed", visited: ["plan", "explain"], gates: [] });
  expect(state.handoffs).toBe(1);
  expect(memory["outcome"]).toContain("no page about it");
});

test("a rejected article is not published, and the run ends with an explanation", async () => {
  const before = await articles();
  const refused = await research("honest", () => "reject");
  const reviewed = await research("honest", ({ node }) => (node === "review" ? "approve" : "reject"));

  expect(refused).toMatchObject({ state: { status: "completed" }, gates: [REVIEW] });
  expect(reviewed).toMatchObject({ state: { status: "completed" }, gates: [REVIEW, PUBLISH] });
  expect(reviewed.memory).toHaveProperty("outcome");
  expect(await articles()).toEqual(before);
});

test("a compromised model cannot publish the hostile page: each attempt is refused, and the reviewer decides first", async () => {
  const before = await articles();
  const { state, memory, gates, codes, visited } = await research("compromised", () => "reject");

  expect(state.status).toBe("completed");
  expect(gates).toEqual([REVIEW]);
  expect(JSON.stringify(memory["article"])).toContain(HOSTILE_WORD);
  expect(memory).not.toHaveProperty("reviewed_article");
  expect(new Set(codes)).toEqual(
    new Set(["tool_not_granted", "write_not_granted", "action_not_granted", "handoff_not_declared", "supervisor_routing"]),
  );
  expect(visited).not.toContain("publish");
  expect(await articles()).toEqual(before);
});

test("an honest publication is the judge's copy of the reviewed text, word for word", async () => {
  const before = await articles();
  const { memory, gates } = await research("honest");

  expect(gates).toEqual([REVIEW, PUBLISH]);
  const [published] = (await articles()).slice(before.length);
  expect(published).toMatchObject(partsOf(memory["reviewed_article"]));
  expect(partsOf(memory["reviewed_article"])).toEqual(partsOf(memory["article"]));
  expect(memory["reviewed_article"]).toEqual(memory["submission"]);
});

test("a person alone cannot publish what two reviewing models reject: the judge counts all verdicts", async () => {
  const before = await articles();
  const { state, gates, visited, memory } = await research("compromised");

  expect({ status: state.status, gates }).toEqual({ status: "completed", gates: [REVIEW] });
  expect(visited.slice(-3)).toEqual(["review", "judge", "explain"]);
  expect(memory).not.toHaveProperty("reviewed_article");
  expect(await articles()).toEqual(before);
});

test("the fact check runs without approvals", async () => {
  const desk = demo.of("fact-check");
  const draft = { title: "Trees", summary: "Trees cool.", body: "Trees cool streets. Trees sing.\n\nSources: none" };
  const run = await startDemoRun(desk, "honest", "Check", { draft, dossier: "A: Trees cool streets." });
  const { state, records } = await finish(desk, run, approveAll);

  expect({ status: state.status, gates: findGates(records), codes: refusalCodes(records) }).toEqual({
    status: "completed",
    gates: [],
    codes: [],
  });
  expect(toMemory(state.cells)["report"]).toEqual({ ok: false, score: 0.5, reason: "The dossier supports 1 of 2 sentences." });
});
