/** Carpenter checks 9 to 19 (docs/decisions/conformance.md). */
import { expect, test } from "vitest";
import { graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import { findTask } from "@/lib/engine/task";
import { getShownTo } from "@/lib/engine/view";
import { END, FETCH, TOOLS, version } from "@/lib/engine/testing/kinds";
import { getCode, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { createFailure } from "@/lib/engine/testing/work";
import {
  atExtract,
  atReview,
  EXTRACT,
  fillIn,
  FORM,
  judge,
  judgeNow,
  review,
  says,
  speak,
  ZONE_AGENTS,
  ZONE_MEMORY,
  zone,
} from "@/lib/engine/testing/zones";

const isolated: PublishedGraph = version(
  [
    FETCH,
    EXTRACT,
    review(),
    judge(),
    {
      id: "reader",
      kind: "agent",
      read_keys: ["mail", "form", "good"],
      write_keys: ["out"],
      config: { agent_id: "second", write_to: "out" },
    },
    END,
  ],
  { memory: ZONE_MEMORY, isolate_untrusted: true },
  { agents: ZONE_AGENTS, tools: TOOLS },
);

const shown = (run: TestRun, nodeId: string): string => {
  const node = run.published.graph.nodes.find(({ id }) => id === nodeId);
  const task = node && findTask(run.published, run.state(), node, "");
  if (!task) throw new Error(`${nodeId} has no such task`);

  return JSON.stringify(getShownTo(run.published, run.state(), task));
};

const texts = (run: TestRun): string => JSON.stringify(run.records());

test("9. an agent that may read tainted data sees a handle, and opening it is denied on record", () => {
  const run = atReview(isolated);
  expect(shown(run, "reader")).toContain('"$handle"');
  expect(shown(run, "reader")).not.toMatch(/three|team/u);
  const mail = run.state().cells.find(({ path }) => path === "mail");
  const asked = { kind: "open_cell", seq: mail?.seq ?? 0, index: mail?.index ?? 0, purpose: "audit" } as const;
  expect(getCode(run.propose(user(uuid(70), "admin"), asked))).toBe("opening_denied");
  expect(run.records().at(-1)?.record).toMatchObject({ kind: "refusal", principal: { id: uuid(70) }, refusal: { ids: [] } });
});

test("10. a reviewer sees the subject and its source", () => {
  const run = atReview(isolated);
  const node = run.published.graph.nodes.find(({ id }) => id === "review");
  if (!node) throw new Error("there is a review");
  const given = JSON.stringify(buildExecutorInput(run.published, run.state(), node, run.state().activation ?? 0));
  expect(given).toContain("We are three");
  expect(given).toContain("seats");
});

test("11. an unjudged extract is a handle to everyone behind it; the approved one is readable", () => {
  const run = atReview(isolated);
  expect(JSON.parse(shown(run, "reader"))).toMatchObject({ form: { $handle: { key: "form" } } });
  speak(run, says("approve"));
  judgeNow(run);
  expect(JSON.parse(shown(run, "reader"))).toMatchObject({
    good: FORM,
    form: { $handle: { key: "form" } },
    mail: { $handle: { key: "mail" } },
  });
});

test("13. reviewers' text is untrusted, beside memory, and cannot be granted", () => {
  const run = atReview(isolated);
  speak(run, says("approve", { comment: "canary-13" }));
  const cell = run.state().aside.find(({ path }) => path.startsWith("$verdict."));
  expect(cell).toMatchObject({ label: { integrity: "untrusted" }, content: { value: "canary-13" } });
  expect(shown(run, "reader")).not.toContain("canary-13");
  expect(texts(run)).not.toContain("canary-13");
  expect(graphSchema.safeParse({ ...zone().graph, nodes: [{ ...FETCH, read_keys: [cell?.path] }, END] }).success).toBe(false);
});

test("14. ends and failures are codes; their text is an untrusted cell", () => {
  const run = atExtract();
  run.work(createFailure("model_failed", { detail: "canary-14" }));
  expect(texts(run)).not.toContain("canary-14");
  const cell = run.state().aside.find(({ content }) => content.known && JSON.stringify(content.value).includes("canary-14"));
  expect(cell?.label.integrity).toBe("untrusted");
});

test("16. conversations with tainted reads are tainted and cannot be granted", () => {
  const run = atExtract(isolated);
  fillIn(run);
  const thread = run.state().aside.find(({ path }) => path.startsWith("$thread."));
  expect(thread?.label).toMatchObject({ integrity: "untrusted" });
  expect(graphSchema.safeParse({ ...zone().graph, nodes: [{ ...FETCH, read_keys: [thread?.path] }, END] }).success).toBe(false);
});

test("17. the transport sets the principal; a proposal naming one is malformed", () => {
  const run = atReview();
  expect(getCode(run.work({ kind: "verdict", task: "reviewer.0", by: "agent:second" }))).toBe("malformed");
  const principal = user(uuid(71), "admin");
  expect(getCode(run.work({ kind: "verdict", task: "reviewer.0", principal }))).toBe("malformed");
  expect(Object.values(run.state().cases)[0]?.verdicts).toEqual([]);
});

test("18. reviewers see only their own text", () => {
  const reviewers = ["first", "second"].map((agent_id) => ({ type: "agent" as const, agent_id }));
  const run = atReview(zone({ review: review({ reviewers, quorum: 2 }) }));
  speak(run, says("approve"));
  speak(run, says("approve"), 1);
  const of = (index: number) => run.state().aside.find(({ path }) => path.endsWith(`.reviewer.${index}`))?.label.provenance;
  expect(of(0)).toContain("agent:first");
  expect(of(1)).toContain("agent:second");
  expect(of(1)).not.toContain("agent:first");
});

test("19. nothing is shown when reading fails", () => {
  const run = atReview(isolated);
  const broken = run.state().cells.map((cell) => (cell.path === "mail" ? { ...cell, content: { known: false as const } } : cell));
  const node = run.published.graph.nodes.find(({ id }) => id === "reader");
  const task = node && findTask(run.published, run.state(), node, "");
  if (!task) throw new Error("the reader has a task");
  expect(getShownTo(run.published, { ...run.state(), cells: broken }, task)).toMatchObject({
    mail: { $handle: { type: "unknown", bytes: 0 } },
  });
});
