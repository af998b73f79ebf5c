import { expect, test } from "vitest";
import type { Json } from "@/lib/json";
import type { ModelRequest } from "@/server/executors/contract";
import { toRefused } from "@/server/executors/testing/plane";
import { findNode, shown, stage, stageInput, type Cast, type Line } from "@/server/executors/testing/stage";
import { runVoting } from "@/server/executors/voting";
import { ModelError } from "@/server/models/contract";

const inputWith = (config: object, voters: readonly number[] = [1, 1, 1]) =>
  stageInput(
    findNode({
      kind: "voting",
      write_keys: ["decision", "votes"],
      config: {
        voters: voters.map((weight, index) => ({ agent_id: `v${index}`, weight })),
        write_to: "decision",
        votes_to: "votes",
        ...config,
      },
    }),
    { case: "late refund" },
    [...voters.map((_, index) => `v${index}`), "judge"],
  );

const voting =
  (...votes: Json[]) =>
  ({ task }: ModelRequest): Line =>
    JSON.stringify({ vote: votes[Number(task.split(".")[1])] });
const playing = (config: object, cast: Cast, weights?: readonly number[]) => stage(inputWith(config, weights), cast);
const decided = (value: Json) => ({ type: "result", actions: [{ updates: [{ path: "decision", value }, { path: "votes" }] }] });

test("voters get the same question independently; the most frequent vote wins", async () => {
  const play = playing({ max_concurrency: 1 }, { model: voting({ pay: true, cents: 5 }, "no", { cents: 5, pay: true }) });

  expect(await play.play()).toEqual({
    type: "result",
    actions: [
      {
        type: "merge_parallel_results",
        updates: [
          { path: "decision", value: { pay: true, cents: 5 } },
          {
            path: "votes",
            value: [
              { voter: "v0", vote: { pay: true, cents: 5 } },
              { voter: "v1", vote: "no" },
              { voter: "v2", vote: { cents: 5, pay: true } },
            ],
          },
        ],
      },
    ],
  });
  expect(new Set(play.requests.map(({ prompt }) => prompt)).size).toBe(1);
  expect(play.requests.map(({ task, thread }) => [task, thread])).toEqual([
    ["voter.0", []],
    ["voter.1", []],
    ["voter.2", []],
  ]);
});

test("with weights the heavier side wins, without them the larger one", async () => {
  const model = voting("a", "b", "b");
  expect(await playing({ strategy: "weighted" }, { model }, [5, 1, 1]).play()).toMatchObject(decided("a"));
  expect(await playing({}, { model }, [5, 1, 1]).play()).toMatchObject(decided("b"));
});

test("only options are votes; other answers and failures abstain", async () => {
  const say = (request: ModelRequest): Line => {
    if (request.task === "voter.2") throw new ModelError("model_failed", false, "broken", { billed: "no" });

    return voting("yes", "maybe")(request);
  };
  const play = playing({ options: ["yes", "no"], quorum: 1 }, { model: say });

  expect(await play.play()).toMatchObject({ actions: [{ updates: [{ value: "yes" }, { value: [{ voter: "v0", vote: "yes" }] }] }] });
  expect(play.failed).toEqual({ "voter.2": "model_failed" });
  for (const request of play.requests) expect(shown(request, "task")).toEqual({ options: ["yes", "no"] });
});

test("nothing is decided without a quorum, by default a majority of the voters", async () => {
  const model = voting("yes", "?", "?");
  const options = ["yes"];
  expect(await playing({ options }, { model }).play()).toMatchObject({ type: "failure", code: "vote_no_quorum" });
  expect(await playing({ options, quorum: 1 }, { model }).play()).toMatchObject(decided("yes"));
  expect(await playing({ options }, { model: voting("yes", "yes", "?", "?") }, [1, 1, 1, 1]).play()).toMatchObject({
    code: "vote_no_quorum",
  });
});

test("a tie is a permanent failure, or what the graph configures", async () => {
  const model = voting("a", "b");
  expect(await playing({}, { model }, [1, 1]).play()).toMatchObject({ type: "failure", code: "vote_tied", retryable: false });
  expect(await playing({ on_tie: "value", tie_value: "ask" }, { model }, [1, 1]).play()).toMatchObject(decided("ask"));
  expect(await playing({ on_tie: "value" }, { model }, [1, 1]).play()).toMatchObject({ code: "vote_tied" });
});

test("a judge sees and chooses only among the cast votes", async () => {
  const say =
    (choice: Json) =>
    (request: ModelRequest): Line =>
      request.task === "judge" ? JSON.stringify({ choice }) : voting("a", "b", "a")(request);
  const config = { strategy: "judge", judge_id: "judge" };
  const play = playing(config, { model: say(1) });

  expect(await play.play()).toMatchObject(decided("b"));
  const judge = play.requests.at(-1);
  expect(judge && shown(judge, "task")).toEqual({
    votes: [
      { index: 0, vote: "a", count: 2 },
      { index: 1, vote: "b", count: 1 },
    ],
  });
  expect(judge && [shown(judge, "memory"), shown(judge, "goal")]).toEqual([undefined, undefined]);
  for (const choice of [2, -1, 0.5, "0", null, "length"]) {
    expect(await playing(config, { model: say(choice) }).play()).toMatchObject({ type: "failure", code: "vote_not_judged" });
  }
});

test("a spent budget is not an abstention", async () => {
  const input = inputWith({ quorum: 1 });
  const { gateways } = stage(input, {});
  const poor = { ...gateways, models: { generate: async () => toRefused("cost_budget") } };

  expect(await runVoting(input, poor, new AbortController().signal)).toMatchObject({ code: "cost_budget", retryable: false });
});
