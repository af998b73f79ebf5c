import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExpression } from "@/lib/graph/condition";
import type { Json, JsonObject } from "@/lib/json";

const evaluate = (text: string, memory: JsonObject, goal = "the goal") => {
  const compiled = compileExpression(text);
  if (!compiled.ok) throw new Error(compiled.error);
  const reads = new Set<string>();
  const result = compiled.value.evaluate({ memory, goal, constraints: ["short"], run: { iteration_count: 2, retry_count: 0 } }, (path) =>
    reads.add(path.join("/")),
  );

  return { result, reads: [...reads] };
};

describe("what an expression looks at is reported", () => {
  it.each<[string, JsonObject, string[]]>([
    ['memory.a == "x"', { a: "x", b: "y" }, ["a"]],
    ["memory.a.b == 1.0", { a: { b: 1, c: 2 } }, ["a/b"]],
    ["memory.a.b.c == 1.0", { a: { b: { c: 1 }, d: 2 } }, ["a/b/c"]],
    ["has(memory.a.b)", { a: { b: {} } }, ["a/b"]],
    ["has(memory.a)", {}, ["a"]],
    ['"a" in memory', { a: {} }, ["a"]],
    ["memory.a == 1.0", { a: { b: 1 } }, ["a"]],
    ["memory.a != null", { a: {} }, ["a"]],
    ["[memory.a].size() == 1", { a: {} }, ["a"]],
    ["memory.a[0].b == 1.0", { a: [{ b: 1 }] }, ["a"]],
    ['memory.a["odd name"] == 1.0', { a: { "odd name": 1 } }, ["a/odd name"]],
    ['memory.a["x.y"] == 1.0', { a: { "x.y": 1 } }, ["a/x.y"]],
    ["memory.a.exists(k, k == 'b')", { a: { b: 1 } }, ["a"]],
    ["memory.a.missing == 1.0", { a: {} }, ["a/missing"]],
    ["memory.missing == 1.0", {}, ["missing"]],
  ])("%s", (text, memory, expected) => {
    expect(evaluate(text, memory).reads).toEqual(expect.arrayContaining(expected));
    for (const read of evaluate(text, memory).reads) expect(expected.some((path) => read.startsWith(path))).toBe(true);
  });

  it("when memory is used as a whole, or by a computed name", () => {
    expect(evaluate("memory == {}", { a: 1 }).reads).toContain("");
    expect(evaluate('memory[goal] == "x"', { secret: "x" }, "secret").reads).toContain("secret");
  });

  it("whatever the operators: `||` and `?:` hide no value that the answer depends on", () => {
    const operand = fc.constantFrom(
      "memory.a",
      "memory.b",
      "memory.c.d",
      "has(memory.c)",
      "has(memory.e.f)",
      "memory.c.d == memory.a",
      "memory.c == memory.b",
      "true",
      "memory.e == true",
    );
    const expression = fc.letrec<{ e: string }>((tie) => ({
      e: fc.oneof(
        { maxDepth: 3 },
        operand,
        fc.tuple(tie("e"), fc.constantFrom("&&", "||", "==", "!="), tie("e")).map(([left, op, right]) => `(${left} ${op} ${right})`),
        tie("e").map((inner) => `!(${inner})`),
        fc.tuple(tie("e"), tie("e"), tie("e")).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      ),
    })).e;
    const leaf = fc.constantFrom<JsonObject[string]>(true, false, "x", {}, { d: true }, { f: 1 });
    const memory = fc.record({ a: leaf, b: leaf, c: leaf, e: leaf }, { requiredKeys: [] });
    fc.assert(
      fc.property(
        expression,
        memory,
        fc.constantFrom("a", "b", "c", "e"),
        fc.option(leaf, { nil: undefined }),
        (text, before, key, value) => {
          const first = evaluate(text, before);
          const { [key]: _old, ...rest } = before;
          const second = evaluate(text, value === undefined ? rest : { ...rest, [key]: value });
          const answer = (of: typeof first) => (of.result.ok ? JSON.stringify(of.result.value) : "error");
          if (answer(first) === answer(second)) return;
          expect(first.reads.some((read) => read === "" || read.split("/")[0] === key)).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("an expression", () => {
  it.each(["1/0 == 1", "memory.missing > 1", "memory.text > 1", "memory.text && true", 'memory.text.matches("[")', "[1][5] == 1"])(
    "%s is an error and not false",
    (text) => {
      expect(evaluate(text, { text: "x" }).result.ok).toBe(false);
    },
  );

  it.each(["memory.constructor", "memory.__proto__", "memory.a.toString", 'memory.a["constructor"]', "goal.length", "run.constructor"])(
    "%s does not resolve",
    (text) => {
      expect(evaluate(text, { a: {} }).result.ok).toBe(false);
    },
  );

  it.each([
    "",
    "memory.",
    "unknown > 1",
    "process.env",
    "[1].map(x, [2].map(y, x + y))",
    "[1].all(x, [2].exists(y, x == y))",
    "memory.a.map(x, x).map(y, y)",
  ])("%j does not compile", (text) => {
    expect(compileExpression(text).ok).toBe(false);
  });

  it("matches with RE2: no pattern makes it wait", () => {
    const before = performance.now();
    expect(evaluate('memory.a.matches("^(a+)+$")', { a: `${"a".repeat(5_000)}!` }).result).toEqual({ ok: true, value: false });
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it("gives plain JSON or an error", () => {
    expect(evaluate('{"a": [1, 2u, 1.5, "x", null, true]}', {}).result).toEqual({ ok: true, value: { a: [1, 2, 1.5, "x", null, true] } });
    expect(evaluate('timestamp("2026-01-01T00:00:00Z")', {}).result.ok).toBe(false);
    expect(evaluate('{"__proto__": 1}', {}).result.ok).toBe(false);
  });

  it("sees the goal, the constraints and counters, and names the keys that it uses", () => {
    expect(evaluate('goal == "the goal" && constraints[0] == "short" && run.iteration_count == 2.0', {}).result).toEqual({
      ok: true,
      value: true,
    });
    const compiled = compileExpression("memory.a.b == memory.c");
    expect(compiled.ok && compiled.value.keys).toEqual(["a", "c"]);
    const whole = compileExpression("size(memory) > 0");
    expect(whole.ok && whole.value.keys).toBeNull();
  });

  it("never throws, whatever its text and whatever is in memory", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof compileExpression(text).ok).toBe("boolean");
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue(), { noNullPrototype: true }), (memory) => {
        expect(typeof evaluate("memory.a == memory.b", memory as JsonObject).result.ok).toBe("boolean");
      }),
    );
  });
});

describe("item", () => {
  const evaluateItem = (text: string, item?: Json) => {
    const compiled = compileExpression(text);
    if (!compiled.ok) throw new Error(compiled.error);
    const reads: unknown[] = [];
    const scope = { memory: {}, goal: "", constraints: [], run: { iteration_count: 0, retry_count: 0 } };
    const result = compiled.value.evaluate(item === undefined ? scope : { ...scope, item }, (path) => reads.push(path));

    return { result, reads };
  };

  it("is the current item, and reading it is no memory read", () => {
    expect(evaluateItem("item.score * 2.0", { score: 3 })).toEqual({ result: { ok: true, value: 6 }, reads: [] });
    expect(evaluateItem("item.filter(x, x > 1.0)", [1, 2]).result).toEqual({ ok: true, value: [2] });
    expect(evaluateItem('item == "x"', "x").result).toEqual({ ok: true, value: true });
    expect(evaluateItem("item", { a: [null] }).result).toEqual({ ok: true, value: { a: [null] } });
  });

  it("is an error where there is none, and has no inherited members", () => {
    expect(evaluateItem("item == null").result.ok).toBe(false);
    expect(evaluateItem("item.constructor", { a: 1 }).result.ok).toBe(false);
  });
});
