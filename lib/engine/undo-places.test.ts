import { describe, expect, it } from "vitest";
import type { GraphInput, PublishedGraph } from "@/lib/graph/document";
import { getKnownValue } from "@/lib/engine/state";
import { child, END, step, TOOLS, using, version, writer } from "@/lib/engine/testing/kinds";
import {
  decideAs,
  getCode,
  executor,
  intent,
  result,
  REVIEWER,
  settle,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { drive, createFailure } from "@/lib/engine/testing/work";

import { cancel, stack, undos, unwind, write } from "@/lib/engine/testing/undo";

type NodeInput = GraphInput["nodes"][number];

describe("an undo [8]", () => {
  it("uses memory as of the effect's request", () => {
    const compensation = { server: "crm", tool: "undo", arguments: { was: { from: "note" }, id: { result: "id" }, not: { from: "more" } } };
    const handy: NodeInput = {
      id: "h",
      kind: "agent",
      read_keys: ["note"],
      write_keys: ["note"],
      config: { agent_id: "handy" },
      compensation,
    };
    const run = started(version([handy, END]), { topic: "plans", note: "before", more: "not granted" });
    run.work(intent("crm", "write", {}));
    decideAs(run, user(REVIEWER));
    run.work(intent("crm", "write", {}));
    run.work({ kind: "action", action: update("note", "after") });
    settle(run, { id: 7 });
    const cell = run.state().aside.find(({ path }) => path.startsWith("$undo."));
    expect(getKnownValue(cell)).toEqual({ was: "before", id: 7 });
    expect(cell?.label.integrity).toBe("untrusted");
  });

  it("sends a tool no secret above its clearance, from any argument", () => {
    const secret = writer("w", {
      read_keys: ["topic", "salary"],
      compensation: { server: "crm", tool: "undo", arguments: { s: { from: "salary" } } },
    });
    const cleared = TOOLS.map((pin) => (pin.tool === "write" ? { ...pin, clearance: "secret" as const } : pin));
    const run = started(version([secret, step("n")], {}, { tools: cleared }), { topic: "plans", salary: 99 });
    run.work(intent("crm", "write", { what: "plans", by: "w" }));
    settle(run, "ok");
    expect(run.state().aside.find(({ path }) => path.startsWith("$undo."))?.label.confidentiality).toBe("secret");
    run.work(createFailure());
    drive(run);
    expect(stack(run)).toEqual([["w", "failed"]]);
    expect(undos(run)).toEqual([]);
  });

  const inner = version([writer("w1"), step("last")]);
  const nested = (rest: readonly NodeInput[] = [], graph: object = {}): PublishedGraph =>
    version(
      [
        writer("w1", { compensation: { server: "crm", tool: "undo", arguments: { what: { value: "outer" } } } }),
        using("s", "c", { inputs: { topic: "topic" } }, { read_keys: ["topic"] }),
        step("last"),
        ...rest,
      ],
      graph,
      { subgraphs: [child("c", inner)] },
    );

  it("of a subgraph runs as defined there, wherever the run ends", () => {
    const run = started(nested());
    write(run);
    run.work(result());
    write(run);
    cancel(run);
    expect(run.state().frames).toEqual([]);
    unwind(run);
    expect(undos(run)).toEqual([
      [{ what: "w1" }, "ok"],
      [{ what: "outer" }, "ok"],
    ]);
    expect(run.state().status).toBe("cancelled");
  });

  const lateInside = (): TestRun => {
    const edges = [
      { id: "a", source: "w1", target: "s" },
      { id: "x", source: "s", target: "r", kind: "error" as const },
    ];
    const run = started(nested([step("r")], { edges }));
    write(run);
    run.work(result());
    run.work(intent("crm", "write", { what: "plans", by: "w1" }));
    run.work(createFailure("node_timeout"));
    drive(run);
    expect(run.state()).toMatchObject({ currentNode: "r", frames: [] });

    return run;
  };

  it("of an effect settled after its subgraph ended is still the subgraph's", () => {
    const run = lateInside();
    settle(run, { id: "late" });
    expect(run.state().compensation.at(-1)).toMatchObject({ node: "w1", frames: ["s"] });
    run.work(createFailure());
    unwind(run);
    expect(undos(run)[0]).toEqual([{ what: "w1" }, "ok"]);
  });

  it("does not block on an ended subgraph's effect after a crash", () => {
    const run = lateInside();
    cancel(run);
    expect(
      getCode(
        run.propose(
          executor("w1", 1),
          { kind: "effect_outcome", effect_id: Object.keys(run.state().effects)[1] ?? "", outcome: "ok", result: 1 },
          { epoch: 2 },
        ),
      ),
    ).toBe("late_result");
    drive(run, 2);
    expect(Object.values(run.state().effects)[1]?.outcome).toBe("abandoned");
    const { epoch } = Object.values(run.state().effects).at(-1) ?? { epoch: 0 };
    expect([undos(run), epoch]).toEqual([[[{ what: "outer" }, null]], 2]);
  });
});
