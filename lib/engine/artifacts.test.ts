import { describe, expect, test } from "vitest";
import { getArtifactDigest, getArtifactSource, listArtifacts, type Artifact } from "@/lib/artifact";
import type { Json } from "@/lib/json";
import type { Principal } from "@/lib/engine/principal";
import { listTaskArtifacts } from "@/lib/engine/task-artifacts";
import { nodesWith, publishWith, SMALL_GRAPH } from "@/lib/engine/testing/graph";
import type { ForkChange } from "@/lib/engine/forks/fork-change";
import { FORKER, forkOf } from "@/lib/engine/testing/fork";
import {
  call,
  engine,
  executor,
  getCode,
  newRun,
  result,
  REVIEWER,
  startBody,
  STARTER,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import type { PublishedGraph } from "@/lib/graph/document";

const SCAN: Artifact = {
  $artifact: "a".repeat(64),
  id: "00000000-0000-4000-8000-000000000001",
  mediaType: "image/png",
  size: 12,
  name: "scan.png",
};
const OTHER: Artifact = { ...SCAN, $artifact: "b".repeat(64) };
const INPUTS = { topic: "plans", scan: SCAN };

const publish = (reads: readonly string[]): PublishedGraph =>
  publishWith({
    inputs: { type: "object", properties: { topic: {}, copy: {}, scan: { format: "artifact", "x-media-types": ["image/*"] } } },
    memory: [
      ...(SMALL_GRAPH.memory ?? []),
      { key: "scan", schema: { format: "artifact" }, classification: "pii" },
      { key: "copy", schema: {} },
    ],
    nodes: nodesWith("parse", { read_keys: [...reads] }),
  });

const startWith = (run: TestRun, inputs: Json, given: readonly Artifact[]) =>
  run.propose(user(STARTER, "builder"), { ...startBody(run.published, inputs), artifacts: given.map(getArtifactSource) });

const starting = (published: PublishedGraph, inputs: Json, given: readonly Artifact[]) => startWith(newRun(published), inputs, given);

const parsing = (reads: readonly string[]): TestRun => {
  const run = newRun(publish(reads));
  startWith(run, INPUTS, [SCAN]);
  run.propose(engine, { kind: "begin" });
  call(run, "docs", "read", { topic: "plans" }, { text: "hello" });
  run.work(result(update("mail", { text: "hello" })));

  return run;
};

const filesAt = (run: TestRun, path: string): readonly Artifact[] =>
  run.state().cells.flatMap((cell) => (cell.path === path && cell.content.known ? listArtifacts(cell.content.value, cell.label) : []));

describe("a file given at the start", () => {
  test("is of the cell that names it, and has its label", () => {
    const run = parsing(["mail"]);
    expect(filesAt(run, "scan")).toEqual([SCAN]);
    expect(run.state().cells.find(({ path }) => path === "scan")?.label).toMatchObject({ confidentiality: "pii" });
  });

  test.each([
    ["was not given by the sender", [OTHER]],
    ["was not given at all", []],
  ])("that %s is refused", (_, given) => {
    expect(getCode(starting(publish([]), INPUTS, given))).toBe("artifact_unknown");
  });

  test("of another media type than the schema allows is refused", () => {
    const sheet = { ...SCAN, mediaType: "text/csv" };
    expect(getCode(starting(publish([]), { ...INPUTS, scan: sheet }, [sheet]))).toBe("inputs_invalid");
  });

  test("under another name than it was given is refused", () => {
    expect(getCode(starting(publish([]), { ...INPUTS, scan: { ...SCAN, name: "other.png" } }, [SCAN]))).toBe("artifact_unknown");
  });
});

describe("a model", () => {
  test("passes on the files of cells that it reads, with their label", () => {
    const run = parsing(["mail", "scan"]);
    expect(getCode(run.work(result(update("note", { best: SCAN }), update("request", {}))))).toBe("accepted");
    expect(filesAt(run, "note")).toEqual([SCAN]);
    expect(run.state().cells.find(({ path }) => path === "note")?.label.confidentiality).toBe("pii");
  });

  test.each([
    ["a digest of a cell that it may not read", ["mail"], SCAN],
    ["a digest that it made up", ["mail", "scan"], OTHER],
    ["another media type", ["mail", "scan"], { ...SCAN, mediaType: "text/html" }],
    ["another name", ["mail", "scan"], { ...SCAN, name: "payroll.png" }],
    ["a malformed reference", ["mail", "scan"], { $artifact: SCAN.$artifact }],
  ])("that types %s is refused", (_, reads, typed) => {
    const run = parsing(reads);
    expect(getCode(run.work(result(update("note", { best: typed }), update("request", {}))))).toBe("artifact_unknown");
  });

  test("that writes a reference piece by piece names no file", () => {
    const run = parsing(["mail"]);
    for (const [name, value] of Object.entries(SCAN)) {
      run.work({ kind: "action", action: update("note", {}) });
      run.work({ kind: "action", action: update(`note.${name}`, value) });
    }
    expect(run.state().cells.flatMap((cell) => (cell.path.startsWith("note") ? filesAt(run, cell.path) : []))).toEqual([]);
  });
});

describe("a fork", () => {
  const at = { by: user(FORKER, "builder") };
  const change: ForkChange = { type: "input", path: "scan", value: OTHER };
  const forkStart = (artifacts: readonly string[], changed = change) => {
    const parent = parsing(["mail"]);
    const labels = Object.fromEntries(parent.state().cells.map(({ path, label }) => [path, label]));
    const { kind: _kind, graph_hash: _hash, author: _author, ...start } = startBody(parent.published, INPUTS);

    return forkOf(parent, 0, changed, { ...at, body: { start: { ...start, labels, artifacts } } });
  };

  test("whose author edits history can't name a file that they didn't give", () => {
    const parent = parsing(["mail"]);
    const { verdict } = forkOf(parent, parent.state().version, { type: "memory", path: "note", value: { best: SCAN } }, at);
    expect(getCode(verdict)).toBe("artifact_unknown");
  });

  test("at the start takes another file from the person who gave it, and no other", () => {
    expect(getCode(forkStart([]).verdict)).toBe("artifact_unknown");
    const fork = forkStart([getArtifactSource(OTHER)]);
    expect(getCode(fork.verdict)).toBe("accepted");
    expect(filesAt(fork, "scan")).toEqual([OTHER]);
  });

  test("at the start can't move a file of one input to another", () => {
    const moved: ForkChange = { type: "input", path: "copy", value: SCAN };
    expect(getCode(forkStart([], moved).verdict)).toBe("artifact_unknown");
    expect(getCode(forkStart([getArtifactSource(SCAN)], moved).verdict)).toBe("accepted");
  });
});

describe("a model call", () => {
  const shown = (reads: readonly string[]) => {
    const run = parsing(reads);
    const node = run.published.graph.nodes.find(({ id }) => id === "parse");

    return node && listTaskArtifacts(run.published, run.state(), node, "");
  };

  test("is given the files of the cells that its task reads", () => {
    expect(shown(["mail", "scan"])).toEqual([SCAN]);
    expect(shown(["mail"])).toEqual([]);
  });
});

describe("opening a file", () => {
  const open = (run: TestRun, by: Principal, artifact: Artifact = SCAN) => {
    const cell = run.state().cells.find(({ path }) => path === "scan");

    return run.propose(by, {
      kind: "open_cell",
      seq: cell?.seq ?? 0,
      index: cell?.index ?? 0,
      purpose: "file",
      file: getArtifactDigest(artifact),
    });
  };

  test("is recorded for readers of its cell, and refused to others", () => {
    const run = parsing(["mail"]);
    expect(getCode(open(run, user(STARTER, "builder")))).toBe("opening_denied");
    expect(getCode(open(run, user(REVIEWER, "reviewer")))).toBe("accepted");
    expect(run.records().at(-1)?.record.control).toMatchObject([
      { type: "cell_opened", path: "scan", purpose: "file", file: getArtifactDigest(SCAN), by: `user:${REVIEWER}` },
    ]);
  });

  test("that the cell doesn't name is refused", () => {
    expect(getCode(open(parsing(["mail"]), user(REVIEWER, "reviewer"), OTHER))).toBe("opening_denied");
  });
});

describe("a tool's answer", () => {
  const answered = (artifacts: readonly string[]): TestRun => {
    const run = newRun(publish([]));
    startWith(run, { topic: "plans" }, []);
    run.propose(engine, { kind: "begin" });
    run.work({ kind: "effect_intent", call_id: "0//c", server: "docs", tool: "read", arguments: { topic: "plans" }, availability: "ok" });
    const [effect] = Object.values(run.state().effects);
    const answer = {
      content: [
        { type: "image", file: SCAN },
        { type: "text", text: "", file: OTHER },
      ],
    };
    run.propose(executor("fetch"), {
      kind: "effect_outcome",
      effect_id: effect?.effect_id ?? "",
      outcome: "ok",
      result: answer,
      artifacts: [...artifacts],
    });

    return run;
  };

  const filesOf = (run: TestRun): readonly Artifact[] =>
    run.state().aside.flatMap(({ content, label }) => (content.known ? listArtifacts(content.value, label) : []));

  test("has the files that the runner stored, under the label of the call, and no reference that the server typed", () => {
    const run = answered([getArtifactDigest(SCAN)]);
    expect(filesOf(run)).toEqual([SCAN]);
    expect(run.state().aside.find(({ path }) => path.startsWith("$result."))?.label).toMatchObject({
      integrity: "untrusted",
      provenance: [getArtifactSource(SCAN), "mcp:docs/read", `user:${STARTER}`],
    });
    expect(filesOf(answered([]))).toEqual([]);
  });

  test("with a reference that the server typed is not written to memory", () => {
    expect(getCode(answered([getArtifactDigest(SCAN)]).work(result(update("mail", { best: OTHER }))))).toBe("artifact_unknown");
    expect(getCode(answered([getArtifactDigest(SCAN)]).work(result(update("mail", { best: SCAN }))))).toBe("accepted");
  });
});
