import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileExpression, type Declared, type Expression } from "@/lib/graph/condition";
import { createSourceLabel } from "@/lib/graph/label";
import { matchesSchema } from "@/lib/graph/json-schema";
import type { Json, JsonObject } from "@/lib/json";
import { explainNeverTrue } from "./check";

const ORDER: JsonObject = {
  type: "object",
  properties: {
    total: { type: "integer", minimum: 0, maximum: 1_000 },
    rate: { type: "number" },
    state: { enum: ["open", "paid"] },
    note: { type: ["string", "null"] },
    lines: { type: "array", items: { type: "object", properties: { count: { type: "integer" } } } },
  },
};
const DECLARED: Declared = {
  keys: { order: ORDER, n: { type: "integer" }, text: { type: "string" }, free: {} },
  item: { type: "integer" },
};

const compile = (text: string): Expression => {
  const compiled = compileExpression(text);
  if (!compiled.ok) throw new Error(compiled.error);

  return compiled.value;
};

const evaluate = (text: string, memory: JsonObject, item?: Json) =>
  compile(text).evaluate(
    {
      memory,
      goal: "",
      constraints: [],
      run: { iteration_count: 2, retry_count: 0 },
      declared: DECLARED,
      ...(item === undefined ? {} : { item }),
    },
    () => undefined,
  );

describe("a declared integer", () => {
  test.each<[string, JsonObject, Json]>([
    ["memory.n + 1", { n: 41 }, 42],
    ["memory.n % 2 == 1", { n: 7 }, true],
    ["memory.n / 2", { n: 7 }, 3],
    ["memory.n / 2.0", { n: 7 }, 3.5],
    ["memory.order.lines[memory.n].count * 2", { n: 1, order: { lines: [{ count: 1 }, { count: 4 }] } }, 8],
    ["memory.order.rate + 1", { order: { rate: 2 } }, 3],
    ["1 - memory.order.rate", { order: { rate: 0.5 } }, 0.5],
    ["memory.free + 1", { free: 1 }, 2],
    ["run.iteration_count % 2", {}, 0],
  ])("%s", (text, memory, result) => {
    expect(evaluate(text, memory)).toEqual({ ok: true, value: result });
  });

  test("of a map's items, too", () => {
    expect(evaluate("item % 3", {}, 7)).toEqual({ ok: true, value: 1 });
  });

  test("beyond 2^53 is refused as a result, not rounded", () => {
    expect(evaluate("memory.n + 9007199254740990", { n: 1 })).toEqual({ ok: true, value: 9_007_199_254_740_991 });
    for (const text of ["memory.n + 9007199254740991", "[memory.n * -9007199254740993]", "{'a': 9007199254740993u}"]) {
      expect(evaluate(text, { n: 1 })).toEqual({ ok: false, error: "the result is beyond 2^53, so JSON would round it" });
    }
  });
});

describe("types are checked by the declared schemas", () => {
  test.each([
    ["memory.n + 'x'", "+ does not take an integer and text"],
    ["memory.order.totl > 1", "memory.order has no member totl"],
    ["memory.order['totl'] > 1", "memory.order has no member totl"],
    ["has(memory.order.totl)", "memory.order has no member totl"],
    ["memory.text.size > 1", "memory.text is text, which has no members"],
    ["memory.text > 1", "> does not take text and an integer"],
    ["memory.text && true", "&& takes true or false, not text"],
    ["memory.n ? 1 : 2", "? takes true or false, not an integer"],
    ["!memory.text", "! does not take text"],
    ["memory.order.rate % 2", "% does not take a number and an integer"],
    ["memory.n.startsWith('x')", "startsWith does not take an integer and text"],
    ["memory.order.lines['a']", "a list is indexed by an integer, not by text"],
    ["memory.order.lines.exists(line, line.cont > 1)", "a value has no member cont"],
    ["memory.n.exists(x, x > 1)", "an integer has no items"],
    ["label(memory.n).integrty == 'trusted'", "a value has no member integrty"],
    ["run.step > 1", "a value has no member step"],
    ["item + 'x'", "+ does not take an integer and text"],
    ["memory.order.note + 1", "+ does not take text or null and an integer"],
  ])("%s", (text, fault) => {
    expect(compile(text).check(DECLARED).faults).toEqual([fault]);
  });

  test.each([
    "memory.n + 1 > 2 && memory.order.total < 5",
    "memory.free.a.b[0] + 1 == memory.free",
    "memory.order.note == null || memory.order.note.size() > 3",
    "memory.order.lines.map(line, line.count)[0] > 1",
    "memory.order.lines.filter(line, line.count > 1).size() > 0",
    "memory.order.lines.all(line, line.count > 0)",
    "[1, 2].exists(x, x == memory.n)",
    "[].exists(x, x == 1)",
    "'a' in memory.free",
    "memory.undeclared.x == 1",
    "{'a': 1}['a'] == memory.n",
    "constraints.exists(c, c.contains('x')) && goal.matches('y')",
    "label(memory.n).provenance.exists(p, p.startsWith('mcp:'))",
  ])("%s is fine", (text) => {
    expect(compile(text).check(DECLARED)).toMatchObject({ faults: [] });
    expect(explainNeverTrue(compile(text).check(DECLARED).type)).toBeNull();
  });

  test.each(["nothing(memory.n)", "memory.text.shout()", "math.greatest(1, 2)", "memory.n.tainted()"])(
    "%s: there is no such function",
    (text) => {
      expect(compileExpression(text)).toMatchObject({ ok: false });
    },
  );

  test("never wrongly: an expression with a fault fails on every fitting value", () => {
    const shapes = fc.constantFrom<JsonObject>(
      { type: "integer" },
      { type: "string" },
      { type: "boolean" },
      { type: ["integer", "null"] },
      { enum: ["a", 1] },
      { type: "array", items: { type: "integer" } },
      { type: "object", properties: { x: { type: "integer" } } },
      { anyOf: [{ type: "string" }, { type: "object", properties: { x: { type: "string" } } }] },
    );
    const operand = fc.constantFrom("memory.a", "memory.b", "1", "'a'", "true", "memory.a.x", "memory.b[0]", "size(memory.a)", "null");
    const operator = fc.constantFrom("+", "==", "!=", "<", ">=", "&&", "in", "%");
    const values = fc.constantFrom<Json>(1, 2, "a", "", true, false, null, [1], [], { x: 1 }, { x: "a" }, {});
    const found: string[] = [];
    fc.assert(
      fc.property(shapes, shapes, operand, operator, operand, values, values, (a, b, left, between, right, first, second) => {
        fc.pre(matchesSchema(a, first, true) && matchesSchema(b, second, true));
        const declared = { keys: { a, b } };
        const expression = compile(`${left} ${between} ${right}`);
        const { faults, type } = expression.check(declared);
        const result = expression.evaluate(
          { memory: { a: first, b: second }, goal: "", constraints: [], run: { iteration_count: 0, retry_count: 0 }, declared },
          () => undefined,
        );
        // `&&` may absorb a fault of one side.
        const isWrong =
          result.ok && ((faults.length > 0 && between !== "&&") || (result.value === true && explainNeverTrue(type) !== null));
        found.push(...(isWrong ? [`${left} ${between} ${right}`] : []));
      }),
      { numRuns: 5_000 },
    );
    expect(found).toEqual([]);
  });
});

describe("a condition that can never be true", () => {
  test.each([
    ["memory.text", "its result is text"],
    ["memory.text == 1", "its result is always false"],
    ["memory.order.state == 'closed'", "its result is always false"],
    ["memory.order.state in ['closed', 'lost']", "its result is always false"],
    ["memory.order.total > 1000", "its result is always false"],
    ["memory.order.total < 0 || false", "its result is always false"],
    ["memory.n > 1 && memory.order.total > 1000", "its result is always false"],
    ["!(1 == 1)", "its result is always false"],
    ["1 > 2", "its result is always false"],
    ["memory.order.state == 'open' ? false : 1 > 1", "its result is always false"],
  ])("%s", (text, why) => {
    expect(explainNeverTrue(compile(text).check(DECLARED).type)).toBe(why);
  });

  test.each([
    "memory.order.total >= 1000",
    "memory.order.state == 'paid'",
    "memory.order.state != 'paid'",
    "memory.text == 'x'",
    "memory.free == 1",
  ])("%s can be", (text) => {
    expect(explainNeverTrue(compile(text).check(DECLARED).type)).toBeNull();
  });
});

describe("label() and tainted()", () => {
  const ask = (text: string, memory: JsonObject = { mail: { body: "x" } }) => {
    const reads: string[] = [];
    const result = compile(text).evaluate(
      {
        memory,
        goal: "",
        constraints: [],
        run: { iteration_count: 0, retry_count: 0 },
        labelAt: (path) => (path.join(".") === "mail.body" ? createSourceLabel("untrusted", "pii", "mcp:mail/read") : undefined),
      },
      (path) => reads.push(path.join(".")),
    );

    return { result, reads };
  };

  test("answer for a path without reading its value", () => {
    expect(ask("tainted(memory.mail.body)")).toEqual({ result: { ok: true, value: true }, reads: ["mail.body"] });
    expect(ask('label(memory.mail["body"]).confidentiality').result).toEqual({ ok: true, value: "pii" });
    expect(ask("label(memory.mail.body).provenance.exists(p, p.startsWith('mcp:mail/'))").result).toEqual({ ok: true, value: true });
  });

  test("fail where nothing is, as a read does", () => {
    expect(ask("tainted(memory.mail.subject)").result.ok).toBe(false);
  });

  test("name the key, so that it must be granted", () => {
    expect(compile("tainted(memory.mail.body)")).toMatchObject({ keys: ["mail"], labels: [["mail", "body"]] });
  });

  test.each(["tainted(memory)", "tainted('mail')", "tainted(memory[goal])", "label()", "label(memory.a, memory.b)", "tainted(item)"])(
    "%s does not compile",
    (text) => {
      expect(compileExpression(text)).toMatchObject({ ok: false, error: expect.stringContaining("takes one path") as string });
    },
  );

  test("no variable reaches the labels of other paths", () => {
    for (const text of ['labels["x"]', "`label of`", "[1].map(labels, labels['x'])"]) {
      const compiled = compileExpression(text);
      expect(compiled.ok ? ask(text).result.ok : false).toBe(false);
    }
  });
});
