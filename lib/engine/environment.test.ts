import { describe, expect, it } from "vitest";
import { getVariables } from "@/lib/engine/environment";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import type { BodyOf } from "@/lib/engine/proposal";
import { END, inARow, version } from "@/lib/engine/testing/kinds";
import { newRun, startBody, STARTER, user } from "@/lib/engine/testing/run";
import { compileExpression } from "@/lib/graph/condition";
import { listVariables } from "@/lib/graph/variables";

const VARIABLES = { REGION: "eu", LIMIT: 5, UNUSED: "x" };
const compute = {
  id: "sum",
  kind: "transform" as const,
  write_keys: ["out"],
  config: { set: [{ path: "out", value: "env.LIMIT * 2.0" }] },
};
const GRAPH = version([{ id: "one", kind: "agent", config: { agent_id: "plain" } }, compute, END], {
  edges: [...inARow("one", "sum", "end")].map((edge, at) => (at === 0 ? { ...edge, condition: "env.REGION == 'eu'" } : edge)),
});

const start = (env?: BodyOf<"start">["env"]) => {
  const run = newRun(GRAPH);
  const verdict = run.propose(user(STARTER, "builder"), { ...startBody(GRAPH, {}), ...(env ? { env } : {}) });

  return { run, refusal: verdict.ok ? null : verdict.refusal };
};

describe("a run's environment", () => {
  it("gives it the variables that its version names, as a cell of their own", () => {
    const { run, refusal } = start({ id: "dev", variables: VARIABLES });
    expect(refusal).toBeNull();
    expect(run.state().start?.environment).toBe("dev");
    expect(getVariables(run.state())).toEqual({ REGION: "eu", LIMIT: 5 });
    expect(run.records()[0]?.record.writes.map(({ path }) => path)).toContain("$env");
    expect(JSON.stringify(run.records()[0]?.record)).not.toContain('"eu"');
  });

  it("refuses a start that lacks one of them", () => {
    expect(start({ variables: { REGION: "eu" } }).refusal).toMatchObject({ code: "variable_missing", ids: ["LIMIT"] });
    expect(start().refusal?.code).toBe("variable_missing");
  });

  it("refuses a start while a server's secret has no value there", () => {
    const started = start({ id: "dev", variables: VARIABLES, missingSecrets: ["maps-key"] });
    expect(started.refusal).toMatchObject({ code: "secret_missing", ids: ["maps-key"] });
    expect(started.run.state().start).toBeNull();
  });

  it("is not named while a workspace has the default one only", () => {
    expect(start({ variables: VARIABLES }).run.state().start).not.toHaveProperty("environment");
  });

  it("reaches only the nodes that compute", () => {
    const { run } = start({ variables: VARIABLES });
    const inputOf = (id: string) => {
      const node = GRAPH.graph.nodes.find((one) => one.id === id);

      return node && buildExecutorInput(GRAPH, run.state(), node, 0).computed;
    };
    expect(inputOf("sum")?.env).toEqual({ REGION: "eu", LIMIT: 5 });
    expect(inputOf("one")).toBeNull();
  });
});

describe("env in an expression", () => {
  const scope = { memory: {}, goal: "", constraints: [], run: { iteration_count: 0, retry_count: 0 }, env: { REGION: "eu", LIMIT: 2 } };
  const evaluate = (text: string) => {
    const compiled = compileExpression(text);

    return compiled.ok ? compiled.value.evaluate(scope, () => undefined) : compiled;
  };

  it.each([
    ["env.REGION + '-1'", "eu-1"],
    ["env.LIMIT + 1", 3],
    ["[1, 2].exists(env, env > 1)", true],
  ])("%s", (text, value) => {
    expect(evaluate(text)).toEqual({ ok: true, value });
  });

  it.each(["env", "env['REGION']", "size(env) > 0", "memory.a[env.size()]"])("%s does not compile: names are seen in the text", (text) => {
    expect(compileExpression(text)).toMatchObject({ ok: false });
  });

  it("fails on a variable that the run did not start with, and on a secret's name", () => {
    expect(evaluate("env.API_KEY").ok).toBe(false);
    expect(compileExpression("secrets.API_KEY")).toMatchObject({ ok: false, error: "there is no variable secrets" });
  });

  it("is typed as text, number or boolean", () => {
    const compiled = compileExpression("env.LIMIT.size.x == 1");
    expect(compiled.ok && compiled.value.check({ keys: {} }).faults).toHaveLength(1);
  });

  it("has its names listed for a version", () => {
    expect(listVariables(GRAPH)).toEqual(["LIMIT", "REGION"]);
  });
});
