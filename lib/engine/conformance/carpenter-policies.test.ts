/** Carpenter checks 28 to 36 (docs/decisions/conformance.md). */
import { expect, test } from "vitest";
import { passes } from "@/lib/graph/judge-rules";
import { plan } from "@/lib/engine/plan";
import { END, FETCH, fetchAs, inARow, step, TOOLS, version } from "@/lib/engine/testing/kinds";
import { edgesWith, publishWith } from "@/lib/engine/testing/graph";
import { atGate, atParse, getCode, decideAs, openGate, result, REVIEWER, started, update, user } from "@/lib/engine/testing/run";
import { drive } from "@/lib/engine/testing/work";
import {
  atExtract,
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
} from "@/lib/engine/testing/zones";

test("28. an empty list rule allows nothing", () => {
  expect(passes({ type: "enum", values: [] }, "")).toBe(false);
  expect(passes({ type: "url", origins: [], path: "/" }, "https://good.example/")).toBe(false);
  expect(passes({ type: "mail_domain", domains: [] }, "ann@good.example")).toBe(false);
});

test.each([
  ["https://good.example/a", true],
  ["https://GOOD.example/a", true],
  ["https://good.example.evil.example/a", false],
  ["https://evilgood.example/a", false],
  ["https://good.example@evil.example/a", false],
  ["https://sub.good.example/a", false],
  ["http://good.example/a", false],
])("29. addresses match by whole origin, not by appearance: %s is %s", (url, passed) => {
  expect(passes({ type: "url", origins: ["https://good.example"], path: "/" }, url)).toBe(passed);
});

test.each([
  ["ann@good.example", true],
  [" Ann@GOOD.example. ", true],
  ["ann@sub.good.example", false],
  ["ann@notgood.example", false],
  ["ann@good.example.evil.example", false],
  ["ann@g\u043e\u043ed.example", false],
  ["a b@good.example", false],
])("30. mail addresses match by exact domain in any spelling: %s is %s", (mail, passed) => {
  expect(passes({ type: "mail_domain", domains: ["Good.Example"] }, mail)).toBe(passed);
});

test("31. a range includes both ends and nothing beyond", () => {
  const range = { type: "range", min: 1, max: 10 } as const;
  expect([0, 1, 10, 11, Number.NaN].map((value) => passes(range, value))).toEqual([false, true, true, false, false]);
});

test("32. a pattern matches the whole text, and an invalid one allows nothing", () => {
  expect(passes({ type: "pattern", pattern: "[a-z]+" }, "abc")).toBe(true);
  expect(passes({ type: "pattern", pattern: "[a-z]+" }, "abc; rm")).toBe(false);
  expect(passes({ type: "pattern", pattern: "[a-z" }, "abc")).toBe(false);
  expect(passes({ type: "pattern", pattern: "(a+)+b" }, "a".repeat(5_000))).toBe(false);
});

test("33. an approval pending under other rules is void", () => {
  const run = atGate();
  const { gate } = openGate(run);
  run.underPolicy("0".repeat(64));
  expect(getCode(decideAs(run, user(REVIEWER)))).toBe("approval_stale");
  expect(plan(run.published, run.state(), run.now(), 1)).toMatchObject({
    type: "propose",
    body: { kind: "void", approval_id: gate.id },
  });
});

test("34. under strict taint a condition on tainted data routes nowhere without a person, whatever its result", () => {
  for (const condition of ['memory.request.plan == "team"', 'memory.request.plan != "team"']) {
    const run = atParse(publishWith({ strict_taint: true, edges: edgesWith("parsed", { condition }) }));
    run.work(result(update("request", { plan: "team" })));
    expect(openGate(run).gate.reason).toBe("tainted_route");
    expect(run.state().currentNode).toBe("parse");
  }
});

test("35. a value raised by a judge may choose a route under strict taint", () => {
  const nodes = [FETCH, EXTRACT, review(), judge(), { id: "choose", kind: "router" as const, read_keys: ["good"], config: {} }, END];
  const edges = inARow(...nodes.map(({ id }) => id)).map((edge) =>
    edge.source === "choose" ? { ...edge, condition: 'memory.good.plan == "team"' } : edge,
  );
  const run = atExtract(version(nodes, { memory: ZONE_MEMORY, strict_taint: true, edges }, { agents: ZONE_AGENTS, tools: TOOLS }));
  fillIn(run, FORM);
  drive(run);
  speak(run, says("approve"));
  judgeNow(run);
  expect(run.state().currentNode).toBe("choose");
  run.work(result());
  expect(run.state().currentNode).toBe(END.id);
  expect(Object.keys(run.state().gates)).toEqual([]);
});

test.each([
  ["a constant", '"constant"', "constant"],
  ["a part of it", "memory.mail.text", "hello"],
  ["a text made with it", '"x" + memory.mail.text', "xhello"],
])("36. %s made where tainted data can be read is tainted", (_name, value, made) => {
  const transform = step("make", { read_keys: ["mail"], write_keys: ["out"], config: { set: [{ path: "out", value }] } });
  const run = started(version([FETCH, transform, END]), { topic: "plans" });
  fetchAs(run, { text: "hello" });
  expect(getCode(run.work(result(update("out", made))))).toBe("accepted");
  expect(run.state().cells.find(({ path }) => path === "out")?.label).toMatchObject({ integrity: "untrusted" });
});
