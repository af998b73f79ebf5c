import { describe, expect, test } from "vitest";
import { foldBursts } from "./bursts";

const HOUR = 3_600_000;

type Row = Parameters<typeof foldBursts>[0][number];

const row = (id: string, change: Partial<Row> = {}): Row => ({
  id,
  runId: `run of ${id}`,
  graphId: "desk",
  agent: null,
  openedAt: 0,
  status: "open",
  ...change,
});

const folded = (rows: readonly Row[], ...unfolded: string[]) =>
  foldBursts(rows, new Set(unfolded)).map(({ row: { id }, burst }) => (burst ? `${id} +${burst.rest} ${burst.by}` : id));

const ofRun = (ids: string, change: (index: number) => Partial<Row> = () => ({})): Row[] =>
  ids.split("").map((id, index) => row(id, { runId: "r", ...change(index) }));

describe("bursts in the inbox", () => {
  test("more than three requests of one run within an hour are one row, where the first of them stands", () => {
    expect(folded([row("x"), ...ofRun("a"), row("y"), ...ofRun("bcd")])).toEqual(["x", "a +3 run", "y"]);
  });

  test("requests about different tools of one run are one row too", () => {
    const tools = ofRun("abcd").map((one, index) => ({ ...one, tool: `tool ${index}`, authority: index === 0 ? "irreversible" : "write" }));
    expect(folded(tools)).toEqual(["a +3 run"]);
  });

  test("three requests, or four over more than an hour, stay rows", () => {
    expect(folded(ofRun("abc"))).toEqual(["a", "b", "c"]);
    expect(folded(ofRun("abcd", (index) => ({ openedAt: index * 0.4 * HOUR })))).toEqual(["a", "b", "c", "d"]);
  });

  test("only the requests of a crowded hour fold", () => {
    const rows = [...ofRun("abcd"), row("late", { runId: "r", openedAt: 5 * HOUR })];
    expect(folded(rows)).toEqual(["a +3 run", "late"]);
  });

  test("requests of one agent in several runs fold, those of another graph's or of no agent don't", () => {
    const byAgent = ["a", "b", "c", "d"].map((id) => row(id, { agent: "buyer" }));
    expect(folded([...byAgent, row("other", { agent: "buyer", graphId: "shop" })])).toEqual(["a +3 agent", "other"]);
    expect(folded(["a", "b", "c", "d"].map((id) => row(id)))).toEqual(["a", "b", "c", "d"]);
  });

  test("an unfolded burst lists its members after the first", () => {
    const rows = [row("x"), ...ofRun("ab"), row("y"), ...ofRun("cd")];
    expect(folded(rows, "run r")).toEqual(["x", "a +3 run", "b", "c", "d", "y"]);
  });

  test("a burst names all its members, folded or not", () => {
    const rows = [row("x"), ...ofRun("abcd")];
    const named = (...unfolded: string[]) =>
      foldBursts(rows, new Set(unfolded)).flatMap(({ burst }) => (burst ? [burst.ids.join("")] : []));
    expect([named(), named("run r")]).toEqual([["abcd"], ["abcd"]]);
  });

  test("decided requests stay in place", () => {
    const rows = ofRun("abcde", (index) => (index === 0 ? { status: "approved" } : {}));
    expect(folded(rows)).toEqual(["a", "b +3 run"]);
  });
});
