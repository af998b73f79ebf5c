import { expect, test } from "vitest";
import { runAgent } from "@/server/executors/agent";
import { describeForm, describeVerdict } from "@/server/executors/answer-schemas";
import type { ModelAnswer } from "@/server/executors/contract";
import { never } from "@/server/executors/testing/plane";
import { findAgent, findNode, stage, stageInput, type Line } from "@/server/executors/testing/stage";
import type { JsonObject } from "@/lib/json";

const PLAN: JsonObject = {
  type: "object",
  properties: { plan: { enum: ["team", "business"] }, seats: { type: "integer" } },
  required: ["plan", "seats"],
};

const node = (answer: "text" | "json") => findNode({ kind: "agent", write_keys: ["change"], config: { agent_id: "a", answer } });

const playing = (
  lines: readonly (Line | ModelAnswer)[],
  { answer = "json", steps = 5 }: { readonly answer?: "text" | "json"; readonly steps?: number } = {},
) => {
  const agent = { ...findAgent("a"), max_steps: steps };
  const input = stageInput(node(answer), {}, [], { agent, schemas: { change: PLAN } });
  const play = stage(input, {});
  const requests: Parameters<typeof play.gateways.models.generate>[0][] = [];
  const generate = async (request: (typeof requests)[number]): Promise<ModelAnswer> => {
    requests.push(request);
    const line = lines[request.step] ?? "";
    if (typeof line === "string") return { status: "ok", text: line, tool_calls: [] };

    return "calls" in line ? { status: "ok", text: line.text ?? "", tool_calls: line.calls } : line;
  };
  const run = () => runAgent(input, { ...play.gateways, models: { generate } }, never);

  return { run, requests };
};

const cut = (text: string): ModelAnswer => ({ status: "ok", text, tool_calls: [], truncated: true });
const written = (value: unknown) => ({ type: "result", actions: [{ type: "update_memory", updates: [{ path: "change", value }] }] });

test("gives the provider the schema of the key that stores the answer, and of each key that may be saved", async () => {
  const play = playing(['{"plan":"team","seats":2}']);

  expect(await play.run()).toEqual(written({ plan: "team", seats: 2 }));
  expect(play.requests).toHaveLength(1);
  expect(play.requests[0]?.answerSchema).toEqual(PLAN);
  expect(play.requests[0]?.tools.find(({ name }) => name === "save_to_memory")?.input_schema).toMatchObject({
    properties: { change: PLAN },
  });
});

test("tells the model what did not fit, in the schema's words, and takes the repaired answer", async () => {
  const play = playing(["Sure!", '{"plan":"<b>gold</b>","seats":"2"}', '{"plan":"team","seats":2}']);

  expect(await play.run()).toEqual(written({ plan: "team", seats: 2 }));
  expect(play.requests[1]?.fresh).toMatchObject([{ role: "check", text: expect.stringContaining("not one JSON value") as string }]);
  const [check] = play.requests[2]?.fresh ?? [];
  expect(check).toMatchObject({ role: "check", text: expect.stringContaining('plan: expected one of "team", "business"') as string });
  expect(JSON.stringify(check)).toContain("seats: expected integer");
  expect(JSON.stringify(check)).not.toContain("gold");
});

test("repairs twice; a third misfit goes to the control plane, which refuses it on record", async () => {
  const misfit = '{"plan":"gold"}';
  const play = playing([misfit, misfit, misfit, '{"plan":"team","seats":2}']);

  expect(await play.run()).toEqual(written({ plan: "gold" }));
  expect(play.requests).toHaveLength(3);
});

test("a repair needs a step", async () => {
  const play = playing(['{"plan":"gold"}'], { steps: 1 });

  expect(await play.run()).toEqual(written({ plan: "gold" }));
  expect(play.requests).toHaveLength(1);
});

test("continues a cut-off text and joins its parts", async () => {
  const play = playing([cut("Dear A"), cut("nn, we moved y"), "ou."], { answer: "text" });

  expect(await play.run()).toEqual(written("Dear Ann, we moved you."));
  expect(play.requests[1]?.fresh).toMatchObject([{ role: "check", text: expect.stringContaining("Continue exactly") as string }]);
});

test("asks for cut-off JSON again in full", async () => {
  const play = playing([cut('{"plan":"te'), '{"plan":"team","seats":2}']);

  expect(await play.run()).toEqual(written({ plan: "team", seats: 2 }));
  expect(play.requests[1]?.fresh).toMatchObject([{ role: "check", text: expect.stringContaining("Answer again in full") as string }]);
});

test.each([
  ["cut off three times", ["a", "b", "c", "d"].map(cut), 5],
  ["cut off at its last step", [cut('{"plan":"team","seats":2}')], 1],
])("an answer %s fails, and nothing of it is written", async (_, lines, steps) => {
  for (const answer of ["text", "json"] as const) {
    expect(await playing(lines, { answer, steps }).run()).toMatchObject({ type: "failure", code: "answer_truncated", retryable: true });
  }
});

test("describes forms and verdicts as closed objects", () => {
  const form = describeForm([
    { name: "when", description: "The day", required: true, value: { type: "date" } },
    { name: "size", description: "", required: false, value: { type: "integer", min: 1, max: 9 } },
  ]);
  expect(form).toEqual({
    type: "object",
    properties: { when: { type: "string", format: "date", description: "The day" }, size: { type: "integer", minimum: 1, maximum: 9 } },
    required: ["when"],
    additionalProperties: false,
  });
  expect(describeVerdict(["leak"])).toMatchObject({ properties: { findings: { items: { properties: { code: { enum: ["leak"] } } } } } });
});
