import { expect, test } from "vitest";
import type { ProposalBody } from "@/lib/engine/proposal";
import { SMALL_GRAPH, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  getCode,
  decideAs,
  decision,
  intent,
  openGate,
  result,
  REVIEWER,
  SECOND,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";

const reviewer = user(REVIEWER);
const gates = (run: TestRun) => Object.values(run.state().gates).map(({ status }) => status);
const effects = (run: TestRun) => Object.values(run.state().effects).filter(({ effect }) => effect.tool === "update");

const twoGates = () =>
  publishWith({
    nodes: [
      ...SMALL_GRAPH.nodes,
      {
        id: "ask_again",
        kind: "approval",
        read_keys: ["request"],
        config: { prompt: "Sure?", review_keys: ["request"], for_node: "write" },
      },
    ],
    edges: [
      ...(SMALL_GRAPH.edges ?? []).filter(({ id }) => id !== "asked"),
      { id: "asked", source: "ask", target: "ask_again" },
      { id: "asked_again", source: "ask_again", target: "write" },
    ],
  });

const atSecondGate = () => {
  const run = atGate(twoGates());
  const first = decision(run, reviewer);
  const id = uuid(500);
  run.propose(reviewer, first, { id });
  run.work(result({ type: "request_human_input", prompt: "" }));

  return { run, first, id };
};

test("cycgraph: a redelivered resume cannot answer the next gate", () => {
  const { run, first, id } = atSecondGate();
  expect(run.state()).toMatchObject({ status: "waiting", currentNode: "ask_again" });
  const before = run.state().gates;

  for (const [by, change] of [
    [reviewer, { id }],
    [reviewer, {}],
    [user(SECOND), {}],
  ] as const)
    run.propose(by, first, change);

  expect(run.state().gates).toEqual(before);
  expect(gates(run)).toEqual(["approved", "open"]);
  expect(run.state().currentNode).toBe("ask_again");
  expect(getCode(run.propose(reviewer, { ...first, approval_id: openGate(run).gate.id }))).not.toBe("accepted");
});

test("cycgraph: two gates in a row need two decisions", () => {
  const { run } = atSecondGate();
  expect(getCode(run.work(result()))).toBe("node_not_active");
  decideAs(run, reviewer);
  expect(gates(run)).toEqual(["approved", "approved"]);
  expect(run.state().currentNode).toBe("write");
});

test.each<[string, unknown]>([
  ["denied", "denied"],
  ["approved", "approved"],
  ["another case", "APPROVE"],
  ["a space behind it", "approve "],
  ["an object", {}],
  ["a list with a yes", ["approve"]],
  ["true", true],
  ["nothing", null],
  ["no text", ""],
  ["left out", undefined],
])("cycgraph: a decision that is neither approve nor reject approves nothing: %s", (_what, said) => {
  const run = atGate();
  const { decision: _said, ...body } = decision(run, reviewer);
  const verdict = run.propose(reviewer, (said === undefined ? body : { ...body, decision: said }) as ProposalBody);
  expect(getCode(verdict)).toBe("malformed");
  expect(gates(run)).toEqual(["open"]);
  expect(run.state()).toMatchObject({ status: "waiting", currentNode: "ask" });
});

test.each(["approve", "reject"] as const)("cycgraph: only the first of an approval and a rejection counts: %s first", (first) => {
  const run = atGate();
  const [yes, no] = [decision(run, reviewer), decision(run, user(SECOND), "reject")];
  const order = first === "approve" ? [yes, no] : [no, yes];
  const codes = order.map((body) => getCode(run.propose(user(body === yes ? REVIEWER : SECOND), body)));
  expect(codes).toEqual(["accepted", "approval_closed"]);
  run.work(intent("crm", "update", { plan: "team" }));
  expect(effects(run)).toHaveLength(first === "approve" ? 1 : 0);
});

test.each([
  ["updates", [{ path: "is_admin", value: true }]],
  ["memory", { is_admin: true }],
  ["response", { is_admin: true }],
  ["actions", [{ type: "update_memory", updates: [{ path: "is_admin", value: true }] }]],
])("cycgraph: a decision carries no values, not even as %s", (member, value) => {
  const run = atGate();
  const cells = run.state().cells;
  expect(getCode(run.propose(reviewer, { ...decision(run, reviewer), [member]: value }))).toBe("malformed");
  expect(run.state().cells).toEqual(cells);
  expect(gates(run)).toEqual(["open"]);
});
