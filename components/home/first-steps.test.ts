import { expect, test } from "vitest";
import { listDemoSteps, listOwnSteps, type Step, type StepFacts } from "./first-steps";

const NOTHING: StepFacts = {
  roles: ["admin"],
  activeServers: 0,
  driftedServers: ["rug-pull"],
  publishedGraphs: 0,
  changedGraph: false,
  refusedRun: null,
  newestRun: null,
  forked: false,
  decided: false,
  approvedWrite: false,
  hasModel: false,
  verified: [],
};

const done = (steps: readonly Step[]) => steps.filter(({ isDone }) => isDone).map(({ id }) => id);
const demo = (facts: Partial<StepFacts>) => done(listDemoSteps({ ...NOTHING, ...facts }, "builder"));
const own = (facts: Partial<StepFacts>) => done(listOwnSteps({ ...NOTHING, ...facts }, "admin"));

test("the demo has seven steps, and each is ticked by its own event", () => {
  expect(listDemoSteps(NOTHING, "builder").map(({ id }) => id)).toEqual(["attack", "decide", "verify", "gate", "drift", "fork", "own"]);
  expect(demo({})).toEqual([]);
  expect(demo({ refusedRun: "r" })).toEqual(["attack"]);
  expect(demo({ decided: true })).toEqual(["decide"]);
  expect(demo({ verified: ["r"] })).toEqual(["verify"]);
  expect(demo({ changedGraph: true })).toEqual(["gate"]);
  expect(demo({ driftedServers: [] })).toEqual(["drift"]);
  expect(demo({ forked: true })).toEqual(["fork"]);
  expect(demo({ publishedGraphs: 1 })).toEqual(["own"]);
});

test("a workspace of one's own leads from people to the first approved write, and names no demo content", () => {
  expect(own({})).toEqual([]);
  expect(own({ roles: ["admin", "builder"] })).toEqual([]);
  expect(own({ roles: ["admin", "builder", "reviewer"] })).toEqual(["people"]);
  expect(own({ hasModel: true, activeServers: 1, publishedGraphs: 1 })).toEqual(["model", "server", "graph"]);
  expect(own({ newestRun: "r" })).toEqual(["run"]);
  expect(own({ decided: true })).toEqual([]);
  expect(own({ approvedWrite: true, verified: ["r"] })).toEqual(["write", "verify"]);
  expect(JSON.stringify(listOwnSteps(NOTHING, "admin"))).not.toMatch(/attack|support desk|weather/i);
});

test("says who can do what the reader cannot", () => {
  const who = (role: "admin" | "builder" | "reviewer") =>
    Object.fromEntries(listOwnSteps(NOTHING, role).map((step) => [step.id, step.who]));

  expect(who("admin")).toMatchObject({
    people: null,
    model: null,
    graph: "a builder",
    run: "a builder",
    write: "a reviewer",
    verify: null,
  });
  expect(who("builder")).toMatchObject({ people: "an admin", graph: null, write: "a reviewer" });
  expect(who("reviewer")).toMatchObject({ server: "an admin", write: null });
});

test("links the attack to the run with refusals", () => {
  expect(listDemoSteps({ ...NOTHING, refusedRun: "loud" }, "builder")[0]?.href).toBe("/runs/loud");
});
